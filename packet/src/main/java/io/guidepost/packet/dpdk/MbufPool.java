package io.guidepost.packet.dpdk;

import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import io.guidepost.base.Memory;
import io.guidepost.packet.Burst;
import io.guidepost.packet.PacketMemory;
import io.guidepost.packet.linux.HugePages;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * DPDK's packet memory: a pool of mbufs, each a header of 128 bytes, headroom of 128 and the room for a frame. A handle
 * is an mbuf's address. Without reserved huge pages the frames are in our own memory with {@code transparent_hugepage}
 * advice; DPDK alone would take small pages, at half the capture rate.
 *
 * <p>DPDK caches free mbufs for each of its threads, and its drivers use that cache. This class uses it too, by the
 * rules of {@code rte_mempool_generic_put} and {@code ..._get}, which are inline functions of C and in no library: a
 * dropped burst is reused by the next one while its memory is still warm.
 *
 * <p>Mbufs in bursts are plain: of this pool, with one owner, one segment and internal data. So they can be freed
 * without inspection. {@link DpdkRx} copies all others.
 *
 * <p>Pools are never destroyed, as a closed device may still hold frames; a released pool serves the next port with the
 * same needs.
 */
final class MbufPool {
    /** Free mbufs that a thread caches: several bursts of the largest usual size. */
    private static final int CACHE = 512;

    /** Mbufs of a pool by default: rings of two devices, their caches, and as many again. */
    private static final int FRAMES_STANDARD = 16_383;

    /** An mbuf's buffer length has 16 bits, and is a multiple of a cache line here. */
    private static final int ROOM_MAX = 65_535 / 64 * 64 - DpdkAbi23.HEADROOM_BYTES;

    private static final int CACHE_LINE = 64;

    /** SOCKET_ID_ANY of DPDK. */
    private static final int ANY_NODE = -1;

    /** Fewer would all be in two threads' caches. */
    private static final int FRAMES_MIN = 2 * CACHE;
    private static final List<MbufPool> ALL = new ArrayList<>();

    private final Eal eal;
    final long address;
    private final int frames;
    private final int roomBytes;
    private final int node;
    private final boolean shared;
    private final long caches;
    private final int flushAt;
    private final MemorySegment enqueue;
    private final MemorySegment dequeue;
    private int users;

    private MbufPool(Eal eal, long address, int frames, int roomBytes, int node, boolean shared) {
        this.eal = eal;
        this.address = address;
        this.frames = frames;
        this.roomBytes = roomBytes;
        this.node = node;
        this.shared = shared;
        this.caches = Memory.i64Le(address + DpdkAbi23.MEMPOOL_LOCAL_CACHE);
        this.flushAt = Memory.i32Le(caches + DpdkAbi23.CACHE_FLUSH_AT);
        long operations = eal.library.find("rte_mempool_ops_table").address()
                + DpdkAbi23.OPS_TABLE
                + (long) Memory.i32Le(address + DpdkAbi23.MEMPOOL_OPS_INDEX) * DpdkAbi23.OPS_BYTES;
        this.enqueue = MemorySegment.ofAddress(Memory.i64Le(operations + DpdkAbi23.OPS_ENQUEUE));
        this.dequeue = MemorySegment.ofAddress(Memory.i64Le(operations + DpdkAbi23.OPS_DEQUEUE));
    }

    /**
     * Assigns a pool to a port: the shared one for a frame size, or an own one with a number of frames.
     *
     * @param frames 0 for the shared one
     * @param frameBytes room of each
     * @param node NUMA node of the port's device, or -1
     */
    static synchronized MbufPool acquire(Eal eal, int frames, int frameBytes, int node) throws IOException {
        int room = Math.min(frameBytes, ROOM_MAX);
        boolean shared = frames == 0;
        int number = shared ? FRAMES_STANDARD : Math.max(frames, FRAMES_MIN);
        for (MbufPool pool : ALL) {
            boolean fits = pool.roomBytes == room && pool.frames == number && pool.node == node && pool.shared == shared;
            if (fits && (shared || pool.users == 0)) {
                pool.users++;
                return pool;
            }
        }
        MbufPool pool = create(eal, number, room, node, shared);
        ALL.add(pool);
        pool.users++;
        return pool;
    }

