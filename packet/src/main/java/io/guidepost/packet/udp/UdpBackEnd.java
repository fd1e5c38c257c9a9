package io.guidepost.packet.udp;

/** Which of the ways to the kernel's UDP a port takes. */
public enum UdpBackEnd {
    /** The kernel's own calls on Linux on x86-64 and aarch64, channels elsewhere. */
    BEST,
    /** Batched calls of the Linux kernel, through the foreign function interface. */
    KERNEL,
    /** Channels of the JDK: every system, one call for each datagram. */
    CHANNEL
}
