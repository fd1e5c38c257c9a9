/** Floods of the UDP protocols of the server. */
@NullMarked
package io.guidepost.bench.flood;

import org.jspecify.annotations.NullMarked;
