package io.guidepost.packet;

import io.guidepost.packet.linux.SystemCall;

/** Drop reasons. Metrics and the console show the same names. */
public enum Drop {
    /** Received: the datagram was longer than its buffer. */
    TRUNCATED,
    /** Received: the queue of the kernel or the link overflowed before the worker read it. */
    OVERFLOW,
    /** Received: the handler threw an exception. */
    FAULT,
    /** Received: packet memory was exhausted. */
    NO_MEMORY,
    /** Received: malformed headers below the port's layer: lengths, versions or checksums. */
    MALFORMED,
    /** Received: not addressed to this port. */
    NOT_OURS,
    /** Received: denied by a rule of a middlebox. */
    DENIED,
    /** Received: a state table of a middlebox (conntrack) was full. */
    TABLE_FULL,
    /** Received: the hop limit was exceeded. */
    HOPS_EXCEEDED,
    /** Received: under overload, from a source network that sends most. */
    HEAVY_HITTER_SOURCE,
    /** Received: under overload, for a name that is asked for most, while no source network stands out. */
    HEAVY_HITTER_NAME,
    /** Received: under overload, from a subscriber above its fair share. */
    SOURCE_SHARE,
    /** Received: under overload, from a source network above its fair share. */
    NETWORK_SHARE,
    /** Received: under overload, from a source that had not come before, as such sources together were above their share. */
    NEW_SOURCES_SHARE,
    /** Transmitted: the port's queue stayed full (backpressure). */
    NO_ROOM,
    /** Transmitted: the kernel had no memory. */
    NO_BUFFERS,
    /** Transmitted: longer than the network or the protocol allows. */
    TOO_LARGE,
    /** Transmitted: no route to the destination. */
    UNREACHABLE,
    /** Invalid destination or source address, or refused by a firewall or a handler. */
    REFUSED,
    /** Transmitted: the port was closed. */
    CLOSED,
    /** Transmitted: dropped on purpose by a simulated network. */
    SIMULATED,
    /** Transmitted: any other error. */
    OTHER;

    /** Returns why the kernel refused to send a packet, by its error number. */
    public static Drop ofSendError(int error) {
        return switch (error) {
            case SystemCall.ENOBUFS, SystemCall.ENOMEM -> NO_BUFFERS;
            case SystemCall.EMSGSIZE -> TOO_LARGE;
            case SystemCall.ENETUNREACH,
                    SystemCall.EHOSTUNREACH,
                    SystemCall.ENETDOWN,
                    SystemCall.EHOSTDOWN,
                    SystemCall.EADDRNOTAVAIL,
                    SystemCall.ENXIO,
                    SystemCall.ENODEV -> UNREACHABLE;
            case SystemCall.EINVAL, SystemCall.EPERM, SystemCall.EACCES, SystemCall.EAFNOSUPPORT -> REFUSED;
            case SystemCall.EBADF, SystemCall.ENOTSOCK -> CLOSED;
            default -> OTHER;
        };
    }
}
