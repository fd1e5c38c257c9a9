package io.guidepost.gnrs.peer;

import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * A hash table by GUID whose entries are the values themselves, so that a look-up allocates nothing. Its hash is keyed
 * with a secret, so an attacker cannot choose GUIDs that collide. One thread.
 *
 * @param <E> the entries
 */
public final class GuidHashTable<E extends GuidHashTable.Entry> {
    private static final int SLOTS_MIN = 64;

    private final long secret;
    private @Nullable Entry[] slots = new Entry[SLOTS_MIN];
    private int size;

    /** Creates an empty table. */
    public GuidHashTable(long secret) {
        this.secret = secret;
    }

    /** An entry under a GUID. */
    public abstract static class Entry {
        private final long high;
        private final long middle;
        private final int low;
        private @Nullable Entry behind;

        public Entry(MemorySegment segment, long guid) {
            high = segment.get(PeerWire.LONG, guid);
            middle = segment.get(PeerWire.LONG, guid + 8);
            low = segment.get(PeerWire.INT, guid + 16);
        }

        /** Writes its GUID. */
        public final void guid(MemorySegment out, long at) {
            out.set(PeerWire.LONG, at, high);
            out.set(PeerWire.LONG, at + 8, middle);
            out.set(PeerWire.INT, at + 16, low);
        }
    }

    /** Returns the keyed hash of a GUID; without the secret it is unpredictable. */
    public static long hash(long secret, MemorySegment segment, long guid) {
        return hash(
                secret,
                segment.get(PeerWire.LONG, guid),
                segment.get(PeerWire.LONG, guid + 8),
                segment.get(PeerWire.INT, guid + 16));
    }

    private static long hash(long secret, long high, long middle, int low) {
        return fold(fold(fold(secret ^ high, secret) ^ middle, secret) ^ low, secret);
    }

    /** Returns the keyed hash of a word; without the secret it is unpredictable. */
    public static long fold(long word, long secret) {
        long odd = Long.rotateLeft(secret, 32) ^ 0x9e3779b97f4a7c15L | 1;
        return Math.unsignedMultiplyHigh(word, odd) ^ word * odd;
    }

    public int size() {
        return size;
    }

    private int slot(Entry entry) {
        return slot(hash(secret, entry.high, entry.middle, entry.low));
    }

    private int slot(long hash) {
        return (int) (hash >>> 32) & slots.length - 1;
    }

    /** Returns the entry under a GUID, or null. */
    @SuppressWarnings("unchecked") // Only put() fills slots.
    public @Nullable E get(MemorySegment segment, long guid) {
        long high = segment.get(PeerWire.LONG, guid);
        long middle = segment.get(PeerWire.LONG, guid + 8);
        int low = segment.get(PeerWire.INT, guid + 16);
        Entry entry = slots[slot(hash(secret, high, middle, low))];
        while (entry != null && (entry.high != high || entry.middle != middle || entry.low != low)) {
            entry = entry.behind;
        }
        return (E) entry;
    }

    /** Adds an entry under a GUID that has none. */
    public void put(E entry) {
        if (size++ == slots.length) {
            grow();
        }
        link(entry);
    }

    private void link(Entry entry) {
        int slot = slot(entry);
        entry.behind = slots[slot];
        slots[slot] = entry;
    }

    private void grow() {
        @Nullable Entry[] before = slots;
        slots = new Entry[2 * before.length];
        for (Entry each : before) {
            Entry entry = each;
            while (entry != null) {
                Entry behind = entry.behind;
                link(entry);
                entry = behind;
            }
        }
    }

    /** Removes an entry, if it is there. */
    @SuppressWarnings("ReferenceEquality") // Entries are compared by identity.
    public void remove(E gone) {
        int slot = slot(gone);
        Entry before = null;
        for (Entry entry = slots[slot]; entry != null; before = entry, entry = entry.behind) {
            if (entry == gone) {
                if (before == null) {
                    slots[slot] = entry.behind;
                } else {
                    before.behind = entry.behind;
                }
                entry.behind = null;
                size--;
                return;
            }
        }
    }
}
