package io.guidepost.scaffold.gateway;

import io.guidepost.scaffold.wire.ScaffoldLimits;

/** The bounds of a gateway's ports, each with its reason. */
final class GatewayLimits {
    /** Own sockets: the places of a host that one message holds. */
    static final int WAYS_MAX = ScaffoldLimits.LOCATORS_MAX;

    /** Packets in a burst: what one call of the kernel takes well, and a worker handles in a tenth of a millisecond. */
    static final int BURST_MAX = 64;

    /** Questions of DNS that wait for an object router: those of a second in which none answers. */
    static final int QUESTIONS_PENDING_MAX = 1_024;

    /** Bytes of a question of DNS: what programs send in one datagram without fragments. */
    static final int QUESTION_BYTES_MAX = 1_232;

    /** How long a command waits for the worker, whose turns take microseconds. */
    static final int COMMAND_MILLIS_MAX = 5_000;

    /** After this time the worker offers what a full socket did not take once more: a link of 1 Gbit/s has sent 12 KB by then. */
    static final long RETRY_NANOS = 100_000;

    /** Lower bound of TCP's retransmission timeout: after an outage the kernel must not wait for its own, 200 ms and more. */
    static final int RETRANSMISSION_MILLIS_MIN = 5;

    /** Bytes before a carried packet: IPv6, UDP and the carriage header. */
    static final int CARRIAGE_BYTES = 40 + 8 + 12;

    /** Bytes by which a packet of IPv4 is longer with labels, which are addresses of IPv6. */
    static final int LABEL_BYTES = 40 - 20;

    private GatewayLimits() {}
}
