package io.guidepost.packet.ip;

import io.guidepost.packet.Burst;
import io.guidepost.packet.Drop;
import io.guidepost.packet.PacketMemory;

/**
 * Frames that wait for the Ethernet address of their next hop (RFC 4861 section 7.2.2), in the order in which they came. It
 * is bounded, for each next hop and in all; where it is full, the oldest frame makes room for the new one. One thread's.
 */
final class PendingNeighbourQueue {
    /** Frames for one next hop: a datagram of 16 KiB comes in twelve fragments. */
    static final int PER_HOP_MAX = 16;

    /** Frames in all; a port has a thousand or more. */
    static final int FRAMES_MAX = 128;

    /** Sent a frame that waits, and counts what becomes of it. */
    interface Sender {
        /** The frame leaves; with the mark that it has. */
        void left(long mark);

        /** The frame is given up. */
        void dropped(Drop reason);
    }

    final Burst frames;
    private final long[] high = new long[FRAMES_MAX];
    private final long[] low = new long[FRAMES_MAX];
    private final int[] vlan = new int[FRAMES_MAX];
    private final long[] untilMillis = new long[FRAMES_MAX];
    private final Sender[] senders = new Sender[FRAMES_MAX];

    PendingNeighbourQueue(PacketMemory memory) {
        frames = Burst.ofFrames(memory, FRAMES_MAX, 0);
    }

    int count() {
        return frames.count();
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

    Sender sender(int index) {
        return senders[index];
    }

    boolean isOver(int index, long nowMillis) {
        return nowMillis >= untilMillis[index];
    }

    /** Finds the frame that must make room before another can wait for a next hop; -1 if there is room. */
    int surplus(long hopHigh, long hopLow, int hopVlan) {
        int oldest = -1;
        int number = 0;
        for (int i = frames.count() - 1; i >= 0; i--) {
            if (low[i] == hopLow && high[i] == hopHigh && vlan[i] == hopVlan) {
                oldest = i;
                number++;
            }
        }
        return number >= PER_HOP_MAX ? oldest : frames.isFull() ? 0 : -1;
    }

    /** Takes a frame; false if there is no memory for it. */
    boolean add(Burst from, int index, long hopHigh, long hopLow, int hopVlan, long nowMillis, Sender sender) {
        if (!frames.take(from, index)) {
            return false;
        }
        int last = frames.count() - 1;
        high[last] = hopHigh;
        low[last] = hopLow;
        vlan[last] = hopVlan;
        untilMillis[last] = nowMillis + NeighbourCache.OPEN_MILLIS;
        senders[last] = sender;
        return true;
    }

    /** Forgets a frame; those behind it move up. */
    void remove(int index) {
        frames.remove(index);
        int behind = frames.count() - index;
        System.arraycopy(high, index + 1, high, index, behind);
        System.arraycopy(low, index + 1, low, index, behind);
        System.arraycopy(vlan, index + 1, vlan, index, behind);
        System.arraycopy(untilMillis, index + 1, untilMillis, index, behind);
        System.arraycopy(senders, index + 1, senders, index, behind);
    }
}
