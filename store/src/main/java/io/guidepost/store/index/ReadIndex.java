package io.guidepost.store.index;

import io.guidepost.base.Memory;
import io.guidepost.names.Name;
import io.guidepost.names.Record;
import io.guidepost.store.IndexMemory;
import io.guidepost.store.RecordImage;
import io.guidepost.store.RecordReader;
import io.guidepost.store.StoreLimits;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/**
 * The off-heap read index: a lookup among ten million records takes some 200 ns. One writer, the committer; readers are
 * wait-free.
 *
 * <p>A {@link ShardTable} maps keys to images in an {@link ImageArena}. A published image never changes; a new version
 * is appended and published by one store. The writer compacts chunks that are mostly garbage. At the memory bound it
 * evicts the records of the oldest chunk (FIFO), and a miss is then no longer definitive. {@link EpochReclaimer} delays the
 * reuse of chunks and tables.
 */
public final class ReadIndex {
    private static final int NOTE_BYTES = Long.BYTES;

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
     * Creates an empty index, in which a miss is not yet definitive.
     *
     * @param bytesMax bound on its memory, at least 16 MiB
     * @param random returns the secrets of its hash
     * @param memory the source of its memory
     */
    public ReadIndex(long bytesMax, LongSupplier random, IndexMemory memory) {
        this(bytesMax, random, memory, 0);
    }

    private ReadIndex(long bytesMax, LongSupplier random, IndexMemory memory, int noteBytes) {
        keyHash = new KeyHash(random);
        pool = new ChunkPool(bytesMax, memory);
        arena = new ImageArena(pool, epochs, noteBytes);
        table = new ShardTable(pool, epochs);
        chunksTaken = pool.taken();
    }

    /** Returns an index with a word of its writer's for each image, see {@link #note}; the parameters are those of the constructor. */
    public static ReadIndex withNotes(long bytesMax, LongSupplier random, IndexMemory memory) {
        return new ReadIndex(bytesMax, random, memory, NOTE_BYTES);
    }

    /** Returns a reader for one thread. */
    public RecordReader reader() {
        return new IndexReader(this, epochs);
    }

    /** Returns whether its writer gives it the records of a namespace; of others a reader never says that there is none. */
    public static boolean holds(byte namespace) {
        return !Name.Namespace.isScanned(namespace);
    }

    // Read by any thread ---------------------------------------------------------------------------------------------

    public long hash(byte namespace, MemorySegment segment, long offset, int length) {
        return keyHash.hash(namespace, segment, offset, length);
    }

    /** Returns the address of the image of a key, or 0; for readers in a burst, and the writer. */
    long find(long hash, byte namespace, MemorySegment segment, long offset, int length) {
        return table.find(hash, namespace, segment, offset, length);
    }

    /**
     * Returns the word beside the image that a reader found in this burst, or that the writer asked for, of an index with notes. It
     * changes while the image does not.
     */
    public static long note(long image) {
        return Memory.slot((image & Memory.MASK) - NOTE_BYTES);
    }

    /** Changes the word beside an image that was found in this burst; returns false, and changes nothing, if it is not as expected. */
    public static boolean replaceNote(long image, long expected, long word) {
        return Memory.replaceSlot((image & Memory.MASK) - NOTE_BYTES, expected, word);
    }

    /** Returns the shard word of a hash, for {@link #fetch}; by any thread in a burst. */
    public long shard(long hash) {
        return table.shard(hash);
    }

    /** Prefetches what finding keys will read, see {@link ShardTable#fetch}; by any thread in a burst. */
    public long fetch(long[] hashes, long[] shards, long[] slots, long[] images, int count) {
        return table.fetch(hashes, shards, slots, images, count);
    }

    /** Returns whether the index holds every record. A reader must check this before a lookup and after a miss. */
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

    /** Marks the index as complete: the engine was read to its end. */
    public void completed() {
        complete = evicted.sum() == 0;
    }

