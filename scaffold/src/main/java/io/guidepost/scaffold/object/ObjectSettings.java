package io.guidepost.scaffold.object;

/**
 * The bounds of an object router.
 *
 * @param hostsMax hosts that have joined
 * @param objectsMax objects that are served
 * @param leaseMillisMax the longest that a join or a registration holds without another
 * @param hellosPerSecond greetings that one door answers in a second
 */
public record ObjectSettings(int hostsMax, int objectsMax, int leaseMillisMax, int hellosPerSecond) {
    /** For a domain of a hundred thousand hosts. */
    public static final ObjectSettings DEFAULT = new ObjectSettings(100_000, 100_000, 30_000, 500);

    /** Checks ranges. */
    public ObjectSettings {
        if (hostsMax < 1 || objectsMax < 1 || leaseMillisMax < 1 || hellosPerSecond < 1) {
            throw new IllegalArgumentException("each bound of an object router is 1 or more");
        }
    }
}
