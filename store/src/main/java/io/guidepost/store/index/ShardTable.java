package io.guidepost.store.index;

import io.guidepost.base.Memory;
import io.guidepost.store.RecordImage;
import io.guidepost.store.StoreLimits;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * The hash table from key hashes to positions of images: open addressing with linear probing, in shards that grow one
 * by one. One writer, lock-free readers.
 *
 * <pre>
 *  hash   63 ..                     .. 23 .. 0
 *         shard (6 to 16 bits)            tag      never 0
 *  slot   63 .. 40 tag   39 .. 0 position          0 = empty, 1 = tombstone
 *  shard  63 .. 56 log2 of its slots   55 .. 0 address of its slots
 * </pre>
 *
 * The home slot of a key is the low end of its tag, so a shard grows from its slots alone, without reading keys: some 2
 * ns a record. A slot changes by one release store; a new table is published by one release store of the shard's word,
 * and the old one stays unchanged until no reader can be in it.
 */
final class ShardTable {
    private static final VarHandle WORD = MethodHandles.arrayElementVarHandle(long[].class);
    private static final int TAG_BITS = 24;
    private static final int POSITION_BITS = Long.SIZE - TAG_BITS;
    private static final long POSITION = (1L << POSITION_BITS) - 1;
    private static final long ADDRESS = (1L << 56) - 1;
    private static final long TOMBSTONE = 1;

    /** Slots from the home slot on among which {@link #choose} selects: they hold nineteen of twenty keys. */
    private static final int CHOSEN = 4;

    /** Bytes of the index for one shard: keeps the largest table well below a chunk, and its growth below 1 ms. */
    private static final long SHARD_BYTES = 1 << 20;

    private final ChunkPool pool;
    private final TableSlab slab;
    private final EpochReclaimer epochs;
    private final int shift;
    private final long[] words;
    private final TableSlab.Block[] blocks;
    private final int[] used;
    private final int[] live;

    ShardTable(ChunkPool pool, EpochReclaimer epochs) {
        this.pool = pool;
        this.slab = new TableSlab(pool);
        this.epochs = epochs;
        long wanted = (long) pool.chunksMax() * StoreLimits.CHUNK_BYTES / SHARD_BYTES;
        int bits = Math.clamp(Long.SIZE - Long.numberOfLeadingZeros(wanted), 6, 16);
        shift = Long.SIZE - bits;
        words = new long[1 << bits];
        blocks = new TableSlab.Block[1 << bits];
        used = new int[1 << bits];
        live = new int[1 << bits];
        for (int shard = 0; shard < words.length; shard++) {
            TableSlab.Block block = slab.take(TableSlab.LOG_MIN);
            if (block == null) {
                throw new AssertionError("the smallest index has room for its smallest tables");
            }
            publish(shard, block);
        }
    }

    private void publish(int shard, TableSlab.Block block) {
        blocks[shard] = block;
        WORD.setRelease(words, shard, (long) block.log() << 56 | block.address());
    }

    private static long tag(long hash) {
        long tag = hash & (1 << TAG_BITS) - 1;
        return tag == 0 ? 1 << TAG_BITS - 1 : tag;
    }

    /** Returns the address of the image of a key, or 0; for readers in a burst, and the writer. */
    long find(long hash, byte namespace, MemorySegment segment, long offset, int length) {
        long position = findPosition(hash, namespace, segment, offset, length);
        return position == 0 ? 0 : pool.address(position);
    }

    /** Returns the position of the image of a key, or 0; for readers in a burst, and the writer. */
    long findPosition(long hash, byte namespace, MemorySegment segment, long offset, int length) {
        long word = (long) WORD.getAcquire(words, (int) (hash >>> shift));
        long table = word & ADDRESS;
        long mask = (1L << (word >>> 56)) - 1;
        long tag = tag(hash);
        for (long i = tag & mask; ; i = i + 1 & mask) {
            long slot = Memory.slot(table + (i << 3));
            if (slot >>> POSITION_BITS == tag) {
                long position = slot & POSITION;
                if (isKey(pool.address(position), namespace, segment, offset, length)) {
                    return position;
                }
            } else if (slot == 0) {
                return 0;
            }
        }
    }

