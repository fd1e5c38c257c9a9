package io.guidepost.handle.door;

/**
 * Settings of the Handle door over UDP.
 *
 * @param administration whether it accepts changes; existing servers accept them over TCP and HTTP alone
 * @param callsMax pending requests of one worker, 1 to 65,536; more are dropped, and clients retransmit
 * @param bigAnswerBytesPerSecond rate limit of responses of more than one packet to one source network (/24 or /48),
 *     bytes per second; 0 = unlimited. Clients whose responses are dropped retry over TCP
 */
public record HandleDoorSettings(boolean administration, int callsMax, long bigAnswerBytesPerSecond) {
    private static final int CALLS_MAX = 65_536;

    /** Refuses numbers out of range. */
    public HandleDoorSettings {
        if (callsMax < 1 || callsMax > CALLS_MAX) {
            throw new IllegalArgumentException("1 to " + CALLS_MAX + " requests may be pending, not " + callsMax);
        }
        if (bigAnswerBytesPerSecond < 0) {
            throw new IllegalArgumentException("a rate is not negative, " + bigAnswerBytesPerSecond + " is");
        }
    }

    /**
     * Returns the defaults: no changes, 1024 pending requests, 4 MiB/s of responses of several packets. That is some
     * 1300 records of twenty values a second for one network: several times the load of the busiest proxies, and too
     * little for an amplification attack.
     */
    public static HandleDoorSettings usual() {
        return new HandleDoorSettings(false, 1024, 4 << 20);
    }

    /** Returns the same with or without changes. */
    public HandleDoorSettings withAdministration(boolean taken) {
        return new HandleDoorSettings(taken, callsMax, bigAnswerBytesPerSecond);
    }
}
