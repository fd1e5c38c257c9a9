/**
 * Interfaces of the kernel whose other end is this program (TUN/TAP): the port receives what the kernel sends on them,
 * and the kernel receives what the port sends, as if from a wire.
 */
package io.guidepost.packet.tap;
