/** Floods of the UDP protocols of the server. */
package io.guidepost.bench.flood;