    /** Returns the shard word of a hash, for {@link #fetch} alone; valid in the current burst. */
    long shard(long hash) {
        return words[(int) (hash >>> shift)];
    }

    /**
     * Prefetches what finding keys will read: their home slots, then the images that these or the next slots show. The
     * result has no meaning.
     *
     * <p>Why three loops of a few instructions with hardly a branch? A processor overlaps cache misses only within its
     * reorder buffer and up to a mispredicted branch. Why plain reads between fences? Behind each acquiring read the
     * compiler reloads its registers.
     *
     * @param shards of the hashes, see {@link #shard}, read in this burst
     * @param images receives the address of each image, if {@link #isImage} accepts its slot
     * @param slots receives for each the first slot with its tag, or an empty one if there is none
     */
    long fetch(long[] hashes, long[] shards, long[] slots, long[] images, int count) {
        VarHandle.acquireFence();
        long sum = 0;
        for (int i = 0; i < count; i++) {
            sum += Memory.slotPlain(home(shards[i], hashes[i]));
        }
        for (int i = 0; i < count; i++) {
            slots[i] = probable(shards[i], hashes[i]);
        }
        VarHandle.acquireFence();
        for (int i = 0; i < count; i++) {
            images[i] = pool.address(slots[i] & POSITION);
            sum += touch(images[i]);
        }
        return sum;
    }

    private static long home(long word, long hash) {
        return (word & ADDRESS) + ((tag(hash) & (1L << (word >>> 56)) - 1) << 3);
    }

    /** Returns whether a prefetched slot shows the image of a key. */
    static boolean isImage(long slot, long image, byte namespace, MemorySegment segment, long offset, int length) {
        return slot >>> POSITION_BITS != 0 && isKey(image, namespace, segment, offset, length);
    }

    private static long probable(long word, long hash) {
        long table = word & ADDRESS;
        long mask = (1L << (word >>> 56)) - 1;
        long tag = tag(hash);
        long i = tag & mask;
        // Backwards, so that the first match wins.
        long probable = Memory.slotPlain(table + ((i + 3 & mask) << 3));
        probable = choose(Memory.slotPlain(table + ((i + 2 & mask) << 3)), probable, tag);
        probable = choose(Memory.slotPlain(table + ((i + 1 & mask) << 3)), probable, tag);
        probable = choose(Memory.slotPlain(table + (i << 3)), probable, tag);
        return probable >>> POSITION_BITS == tag ? probable : further(table, mask, i + CHOSEN, tag);
    }

    /** Returns the next slot with a tag, from a slot on, or the empty one before it. */
    private static long further(long table, long mask, long from, long tag) {
        for (long i = from & mask; ; i = i + 1 & mask) {
            long slot = Memory.slotPlain(table + (i << 3));
            if (slot == 0 || slot >>> POSITION_BITS == tag) {
                return slot;
            }
        }
    }

    /** Returns a slot if it has a tag, else another, by arithmetic: a branch would be unpredictable. */
    private static long choose(long slot, long other, long tag) {
        long difference = (slot >>> POSITION_BITS) - tag;
        long differs = (difference | -difference) >> 63;
        return slot & ~differs | other & differs;
    }

    /** Reads the cache lines of an image with one or two bindings; of a larger one its first lines. */
    private static int touch(long address) {
        long image = address & Memory.MASK;
        return Memory.ALL.get(Memory.BYTE, image)
                + Memory.ALL.get(Memory.BYTE, image + ChunkPool.LINE_BYTES)
                + Memory.ALL.get(Memory.BYTE, image + 2 * ChunkPool.LINE_BYTES);
    }

    private static boolean isKey(long image, byte namespace, MemorySegment segment, long offset, int length) {
        long address = image & Memory.MASK;
        return RecordImage.keyLength(Memory.ALL, address) == length + 1
                && Memory.ALL.get(Memory.BYTE, address + RecordImage.HEADER_BYTES) == namespace
                && Memory.same(Memory.ALL, address + RecordImage.HEADER_BYTES + 1, segment, offset, length);
    }

