package io.guidepost.store.index;

import io.guidepost.store.IndexMemory;
import io.guidepost.store.Memory;
import io.guidepost.store.RecordImage;
import io.guidepost.store.RecordReader;
import io.guidepost.store.StoreLimits;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/**
 * The records in memory outside of the heap, found in some 200 ns among ten million. One writer, the committer; any
 * number of readers, who take no lock and never wait.
 *
 * <p>Keys lead by a {@link ShardTable} to images in an {@link ImageArena}. An image never changes once it is shown; a
 * new version is appended and shown by one store. The writer copies what is left of chunks that are mostly garbage, and
 * when the bound on memory is reached forgets the records of the oldest chunk; a miss is then no longer certain. Chunks
 * and tables are reused when {@link EpochReclaimer} says that no reader can be looking.
 */
public final class ReadIndex {
    private final KeyHash keyHash;
    private final EpochReclaimer epochs = new EpochReclaimer();
    private final ChunkPool pool;
    private final ImageArena arena;
    private final ShardTable table;
    private final long scratch = Arena.global().allocate(StoreLimits.KEY_BYTES_MAX, 8).address();

    private volatile boolean complete;
    private final LongAdder records = new LongAdder();
    private final LongAdder evicted = new LongAdder();
    private volatile long chunksTaken;
    private long appendedBytes;

    private int victim;
    private int victimOffset;
    private boolean evicting;

    /**
     * An empty index, which does not yet say that a miss is certain.
     *
     * @param bytesMax bound on its memory, at least 16 MiB
     * @param random gives the secrets of its hash
     * @param memory gives its memory
     */
    public ReadIndex(long bytesMax, LongSupplier random, IndexMemory memory) {
        keyHash = new KeyHash(random);
        pool = new ChunkPool(bytesMax, memory);
        arena = new ImageArena(pool, epochs);
        table = new ShardTable(pool, epochs);
        chunksTaken = pool.taken();
    }

    /** A reader for one thread. */
    public RecordReader reader() {
        return new IndexReader(this, epochs);
    }

    // Read by any thread ---------------------------------------------------------------------------------------------

    long hash(byte namespace, MemorySegment segment, long offset, int length) {
        return keyHash.hash(namespace, segment, offset, length);
    }

    /** Address of the image of a key, or 0; for readers in a burst, and the writer. */
    long find(long hash, byte namespace, MemorySegment segment, long offset, int length) {
        return table.find(hash, namespace, segment, offset, length);
    }

    /** Where looking for a hash begins, for {@link #fetch}; by any thread in a burst. */
    public long shard(long hash) {
        return table.shard(hash);
    }

    /** Has the processor fetch what finding keys will read, see {@link ShardTable#fetch}; by any thread in a burst. */
    public long fetch(long[] hashes, long[] shards, long[] slots, long[] images, int count) {
        return table.fetch(hashes, shards, slots, images, count);
    }

    /**
     * Whether every record is here. A reader that missed must have asked this before it looked, and must ask it
     * again.
     */
    public boolean complete() {
        return complete;
    }

    public long records() {
        return records.sum();
    }

    public long evicted() {
        return evicted.sum();
    }

    public long bytes() {
        return chunksTaken * StoreLimits.CHUNK_BYTES;
    }

    public long bytesMax() {
        return (long) pool.chunksMax() * StoreLimits.CHUNK_BYTES;
    }

    // The writer -----------------------------------------------------------------------------------------------------

    /** Says that every record is here: the engine was read to its end. */
    public void completed() {
        complete = evicted.sum() == 0;
    }

    public long hash(byte[] key) {
        Memory.write(key, key.length, scratch);
        return keyHash.hash(key[0], Memory.ALL, scratch + 1, key.length - 1);
    }

    /** A copy of the image of a key, or null. */
    public byte @org.jspecify.annotations.Nullable [] get(byte[] key, long hash) {
        Memory.write(key, key.length, scratch);
        long address = table.find(hash, key[0], Memory.ALL, scratch + 1, key.length - 1);
        return address == 0 ? null : Memory.read(address, RecordImage.length(Memory.ALL, address));
    }

    public boolean contains(byte[] key, long hash) {
        Memory.write(key, key.length, scratch);
        return table.find(hash, key[0], Memory.ALL, scratch + 1, key.length - 1) != 0;
    }

