package io.guidepost.packet;

/**
 * State of a port's link.
 *
 * @param up whether packets can pass
 * @param megabitsPerSecond its speed, 0 if the device does not say
 * @param fullDuplex whether both sides can send at once
 */
public record LinkState(boolean up, long megabitsPerSecond, boolean fullDuplex) {
    /** What has no cable that could be pulled. */
    public static final LinkState ALWAYS = new LinkState(true, 0, true);

    /** No packets pass. */
    public static final LinkState DOWN = new LinkState(false, 0, false);
}
