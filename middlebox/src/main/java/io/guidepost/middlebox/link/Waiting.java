package io.guidepost.middlebox.link;

import io.guidepost.packet.Burst;

/** Frames whose next hop is asked for, one for each next hop (RFC 1122 section 2.3.2.2). One thread's. */
final class Waiting {
    private final Burst frames;
    private final long[] high;
    private final long[] low;
    private final int[] vlan;
    private final long[] untilMillis;

    Waiting(Burst frames) {
        this.frames = frames;
        int rows = frames.capacity();
        this.high = new long[rows];
        this.low = new long[rows];
        this.vlan = new int[rows];
        this.untilMillis = new long[rows];
    }

    int count() {
        return frames.count();
    }

    Burst frames() {
        return frames;
    }

    long high(int index) {
        return high[index];
    }

    long low(int index) {
        return low[index];
    }

    int vlan(int index) {
        return vlan[index];
    }

    boolean isOver(int index, long nowMillis) {
        return nowMillis >= untilMillis[index];
    }

    boolean has(long hopHigh, long hopLow, int hopVlan) {
        for (int i = 0; i < frames.count(); i++) {
            if (low[i] == hopLow && high[i] == hopHigh && vlan[i] == hopVlan) {
                return true;
            }
        }
        return false;
    }

    /** Takes a frame; false if there is no place. */
    boolean take(Burst from, int index, long hopHigh, long hopLow, int hopVlan, long nowMillis) {
        if (!frames.take(from, index)) {
            return false;
        }
        int last = frames.count() - 1;
        high[last] = hopHigh;
        low[last] = hopLow;
        vlan[last] = hopVlan;
        untilMillis[last] = nowMillis + Limits.WAIT_MILLIS;
        return true;
    }

    /** Forgets one; those behind it move up. */
    void remove(int index) {
        frames.remove(index);
        int behind = frames.count() - index;
        System.arraycopy(high, index + 1, high, index, behind);
        System.arraycopy(low, index + 1, low, index, behind);
        System.arraycopy(vlan, index + 1, vlan, index, behind);
        System.arraycopy(untilMillis, index + 1, untilMillis, index, behind);
    }
}
