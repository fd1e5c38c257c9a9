package io.guidepost.proximity.bgp;

/**
 * Who we are to a peer, and who it must be.
 *
 * @param as our number, 1 to 4294967295
 * @param identifier our identifier, not 0
 * @param holdSeconds the silence that we propose as too long; 0 or at least 3
 * @param peerAs the number that the peer must have; 0 = any
 * @param loopsMax how often our number may stand in a path; with more the path has been here before, and is not taken
 */
public record BgpSessionSettings(long as, int identifier, int holdSeconds, long peerAs, int loopsMax) {
    /** Takes no path with our number in it. */
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
