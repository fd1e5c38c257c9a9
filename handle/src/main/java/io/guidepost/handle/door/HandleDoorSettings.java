package io.guidepost.handle.door;

/**
 * What an operator may set of the Handle door over UDP.
 *
 * @param administration whether it takes changes; existing servers take them over TCP and HTTP alone
 * @param callsMax messages of one worker that may be with the service, 1 to 65,536; more are dropped, and clients ask
 *     again
 * @param bigAnswerBytesPerSecond bytes of answers of more than one packet that may go to one network of sources (/24 or
 *     /48) in a second; 0 = any number. Clients whose answers are dropped ask again over TCP
 */
public record HandleDoorSettings(boolean administration, int callsMax, long bigAnswerBytesPerSecond) {
    private static final int CALLS_MAX = 65_536;

    /** Refuses what is out of range. */
    public HandleDoorSettings {
        if (callsMax < 1 || callsMax > CALLS_MAX) {
            throw new IllegalArgumentException("1 to " + CALLS_MAX + " calls may be under way, not " + callsMax);
        }
        if (bigAnswerBytesPerSecond < 0) {
            throw new IllegalArgumentException("a rate is not negative, " + bigAnswerBytesPerSecond + " is");
        }
    }

    /**
     * What nobody set: no changes, 1024 calls, 4 MiB/s of big answers. That is some 1300 records of twenty values a second
     * for one network, several times what the busiest proxies ask for and of no use to who wants to flood a victim.
     */
    public static HandleDoorSettings usual() {
        return new HandleDoorSettings(false, 1024, 4 << 20);
    }
}
