package io.guidepost.store.index;

import io.guidepost.base.Memory;
import io.guidepost.store.RecordReader;
import java.lang.foreign.MemorySegment;

/**
 * One thread's reader of the {@link ReadIndex}.
 *
 * <p>It remembers the likely slot of each key that was prefetched by {@link #prefetch} until the burst ends. The result
 * may be as old as the first prefetch of the burst, which is no older than any request in it.
 */
final class IndexReader implements RecordReader {
    /** Keys that one burst may prefetch; later ones are only looked up. */
    private static final int AHEAD_MAX = 256;

    private final ReadIndex index;
    private final EpochReclaimer epochs;
    private final long[] cell;
    private long address;

    private final long[] offsets = new long[AHEAD_MAX];
    private final long[] hashes = new long[AHEAD_MAX];
    private final long[] shards = new long[AHEAD_MAX];
    private final long[] slots = new long[AHEAD_MAX];
    private final long[] images = new long[AHEAD_MAX];
    private int named;
    private int fetched;
    private int next;

    @SuppressWarnings("unused") // Keeps the compiler from removing the prefetching reads.
    private long read;

    IndexReader(ReadIndex index, EpochReclaimer epochs) {
        this.index = index;
        this.epochs = epochs;
        this.cell = epochs.register();
    }

    @Override
    public void enter() {
        epochs.enter(cell);
    }

    @Override
    public void exit() {
        named = 0;
        fetched = 0;
        next = 0;
        epochs.exit(cell);
    }

    @Override
    public void prefetch(byte namespace, MemorySegment segment, long offset, int length) {
        int at = named;
        if (at < AHEAD_MAX) {
            offsets[at] = offset;
            long hash = index.hash(namespace, segment, offset, length);
            hashes[at] = hash;
            shards[at] = index.shard(hash);
            named = at + 1;
        }
    }

    @Override
    public Found find(byte namespace, MemorySegment segment, long offset, int length) {
        if (next < named) {
            address = expected(namespace, segment, offset, length);
            if (address != 0) {
                return Found.YES;
            }
        }
        // Checked before the lookup, as warming may end meanwhile, and after it, as eviction may begin meanwhile.
        boolean complete = index.complete();
        address = index.find(index.hash(namespace, segment, offset, length), namespace, segment, offset, length);
        if (address != 0) {
            return Found.YES;
        }
        return complete && index.complete() && ReadIndex.holds(namespace) ? Found.NO : Found.UNKNOWN;
    }

    /** Returns the address of the image of a prefetched key if its slot still shows it; else 0. */
    private long expected(byte namespace, MemorySegment segment, long offset, int length) {
        if (fetched < named) {
            read = index.fetch(hashes, shards, slots, images, named);
            fetched = named;
        }
        for (int i = next; i < named; i++) {
            if (offsets[i] == offset) {
                next = i + 1;
                return ShardTable.isImage(slots[i], images[i], namespace, segment, offset, length) ? images[i] : 0;
            }
        }
        return 0;
    }

    @Override
    public MemorySegment segment() {
        return Memory.ALL;
    }

    @Override
    public long offset() {
        return address & Memory.MASK;
    }
}