    /** Shows an image to readers, in place of what its key had. */
    public void put(byte[] key, long hash, byte[] image) {
        long position = arena.append(image, StoreLimits.CHUNKS_RESERVED);
        if (position == 0) {
            epochs.reclaim();
            position = arena.append(image, StoreLimits.CHUNKS_RESERVED);
        }
        if (position == 0) {
            // No chunk is free before readers move on. The engine has the record; what stood here is no longer true.
            forget();
            remove(key, hash);
            evicted.increment();
            return;
        }
        appendedBytes += image.length;
        long old = table.link(hash, position);
        if (old > 0) {
            arena.discard(old);
        } else if (old == 0) {
            records.increment();
        } else {
            forget();
            arena.discard(position);
            remove(key, hash);
            evicted.increment();
        }
        chunksTaken = pool.taken();
    }

    /** Forgets the record of a key. */
    public void remove(byte[] key, long hash) {
        Memory.write(key, key.length, scratch);
        long position = table.findPosition(hash, key[0], Memory.ALL, scratch + 1, key.length - 1);
        if (position != 0) {
            table.unlink(table.slotOf(hash, position), hash);
            arena.discard(position);
            records.decrement();
        }
    }

    private void forget() {
        complete = false;
    }

    /** Whether the bound is so near that another record would push an old one out. */
    public boolean full() {
        return arena.available() <= 2 * StoreLimits.CHUNKS_RESERVED && arena.garbageBytes() < arena.filledBytes() / 4;
    }

    /**
     * Copies some of what is left of a chunk that is mostly garbage, or forgets some of the oldest chunk, in proportion
     * to what was written since; frees what readers have left. Called after each group, and when there is nothing to
     * do.
     *
     * @return bytes looked through; 0 if all is tidy
     */
    public int tidy() {
        epochs.reclaim();
        long budget = StoreLimits.TIDY_BYTES + 4 * appendedBytes;
        appendedBytes = 0;
        int done = 0;
        while (done < budget) {
            if (victim == 0 && !chooseVictim()) {
                break;
            }
            int size = tidyOne();
            if (size == 0) {
                break;
            }
            done += size;
            if (victimOffset == arena.filled(victim)) {
                arena.retire(victim);
                victim = 0;
            }
        }
        return done;
    }

    private boolean chooseVictim() {
        boolean scarce = arena.available() <= 2 * StoreLimits.CHUNKS_RESERVED;
        boolean dirty = arena.garbageBytes() > arena.filledBytes() / 3
                && arena.garbageBytes() > (long) StoreLimits.CHUNKS_RESERVED * StoreLimits.CHUNK_BYTES;
        if (!scarce && !dirty) {
            return false;
        }
        victim = arena.dirtiest();
        victimOffset = 0;
        evicting = scarce && arena.garbage(victim) < StoreLimits.CHUNK_BYTES / 4;
        if (evicting) {
            victim = arena.oldest();
            forget();
        }
        return victim != 0;
    }

    /** Moves or forgets one image of the victim; returns its size, 0 if there is no room to move it. */
    private int tidyOne() {
        long position = ChunkPool.position(victim, victimOffset);
        long address = pool.address(position);
        int length = RecordImage.length(Memory.ALL, address);
        long hash = keyHash.hashOfImage(address);
        long slot = table.slotOf(hash, position);
        if (slot != 0 && evicting) {
            table.unlink(slot, hash);
            arena.discard(position);
            records.decrement();
            evicted.increment();
        } else if (slot != 0) {
            long to = arena.append(address, length);
            if (to == 0) {
                return 0;
            }
            table.move(slot, hash, to);
            arena.discard(position);
        }
        victimOffset += ImageArena.size(length);
        return ImageArena.size(length);
    }

    /**
     * Looks through one chunk in which something has ended.
     *
     * @param expired told the keys of records of which something has ended
     * @param max how many it takes at most
     * @return whether there was such a chunk
     */
    public boolean sweep(long nowMillis, int max, Consumer<byte[]> expired) {
        int chunk = arena.chunkEndedBy(nowMillis);
        if (chunk == 0) {
            return false;
        }
        int told = 0;
        long earliest = RecordImage.NEVER;
        for (int offset = 0; offset < arena.filled(chunk) && told < max; ) {
            long position = ChunkPool.position(chunk, offset);
            long address = pool.address(position);
            long ends = RecordImage.nextExpiry(Memory.ALL, address);
            if (ends > nowMillis) {
                earliest = Math.min(earliest, ends);
            } else if (table.slotOf(keyHash.hashOfImage(address), position) != 0) {
                expired.accept(Memory.read(address + RecordImage.HEADER_BYTES, RecordImage.keyLength(Memory.ALL, address)));
                told++;
                // Looked at again in a second, in case the disk refuses to remove it now.
                earliest = Math.min(earliest, nowMillis + 1000);
            }
            offset += ImageArena.size(RecordImage.length(Memory.ALL, address));
        }
        arena.earliest(chunk, told == max ? nowMillis : earliest);
        return true;
    }
}
