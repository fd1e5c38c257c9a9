package io.guidepost.handle.door;

import io.guidepost.handle.Handle;
import io.guidepost.handle.record.Homes;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.SortedSet;

/**
 * The prefixes of {@link Homes} as one worker looks for them: by bytes, allocating nothing; made anew when they have
 * changed. Open addressing with linear probing, at most half full. Not thread-safe.
 */
final class HomeTable {
    private static final byte[] NONE = {};
    private static final int PREFIX_BYTES = Handle.PREFIX_OF_PREFIXES.length() + 1;

    private final Homes homes;
    private SortedSet<String> made;
    private byte[][] slots;

    HomeTable(Homes homes) {
        this.homes = homes;
        this.made = homes.all();
        this.slots = slots(made);
    }

    private static byte[][] slots(SortedSet<String> prefixHandles) {
        byte[][] slots = new byte[Integer.highestOneBit(4 * prefixHandles.size() + 3)][];
        Arrays.fill(slots, NONE);
        for (String each : prefixHandles) {
            byte[] prefix = each.substring(PREFIX_BYTES).getBytes(StandardCharsets.UTF_8);
            int hash = 0;
            for (byte b : prefix) {
                hash = step(hash, b);
            }
            int slot = mix(hash) & slots.length - 1;
            while (slots[slot] != NONE) {
                slot = slot + 1 & slots.length - 1;
            }
            slots[slot] = prefix;
        }
        return slots;
    }

    private static int step(int hash, byte next) {
        return 31 * hash + next;
    }

    private static int mix(int hash) {
        return hash ^ hash >>> 15;
    }

    /** Looks whether the prefixes have changed; called once for each burst. */
    void refresh() {
        SortedSet<String> now = homes.all();
        if (now != made) {
            slots = slots(now);
            made = now;
        }
    }

    /** Whether a folded prefix is at home. */
    boolean has(MemorySegment segment, long offset, int length) {
        int hash = 0;
        for (int i = 0; i < length; i++) {
            hash = step(hash, segment.get(ValueLayout.JAVA_BYTE, offset + i));
        }
        int slot = mix(hash) & slots.length - 1;
        while (slots[slot] != NONE) {
            if (same(slots[slot], segment, offset, length)) {
                return true;
            }
            slot = slot + 1 & slots.length - 1;
        }
        return false;
    }

    private static boolean same(byte[] prefix, MemorySegment segment, long offset, int length) {
        if (prefix.length != length) {
            return false;
        }
        for (int i = 0; i < length; i++) {
            if (prefix[i] != segment.get(ValueLayout.JAVA_BYTE, offset + i)) {
                return false;
            }
        }
        return true;
    }
}
