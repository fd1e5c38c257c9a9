/** Proxidor v0.2: a datagram of addresses comes in, and the same addresses go out, nearest first. */
@NullMarked
package io.guidepost.alto.proxidor;

import org.jspecify.annotations.NullMarked;
