package io.guidepost.proximity.bgp;

/**
 * Settings of both sides of a session.
 *
 * @param as own AS number, 1 to 4294967295
 * @param identifier own BGP identifier, not 0
 * @param holdSeconds proposed hold time; 0 or at least 3
 * @param peerAs required AS number of the peer; 0 = any
 * @param loopsMax how often the own AS number may occur in a path (allowas-in); with more the path is a loop, and is
 *     not taken
 */
public record BgpSessionSettings(long as, int identifier, int holdSeconds, long peerAs, int loopsMax) {
    /** Creates settings that accept no path with the own AS number. */
    public BgpSessionSettings(long as, int identifier, int holdSeconds, long peerAs) {
        this(as, identifier, holdSeconds, peerAs, 0);
    }

    /** Checks the ranges. */
    public BgpSessionSettings {
        if (as < 1 || as > 0xffffffffL || identifier == 0 || holdSeconds < 0 || holdSeconds == 1 || holdSeconds == 2
                || holdSeconds > 65_535 || peerAs < 0 || peerAs > 0xffffffffL) {
            throw new IllegalArgumentException("an AS number has 32 bits, an identifier is not 0, and a hold time is 0 or 3 to "
                    + "65535 seconds: " + as + " " + identifier + " " + holdSeconds + " " + peerAs);
        }
    }
}
