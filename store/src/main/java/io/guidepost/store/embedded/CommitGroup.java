package io.guidepost.store.embedded;

import io.guidepost.store.RecordStore;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The changes of one commit group in order, with the pending image of each key: a later change of a key sees the result
 * of an earlier one, which is not yet visible to readers. Single-threaded; reused for each group.
 */
final class CommitGroup {
    private @Nullable Slot[] slots = new Slot[0];
    private final int[] heads;
    private int size;

    /** One change of the group; the object is reused by later groups. */
    static final class Slot {
        byte[] key = RecordStore.Change.KEEP;
        long hash;
        /** The slot before in the list of this hash, -1 = none. */
        int before;

        RecordStore.@Nullable Completion completion;
        RecordStore.Outcome outcome = RecordStore.Outcome.FAILED;
        long version;
        /** How many writes of the batch come before its own. */
        int position;
        /** Whether this is the last write of its key in the group. */
        boolean last;
        /** Whether this is the first change of its key in the group. */
        boolean first;
        /** The key's image before this change. */
        byte @Nullable [] old;
        /** The image that this change made; null = removed. */
        byte @Nullable [] image;
    }

    CommitGroup(int max) {
        heads = new int[Integer.highestOneBit(Math.max(max, 8)) * 4];
        Arrays.fill(heads, -1);
    }

    int size() {
        return size;
    }

    /** Clears all slots, so that no image or completion stays reachable. */
    void clear() {
        for (int i = 0; i < size; i++) {
            Slot slot = get(i);
            heads[head(slot.hash)] = -1;
            slot.key = RecordStore.Change.KEEP;
            slot.completion = null;
            slot.old = null;
            slot.image = null;
        }
        size = 0;
    }

    /** Adds a change of a key, not yet applied. */
    Slot add(byte[] key, long hash, RecordStore.Completion completion) {
        if (size == slots.length) {
            slots = Arrays.copyOf(slots, Math.max(64, 2 * size));
        }
        Slot slot = slots[size];
        if (slot == null) {
            slot = new Slot();
            slots[size] = slot;
        }
        size++;
        slot.key = key;
        slot.hash = hash;
        slot.completion = completion;
        slot.outcome = RecordStore.Outcome.FAILED;
        slot.version = 0;
        slot.last = false;
        slot.first = false;
        slot.before = -1;
        return slot;
    }

    Slot get(int i) {
        Slot slot = slots[i];
        if (slot == null) {
            throw new IndexOutOfBoundsException(i);
        }
        return slot;
    }

    /** Returns the last write of a key in this group, or null. */
    @Nullable Slot find(byte[] key, long hash) {
        for (int i = heads[head(hash)]; i >= 0; i = get(i).before) {
            Slot slot = get(i);
            if (slot.last && slot.hash == hash && Arrays.equals(slot.key, key)) {
                return slot;
            }
        }
        return null;
    }

    /** Marks the last added slot as a write; {@code earlier} is what {@link #find} returned for its key. */
    void wrote(Slot slot, @Nullable Slot earlier) {
        slot.last = true;
        slot.first = earlier == null;
        if (earlier != null) {
            earlier.last = false;
        }
        int head = head(slot.hash);
        slot.before = heads[head];
        heads[head] = size - 1;
    }

    private int head(long hash) {
        return (int) hash & heads.length - 1;
    }
}