    private static MbufPool create(Eal eal, int frames, int room, int node, boolean shared) throws IOException {
        DpdkLibrary library = eal.library;
        try (Arena arena = Arena.ofConfined()) {
            long name = arena.allocateFrom("guidepost-" + ALL.size()).address();
            int dataBytes = room + DpdkAbi23.HEADROOM_BYTES;
            long pool = eal.ownFrameMemory
                    ? createInOwnMemory(library, name, frames, dataBytes, arena)
                    : library.call("rte_pktmbuf_pool_create", name, frames, CACHE, 0, dataBytes, node, 0);
            if (pool == 0) {
                String said = eal.said();
                throw new IOException("DPDK has no memory for " + frames + " frames of " + room + " bytes: "
                        + library.meaning(library.lastError()) + (said.isEmpty() ? "" : " (" + said + ")")
                        + "; set eal-memory higher, or frames lower");
            }
            return new MbufPool(eal, pool, frames, room, node, shared);
        }
    }

    /** Creates a pool as rte_pktmbuf_pool_create does, but in other memory. */
    private static long createInOwnMemory(DpdkLibrary library, long name, int frames, int dataBytes, Arena arena) {
        MemorySegment room = arena.allocate(DpdkAbi23.POOL_PRIVATE_BYTES, Long.BYTES);
        room.set(JAVA_SHORT, DpdkAbi23.POOL_PRIVATE_ROOM, (short) dataBytes);
        long pool = library.call(
                "rte_mempool_create_empty",
                name,
                frames,
                DpdkAbi23.MBUF_BYTES + dataBytes,
                CACHE,
                DpdkAbi23.POOL_PRIVATE_BYTES,
                ANY_NODE,
                // Otherwise no mbuf crosses a small page, which wastes half of the memory.
                DpdkAbi23.MEMPOOL_NO_IOVA_CONTIG);
        if (pool == 0) {
            return 0;
        }
        long operations = arena.allocateFrom("ring_mp_mc").address();
        int refused = (int) library.call("rte_mempool_set_ops_byname", pool, operations, 0);
        library.call("rte_pktmbuf_pool_init", pool, room.address());
        MemorySegment memory = HugePages.allocate(frames * elementBytes(pool) + CACHE_LINE);
        long at = memory.address();
        int populated = refused < 0
                ? refused
                : (int) library.call("rte_mempool_populate_iova", pool, at, at, memory.byteSize(), 0, 0, 0);
        if (populated < frames) {
            library.call("rte_mempool_free", pool);
            return 0;
        }
        library.call("rte_mempool_obj_iter", pool, library.find("rte_pktmbuf_init").address(), 0);
        return pool;
    }

    private static long elementBytes(long pool) {
        return (long) Memory.i32Le(pool + DpdkAbi23.MEMPOOL_HEADER_SIZE)
                + Memory.i32Le(pool + DpdkAbi23.MEMPOOL_ELT_SIZE)
                + Memory.i32Le(pool + DpdkAbi23.MEMPOOL_TRAILER_SIZE);
    }

    /** Claims the pool once more for a port that had released it. */
    void claim() {
        synchronized (MbufPool.class) {
            users++;
        }
    }

    /** Releases a port's claim; its frames may still be in flight. */
    void release() {
        synchronized (MbufPool.class) {
            users--;
        }
    }

    /** Returns the number of free mbufs; cached ones count as free. Iterates over all threads, so not for the hot path. */
    int free() {
        return (int) eal.library.call("rte_mempool_avail_count", address);
    }

    /** Returns a view for one thread at a time. */
    View view() {
        return new View();
    }

    /** One thread's view. */
    final class View implements PacketMemory {
        private @Nullable Thread owner;
        private @Nullable Burst received;
        private long receivedMbufs;
        private long cache;

