package io.guidepost.middlebox.nat;

import io.guidepost.base.Memory;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * Later fragments that came before their first (RFC 4787 REQ-14), copied, in arrival order, for a bounded time. One thread's: the
 * first may come to another, which enters it into the shared table.
 */
final class HeldFragments {
    /** Sends a held packet on. */
    @FunctionalInterface
    interface Sender {
        /**
         * Sends it, if its first fragment has come, and the neighbour is known.
         *
         * @param packet address of its IPv4 header
         * @return false if it must wait
         */
        boolean send(long packet, int bytes, int vlan);
    }

    private final MemorySegment memory = Arena.ofAuto().allocate((long) NatLimits.HELD_FRAGMENTS * NatLimits.HELD_BYTES, 64);
    private final int[] bytes = new int[NatLimits.HELD_FRAGMENTS];
    private final int[] vlans = new int[NatLimits.HELD_FRAGMENTS];
    private final long[] untilMillis = new long[NatLimits.HELD_FRAGMENTS];
    private int count;

    boolean isEmpty() {
        return count == 0;
    }

    /** Holds a copy of a packet; returns whether there was room. */
    boolean hold(long packet, int length, int vlan, long nowMillis) {
        if (count == NatLimits.HELD_FRAGMENTS || length > NatLimits.HELD_BYTES) {
            return false;
        }
        Memory.copy(packet, at(count), length);
        bytes[count] = length;
        vlans[count] = vlan;
        untilMillis[count++] = nowMillis + NatLimits.HELD_MILLIS;
        return true;
    }

    private long at(int index) {
        return memory.address() + (long) index * NatLimits.HELD_BYTES;
    }

    /** Sends those whose first has come, and gives up those that have waited too long; returns how many are given up. */
    int release(Sender sender, long nowMillis) {
        int kept = 0;
        int over = 0;
        for (int i = 0; i < count; i++) {
            if (sender.send(at(i), bytes[i], vlans[i])) {
                continue;
            }
            if (nowMillis >= untilMillis[i]) {
                over++;
                continue;
            }
            if (kept != i) {
                Memory.copy(at(i), at(kept), bytes[i]);
                bytes[kept] = bytes[i];
                vlans[kept] = vlans[i];
                untilMillis[kept] = untilMillis[i];
            }
            kept++;
        }
        count = kept;
        return over;
    }
}