    public long hash(byte[] key) {
        Memory.copy(key, 0, scratch, key.length);
        return keyHash.hash(key[0], Memory.ALL, scratch + 1, key.length - 1);
    }

    /** Returns a copy of the image of a key, or null. */
    public byte @org.jspecify.annotations.Nullable [] get(byte[] key, long hash) {
        long address = address(key, hash);
        return address == 0 ? null : Memory.read(address, RecordImage.length(Memory.ALL, address));
    }

    public boolean contains(byte[] key, long hash) {
        return address(key, hash) != 0;
    }

    /** Returns the version of the record of a key, {@link Record#ABSENT} if there is none. */
    public long version(byte[] key, long hash) {
        long address = address(key, hash);
        return address == 0 ? Record.ABSENT : RecordImage.version(Memory.ALL, address);
    }

    /** Returns the address of the image of a key until the next change; 0 if there is none. */
    public long address(byte[] key, long hash) {
        Memory.copy(key, 0, scratch, key.length);
        return table.find(hash, key[0], Memory.ALL, scratch + 1, key.length - 1);
    }

    /** Changes the word beside the image at an address, see {@link #address}. */
    public static void note(long image, long word) {
        Memory.slot((image & Memory.MASK) - NOTE_BYTES, word);
    }

    /** Publishes an image to readers in place of its key's old one, in an index without notes. */
    public void put(byte[] key, long hash, byte[] image) {
        link(key, hash, image, append(image));
    }

    /** Publishes an image with its word to readers, in place of its key's old one, in an index with notes. */
    public void put(byte[] key, long hash, byte[] image, long note) {
        long position = append(image);
        if (position != 0) {
            note(pool.address(position), note);
        }
        link(key, hash, image, position);
    }

    private long append(byte[] image) {
        long position = arena.append(image, StoreLimits.CHUNKS_RESERVED);
        if (position == 0) {
            epochs.reclaim();
            position = arena.append(image, StoreLimits.CHUNKS_RESERVED);
        }
        return position;
    }

    private void link(byte[] key, long hash, byte[] image, long position) {
        if (position == 0) {
            // No chunk is free before readers advance. The engine has the record; the old image is stale, so the key is
            // unlinked.
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

    /** Unlinks the record of a key. */
    public void remove(byte[] key, long hash) {
        Memory.copy(key, 0, scratch, key.length);
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

    /** Returns whether the bound is so near that another record would evict an old one. */
    public boolean full() {
        return arena.available() <= 2 * StoreLimits.CHUNKS_RESERVED && arena.garbageBytes() < arena.filledBytes() / 4;
    }

    /**
     * Compacts a part of a chunk that is mostly garbage, or evicts a part of the oldest chunk, in proportion to recent
     * writes; reclaims what readers have left. Called after each group and when idle.
     *
     * @return bytes scanned; 0 if there is nothing to do
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

    /** Moves or evicts one image of the victim chunk; returns its size, 0 if there is no room to move it. */
    private int tidyOne() {
        long position = arena.position(victim, victimOffset);
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
        victimOffset += arena.size(length);
        return arena.size(length);
    }

    /**
     * Scans one chunk with expired images.
     *
     * @param expired receives the keys of records with expired parts
     * @param max keys that it takes at most
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
            long position = arena.position(chunk, offset);
            long address = pool.address(position);
            long ends = RecordImage.nextExpiry(Memory.ALL, address);
            if (ends > nowMillis) {
                earliest = Math.min(earliest, ends);
            } else if (table.slotOf(keyHash.hashOfImage(address), position) != 0) {
                expired.accept(Memory.read(address + RecordImage.HEADER_BYTES, RecordImage.keyLength(Memory.ALL, address)));
                told++;
                // Scanned again in a second, in case the disk refuses the removal now.
                earliest = Math.min(earliest, nowMillis + 1000);
            }
            offset += arena.size(RecordImage.length(Memory.ALL, address));
        }
        arena.earliest(chunk, told == max ? nowMillis : earliest);
        return true;
    }
}
