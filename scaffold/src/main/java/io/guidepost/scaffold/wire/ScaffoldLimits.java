package io.guidepost.scaffold.wire;

/** The bounds of SCAFFOLD's wire format and machines, each with its reason. What an operator may change are settings. */
public final class ScaffoldLimits {
    /** Bytes of a control message: what every path carries in one datagram over IPv6 (1,280, less 40 and 8). */
    public static final int CONTROL_BYTES_MAX = 1_232;

    /** Bytes of a greeting: no less than its answer has. */
    public static final int HELLO_BYTES = 192;

    /** Bytes of a packet inside a control message: a SYN or SYN-ACK over IPv6 with all its options. */
    public static final int HANDSHAKE_PACKET_BYTES_MAX = 120;

    /** Places of a host in one message: the addresses of both families on four links. */
    public static final int LOCATORS_MAX = 8;

    /** Instances that a new one must not be: those that failed a flow lately. */
    public static final int EXCLUDED_MAX = 4;

    /** Bytes of a continuation that a server's program seals for its successor. */
    public static final int CONTINUATION_BYTES_MAX = 512;

    /** Bytes of a message that an object router sends on as it is: no answer to a request for a flow is longer. */
    public static final int RELAYED_BYTES_MAX = 768;

    /** Bytes of an object's name: a name of DNS (RFC 1035 section 2.3.4). */
    public static final int NAME_BYTES_MAX = 253;

    private ScaffoldLimits() {}
}
