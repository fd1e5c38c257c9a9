/**
 * Frames of an interface by the kernel's packet sockets (AF_PACKET, packet(7)): any device, no driver, beside the
 * kernel's own network stack, which sees the same frames. Batched calls transfer directly from and to packet memory.
 */
package io.guidepost.packet.raw;