        /** Returns the calling thread's cache of free mbufs; registers the thread with DPDK if necessary. */
        @SuppressWarnings("ReferenceEquality") // Threads are compared by identity.
        long cache() {
            if (Thread.currentThread() != owner) {
                adopt();
            }
            return cache;
        }

        private void adopt() {
            cache = caches + (long) eal.register() * DpdkAbi23.CACHE_BYTES;
            owner = Thread.currentThread();
        }

        @Override
        public long take() {
            long at = cache();
            int length = Memory.i32Le(at + DpdkAbi23.CACHE_LENGTH);
            if (length == 0) {
                length = refill(at);
                if (length == 0) {
                    return NONE;
                }
            }
            length--;
            Memory.put32Le(at + DpdkAbi23.CACHE_LENGTH, length);
            long mbuf = Memory.i64Le(at + DpdkAbi23.CACHE_OBJECTS + ((long) length << 3));
            renew(mbuf);
            return mbuf;
        }

        @Override
        public void renew(long handle) {
            Memory.put64Le(handle + DpdkAbi23.MBUF_OL_FLAGS, 0);
        }

        @Override
        public long address(long handle) {
            return handle + DpdkAbi23.MBUF_BYTES + DpdkAbi23.HEADROOM_BYTES;
        }

        @Override
        public int roomBytes() {
            return roomBytes;
        }

        @Override
        public int headroomBytes() {
            return DpdkAbi23.HEADROOM_BYTES;
        }

        @Override
        public void free(long handle) {
            long at = cache();
            int length = place(at, 1);
            Memory.put64Le(at + DpdkAbi23.CACHE_OBJECTS + ((long) length << 3), handle);
            Memory.put32Le(at + DpdkAbi23.CACHE_LENGTH, length + 1);
        }

        /** Remembers the mbufs of a just received burst, while it is whole. */
        void received(Burst burst, long mbufs) {
            received = burst;
            receivedMbufs = mbufs;
        }

        @Override
        public void free(Burst burst) {
            int count = burst.count();
            if (burst.isWhole() && burst == received && count <= CACHE) {
                long at = cache();
                int length = place(at, count);
                Memory.copy(receivedMbufs, at + DpdkAbi23.CACHE_OBJECTS + ((long) length << 3), (long) count << 3);
                Memory.put32Le(at + DpdkAbi23.CACHE_LENGTH, length + count);
            } else {
                freeRows(burst);
            }
        }

        private void freeRows(Burst burst) {
            for (int first = 0; first < burst.count(); first += CACHE) {
                free(burst, first, Math.min(CACHE, burst.count() - first));
            }
        }

        private void free(Burst burst, int first, int number) {
            long at = cache();
            long begin = at + DpdkAbi23.CACHE_OBJECTS + ((long) place(at, number) << 3);
            long next = begin;
            for (int i = first; i < first + number; i++) {
                long handle = burst.handle(i);
                Memory.put64Le(next, handle);
                next += handle == NONE ? 0 : Long.BYTES;
            }
            int length = (int) (next - at - DpdkAbi23.CACHE_OBJECTS >> 3);
            Memory.put32Le(at + DpdkAbi23.CACHE_LENGTH, length);
        }

        /** Makes room in the cache; returns the number of mbufs below it. */
        private int place(long at, int number) {
            int length = Memory.i32Le(at + DpdkAbi23.CACHE_LENGTH);
            if (length + number <= flushAt) {
                return length;
            }
            DpdkLibrary.call(enqueue, address, at + DpdkAbi23.CACHE_OBJECTS, length, 0, 0, 0, 0);
            return 0;
        }

        /** Fills an empty cache from the pool; returns the number of mbufs in it. */
        private int refill(long at) {
            for (int number = CACHE; number > 0; number /= 8) {
                if ((int) DpdkLibrary.call(dequeue, address, at + DpdkAbi23.CACHE_OBJECTS, number, 0, 0, 0, 0) == 0) {
                    Memory.put32Le(at + DpdkAbi23.CACHE_LENGTH, number);
                    return number;
                }
            }
            return 0;
        }

        @Override
        public Object pool() {
            return MbufPool.this;
        }
    }
}
