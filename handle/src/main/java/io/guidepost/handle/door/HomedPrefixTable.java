package io.guidepost.handle.door;

import io.guidepost.handle.Handle;
import io.guidepost.handle.record.HomedPrefixes;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.util.SortedSet;

/**
 * One worker's hash table of the prefixes in {@link HomedPrefixes}: looked up by bytes, without allocation; rebuilt when they
 * have changed. Open addressing with linear probing, at most half full. Not thread-safe.
 */
final class HomedPrefixTable {
    private static final int PREFIX_BYTES = Handle.PREFIX_OF_PREFIXES.length() + 1;

    private final HomedPrefixes homes;
    private SortedSet<String> made;
    private byte[][] slots = {};
    private boolean[] taken = {};

    HomedPrefixTable(HomedPrefixes homes) {
        this.homes = homes;
        this.made = homes.all();
        fill(made);
    }

    private void fill(SortedSet<String> prefixHandles) {
        int size = Integer.highestOneBit(4 * prefixHandles.size() + 3);
        slots = new byte[size][];
        taken = new boolean[size];
        for (String each : prefixHandles) {
            byte[] prefix = each.substring(PREFIX_BYTES).getBytes(StandardCharsets.UTF_8);
            int hash = 0;
            for (byte b : prefix) {
                hash = step(hash, b);
            }
            int slot = mix(hash) & size - 1;
            while (taken[slot]) {
                slot = slot + 1 & size - 1;
            }
            slots[slot] = prefix;
            taken[slot] = true;
        }
    }

    private static int step(int hash, byte next) {
        return 31 * hash + next;
    }

    private static int mix(int hash) {
        return hash ^ hash >>> 15;
    }

    /** Rebuilds the table if the prefixes have changed; called once for each burst. */
    @SuppressWarnings("ReferenceEquality") // A changed set is another object.
    void refresh() {
        SortedSet<String> now = homes.all();
        if (now != made) {
            fill(now);
            made = now;
        }
    }

    /** Returns whether the prefixes are known. */
    boolean isRead() {
        return homes.isRead();
    }

    /** Returns whether the server is responsible for a folded prefix. */
    boolean has(MemorySegment segment, long offset, int length) {
        int hash = 0;
        for (int i = 0; i < length; i++) {
            hash = step(hash, segment.get(ValueLayout.JAVA_BYTE, offset + i));
        }
        int slot = mix(hash) & slots.length - 1;
        while (taken[slot]) {
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