    /**
     * Links the image at a position in place of the one with the same key; for the writer.
     *
     * @return the replaced position, 0 if there was none, -1 if there is no room
     */
    long link(long hash, long position) {
        int shard = (int) (hash >>> shift);
        if (!roomy(shard)) {
            return -1;
        }
        long image = pool.address(position);
        byte namespace = Memory.ALL.get(Memory.BYTE, image + RecordImage.HEADER_BYTES);
        long keyRest = image + RecordImage.HEADER_BYTES + 1;
        int length = RecordImage.keyLength(Memory.ALL, image) - 1;
        TableSlab.Block block = blocks[shard];
        long mask = (1L << block.log()) - 1;
        long tag = tag(hash);
        long grave = 0;
        for (long i = tag & mask; ; i = i + 1 & mask) {
            long at = block.address() + (i << 3);
            long slot = Memory.slot(at);
            if (slot == 0) {
                used[shard] += grave == 0 ? 1 : 0;
                live[shard]++;
                Memory.slot(grave == 0 ? at : grave, tag << POSITION_BITS | position);
                return 0;
            }
            if (slot == TOMBSTONE) {
                grave = grave == 0 ? at : grave;
            } else if (slot >>> POSITION_BITS == tag
                    && isKey(pool.address(slot & POSITION), namespace, Memory.ALL, keyRest, length)) {
                Memory.slot(at, tag << POSITION_BITS | position);
                return slot & POSITION;
            }
        }
    }

    /** Points a slot, see {@link #slotOf}, at an image's new position; for the writer. */
    void move(long slotAddress, long hash, long to) {
        Memory.slot(slotAddress, tag(hash) << POSITION_BITS | to);
    }

    /** Unlinks a slot's image, see {@link #slotOf}; for the writer. */
    void unlink(long slotAddress, long hash) {
        int shard = (int) (hash >>> shift);
        TableSlab.Block block = blocks[shard];
        long mask = (1L << block.log()) - 1;
        long i = slotAddress - block.address() >> 3;
        live[shard]--;
        if (Memory.slot(block.address() + ((i + 1 & mask) << 3)) != 0) {
            Memory.slot(block.address() + (i << 3), TOMBSTONE);
            return;
        }
        // The probe sequence ends here: this slot and the tombstones before it become empty.
        do {
            Memory.slot(block.address() + (i << 3), 0);
            used[shard]--;
            i = i - 1 & mask;
        } while (Memory.slot(block.address() + (i << 3)) == TOMBSTONE);
    }

    /**
     * Returns the address of the slot that shows a position; 0 if the image there is not the current one of its key.
     * For the writer.
     */
    long slotOf(long hash, long position) {
        TableSlab.Block block = blocks[(int) (hash >>> shift)];
        long mask = (1L << block.log()) - 1;
        long tag = tag(hash);
        long wanted = tag << POSITION_BITS | position;
        for (long i = tag & mask; ; i = i + 1 & mask) {
            long slot = Memory.slot(block.address() + (i << 3));
            if (slot == wanted) {
                return block.address() + (i << 3);
            }
            if (slot == 0) {
                return 0;
            }
        }
    }

    /** Makes room for one more key in a shard; false if it cannot. */
    private boolean roomy(int shard) {
        int slots = 1 << blocks[shard].log();
        if (used[shard] < slots - (slots >> 2)) {
            return true;
        }
        int log = blocks[shard].log();
        if (live[shard] >= slots - (slots >> 1) - (slots >> 3)) {
            log++;
        } else if (live[shard] < slots >> 3 && log > TableSlab.LOG_MIN) {
            log--;
        }
        TableSlab.Block next = log > TableSlab.LOG_MAX ? null : slab.take(log);
        if (next == null) {
            return used[shard] < slots - 1;
        }
        copy(blocks[shard], next);
        TableSlab.Block old = blocks[shard];
        used[shard] = live[shard];
        publish(shard, next);
        epochs.retire(() -> slab.give(old));
        return true;
    }

    private static void copy(TableSlab.Block from, TableSlab.Block to) {
        long mask = (1L << to.log()) - 1;
        for (long at = from.address(); at < from.address() + ((long) Long.BYTES << from.log()); at += Long.BYTES) {
            long slot = Memory.slot(at);
            if (slot > TOMBSTONE || slot < 0) {
                long i = slot >>> POSITION_BITS & mask;
                while (Memory.slot(to.address() + (i << 3)) != 0) {
                    i = i + 1 & mask;
                }
                Memory.slot(to.address() + (i << 3), slot);
            }
        }
    }
}
