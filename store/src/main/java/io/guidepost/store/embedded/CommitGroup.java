package io.guidepost.store.embedded;

import io.guidepost.store.RecordStore;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The changes that share one sync, in order, and what each key has come to so far: a later change of a key sees what an
 * earlier one made, which no reader sees yet. Used again for each group; for one thread.
 */
final class CommitGroup {
    private @Nullable Slot[] slots = new Slot[0];
    private final int[] heads;
    private int size;

    /** One change of the group; the object is used again by later groups. */
    static final class Slot {
        byte[] key = RecordStore.Change.KEEP;
        long hash;
        /** The slot before in the list of this hash, -1 = none. */
        int before;

        RecordStore.@Nullable Completion completion;
        RecordStore.Outcome outcome = RecordStore.Outcome.FAILED;
        long version;
        /** Whether this change wrote, and none after it in the group wrote the same key. */
        boolean last;
        /** Whether no change before it in the group wrote the same key. */
        boolean first;
        /** What the key had before this change. */
        byte @Nullable [] old;
        /** What this change made; null = removed. */
        byte @Nullable [] image;
    }

    CommitGroup(int max) {
        heads = new int[Integer.highestOneBit(Math.max(max, 8)) * 4];
        Arrays.fill(heads, -1);
    }

    int size() {
        return size;
    }

    /** Forgets everything, so that no image or completion is kept alive. */
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

    /** Adds a change of a key that has not been applied yet. */
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

    /** The last write of a key in this group, or null. */
    @Nullable Slot find(byte[] key, long hash) {
        for (int i = heads[head(hash)]; i >= 0; i = get(i).before) {
            Slot slot = get(i);
            if (slot.last && slot.hash == hash && Arrays.equals(slot.key, key)) {
                return slot;
            }
        }
        return null;
    }

    /** Notes that the slot added last wrote; {@code earlier} is what {@link #find} gave for its key. */
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
