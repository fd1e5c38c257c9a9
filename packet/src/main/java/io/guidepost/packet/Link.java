package io.guidepost.packet;

/**
 * State of a port's link.
 *
 * @param up whether packets can pass
 * @param megabitsPerSecond its speed, 0 if the device does not say
 * @param fullDuplex whether both sides can send at once
 */
public record Link(boolean up, long megabitsPerSecond, boolean fullDuplex) {
    /** What has no cable that could be pulled. */
    public static final Link ALWAYS = new Link(true, 0, true);

    /** No packets pass. */
    public static final Link DOWN = new Link(false, 0, false);
}
