package io.guidepost.packet;

import io.guidepost.packet.linux.HugePages;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * A pool of packet memory: frames of one size in one mapping, in huge pages where available. Kernel and file back ends
 * use it; DPDK has its own. Ports that share a pool pass frames without copying.
 *
 * <p>Free frames are a stack that threads access in batches, which amortises the lock. With {@code
 * -Dguidepost.packet.checked=true} the pool tracks the owner of each frame: a double free throws at once, and {@link
 * #holders} names the owners.
 *
 * <p>A handle is the address of the first byte of the piece; pieces are aligned to their size.
 */
public final class FramePool implements AutoCloseable {
    /** Whether frames and accesses are checked individually. */
    public static final boolean CHECKED = Boolean.getBoolean("guidepost.packet.checked");

    private static final int GROUP = 64;

    private final MemorySegment segment;
    private final int frames;
    private final int frameBytes;
    private final int headroomBytes;
    private final long base;
    private final long[] free;
    private final @Nullable View @Nullable [] takers;
    private int freeCount;

    /**
     * Maps a pool.
     *
     * @param frames 64 to 4,194,304
     * @param frameBytes bytes of each, headroom included: 2,048, 4,096, ... 65,536
     * @param headroomBytes free bytes before the data of each, 0 to half of it
     * @throws OutOfMemoryError if the system has no more
     */
    public FramePool(int frames, int frameBytes, int headroomBytes) {
        PacketLimits.check("frames", frames, GROUP, 1 << 22);
        PacketLimits.check("frameBytes", frameBytes, 2048, 1 << 16);
        PacketLimits.check("headroomBytes", headroomBytes, 0, frameBytes / 2);
        if (Integer.bitCount(frameBytes) != 1) {
            throw new IllegalArgumentException("frameBytes is " + frameBytes + "; it must be a power of two");
        }
        this.frames = frames;
        this.frameBytes = frameBytes;
        this.headroomBytes = headroomBytes;
        this.segment = HugePages.allocate((long) frames * frameBytes);
        this.base = segment.address();
        this.free = new long[frames];
        this.takers = CHECKED ? new View[frames] : null;
        // The first frames are on top, so that a lightly used pool touches little memory.
        for (int i = 0; i < frames; i++) {
            free[i] = base + (long) (frames - 1 - i) * frameBytes;
        }
        this.freeCount = frames;
    }

    /** Returns the whole memory, for back ends that register it with the kernel. */
    public MemorySegment segment() {
        return segment;
    }

    /** Returns the number of frames. */
    public int frames() {
        return frames;
    }

    /** Returns the bytes of each, headroom included; a power of two. */
    public int frameBytes() {
        return frameBytes;
    }

    /** Returns the free bytes before the data of each. */
    public int headroomBytes() {
        return headroomBytes;
    }

    /** Returns the piece of an address. */
    public long handleOf(long address) {
        return base + (address - base & -(long) frameBytes);
    }

    /** Returns a view for one thread. */
    public PacketMemory view(String holder) {
        return new View(holder);
    }

    /** Returns the number of frames that no view holds. */
    public synchronized int free() {
        return freeCount;
    }

    /** Returns the number of frames of each owner; known only in a checked process. */
    public synchronized String holders() {
        if (takers == null) {
            return frames - freeCount + " of " + frames + " frames are in use; start with"
                    + " -Dguidepost.packet.checked=true to see the owners";
        }
        java.util.Map<String, Integer> counts = new java.util.TreeMap<>();
        for (View each : takers) {
            if (each != null) {
                counts.merge(each.holder, 1, Integer::sum);
            }
        }
        return counts.toString();
    }

    /** Frees the pages; the addresses stay reserved and read as zeros. */
    @Override
    public void close() {
        HugePages.clear(segment);
    }

    private synchronized int take(long[] into, int room) {
        int number = Math.min(room, freeCount);
        freeCount -= number;
        System.arraycopy(free, freeCount, into, 0, number);
        return number;
    }

    private synchronized void give(long[] from, int first, int number) {
        System.arraycopy(from, first, free, freeCount, number);
        freeCount += number;
    }

    private synchronized void note(long handle, @Nullable View taker) {
        @Nullable View[] all = takers;
        int index = (int) ((handle - base) / frameBytes);
        if (all == null || index < 0 || index >= frames || handleOf(handle) != handle) {
            throw new IllegalStateException("0x" + Long.toHexString(handle) + " is no frame of this pool");
        }
        if (taker == null && all[index] == null) {
            throw new IllegalStateException("frame " + index + " was freed twice");
        }
        all[index] = taker;
    }

    /** One thread's view. */
    private final class View implements PacketMemory {
        private final String holder;
        private final long[] near = new long[2 * GROUP];
        private int nearCount;

        View(String holder) {
            this.holder = holder;
        }

        @Override
        public long take() {
            if (nearCount == 0) {
                nearCount = FramePool.this.take(near, GROUP);
                if (nearCount == 0) {
                    return NONE;
                }
            }
            long handle = near[--nearCount];
            if (CHECKED) {
                note(handle, this);
            }
            return handle;
        }

        @Override
        public long address(long handle) {
            return handle + headroomBytes;
        }

        @Override
        public int roomBytes() {
            return frameBytes - headroomBytes;
        }

        @Override
        public int headroomBytes() {
            return headroomBytes;
        }

        @Override
        public void free(long handle) {
            if (CHECKED) {
                note(handle, null);
            }
            if (nearCount == near.length) {
                give(near, GROUP, GROUP);
                nearCount = GROUP;
            }
            near[nearCount++] = handle;
        }

        @Override
        public Object pool() {
            return FramePool.this;
        }

        @Override
        public void release() {
            give(near, 0, nearCount);
            nearCount = 0;
        }
    }
}
