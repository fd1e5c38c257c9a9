/**
 * Interfaces of the kernel whose other end is this program (TUN/TAP): what the kernel sends on them is received here, and
 * what is sent here comes in at the kernel, as if from a wire.
 */
@NullMarked
package io.guidepost.packet.tap;

import org.jspecify.annotations.NullMarked;
