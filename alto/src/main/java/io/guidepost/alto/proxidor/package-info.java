/** Proxidor v0.2: one datagram with addresses goes in, the same addresses come out, nearest first. */
@NullMarked
package io.guidepost.alto.proxidor;

import org.jspecify.annotations.NullMarked;
