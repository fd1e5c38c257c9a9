/** Proxidor v0.2: a datagram of addresses comes in, and the same addresses go out, nearest first. */
package io.guidepost.alto.proxidor;
