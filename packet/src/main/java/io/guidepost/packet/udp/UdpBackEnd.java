package io.guidepost.packet.udp;

/** The back end of a UDP port. */
public enum UdpBackEnd {
    /** Kernel sockets on Linux on x86-64 and aarch64, JDK channels elsewhere. */
    BEST,
    /** Kernel sockets with batched system calls, through the foreign function interface. */
    KERNEL,
    /** Channels of the JDK: every system, one call for each datagram. */
    CHANNEL
}
