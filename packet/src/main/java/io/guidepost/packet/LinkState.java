package io.guidepost.packet;

/**
 * State of a port's link.
 *
 * @param up whether packets can pass
 * @param megabitsPerSecond its speed, 0 if unknown, -1 if there is no device any more, -2 if no process has its other end
 */
public record LinkState(boolean up, long megabitsPerSecond) {
    /** The link of a port without a cable. */
    public static final LinkState ALWAYS = new LinkState(true, 0);

    /** A link that is down. */
    public static final LinkState DOWN = new LinkState(false, 0);

    /** The link of a device that was removed. */
    public static final LinkState GONE = new LinkState(false, -1);

    /** The link of memory shared with another process, while there is none. */
    public static final LinkState NO_PEER = new LinkState(false, -2);

    /** Returns whether the device was removed; one of its name that comes later is another. */
    public boolean isGone() {
        return megabitsPerSecond == GONE.megabitsPerSecond;
    }

    /** Returns whether the other end is missing; it may come, and the device stays. */
    public boolean isWithoutPeer() {
        return megabitsPerSecond == NO_PEER.megabitsPerSecond;
    }

    /** Returns the state for people: {@code up}, {@code up 10000 Mbit/s}, {@code down}, {@code down, no peer}, {@code gone}. */
    public String text() {
        String speed = megabitsPerSecond > 0 ? " " + megabitsPerSecond + " Mbit/s" : "";
        return up ? "up" + speed : isGone() ? "gone" : isWithoutPeer() ? "down, no peer" : "down";
    }
}
