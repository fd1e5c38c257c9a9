package io.guidepost.packet;

/**
 * State of a port's link.
 *
 * @param up whether packets can pass
 * @param megabitsPerSecond its speed, 0 if unknown
 */
public record LinkState(boolean up, long megabitsPerSecond) {
    /** The link of a port without a cable. */
    public static final LinkState ALWAYS = new LinkState(true, 0);

    /** A link that is down. */
    public static final LinkState DOWN = new LinkState(false, 0);
}
