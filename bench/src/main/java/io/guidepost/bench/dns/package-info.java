/** The DNS door beside Knot. */
package io.guidepost.bench.dns;
