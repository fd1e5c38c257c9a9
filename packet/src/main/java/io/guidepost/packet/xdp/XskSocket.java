package io.guidepost.packet.xdp;

import io.guidepost.base.Memory;
import io.guidepost.packet.FramePool;
import io.guidepost.packet.Readiness;
import io.guidepost.packet.bpf.XdpLink;
import io.guidepost.packet.device.SharedDescriptor;
import io.guidepost.packet.linux.SystemCall;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;

/**
 * An AF_XDP socket: one queue of one device with its four rings, over the memory of a pool, the UMEM (linux/if_xdp.h).
 *
 * <p>The first socket of a pool registers its memory with the kernel; later ones, of any device, share the UMEM. So a
 * frame moves from one port to another by its address alone.
 *
 * <pre>
 *  struct xdp_umem_reg, 32 bytes:   0 address   8 bytes   16 bytes of a piece   20 headroom   24 flags   28 of metadata
 *  struct xdp_mmap_offsets, 128:    rx, tx, fill, completion: each 0 producer   8 consumer   16 entries   24 flags
 *  struct sockaddr_xdp, 16:         0 family (short)   2 flags (short)   4 device   8 queue   12 socket to share with
 *  struct xdp_statistics, 48:       rx dropped, rx invalid, tx invalid, rx ring full, fill ring empty, tx ring empty
 * </pre>
 */
final class XskSocket {
    /** Bytes that the kernel reserves before a frame (XDP_PACKET_HEADROOM). */
    static final int KERNEL_HEADROOM_BYTES = 256;

    private static final int AF_XDP = 44;
    private static final int SOCK_RAW_CLOEXEC = 0x80003;
    private static final int SOL_XDP = 283;
    private static final int XDP_MMAP_OFFSETS = 1;
    private static final int XDP_RX_RING = 2;
    private static final int XDP_TX_RING = 3;
    private static final int XDP_UMEM_REG = 4;
    private static final int XDP_UMEM_FILL_RING = 5;
    private static final int XDP_UMEM_COMPLETION_RING = 6;
    private static final int XDP_STATISTICS = 7;
    private static final int XDP_OPTIONS = 8;
    private static final int XDP_UMEM_TX_METADATA_LEN = 4;
    private static final int UMEM_BYTES = 32;
    private static final int XDP_SHARED_UMEM = 1;
    private static final int XDP_COPY = 2;
    private static final int XDP_USE_NEED_WAKEUP = 8;
    private static final int OFFSETS_BYTES = 128;
    private static final int STATISTICS_BYTES = 48;

    private static final int SOL_SOCKET = 1;
    private static final int SO_SNDBUFFORCE = 32;
    private static final int SO_BUSY_POLL = 46;
    private static final int SO_PREFER_BUSY_POLL = 69;
    private static final int SO_BUSY_POLL_BUDGET = 70;

    private static final int PROT_READ_WRITE = 3;
    private static final int MAP_SHARED_POPULATE = 0x8001;
    private static final int ADDRESS_SHIFT = 3;
    private static final int DESCRIPTOR_SHIFT = 4;

    /** The kernel's charge to a socket for a copied frame with its overhead. */
    private static final int FRAME_CHARGE_BYTES = 8192;

    /** How long a busy queue is retried: the kernel frees one some milliseconds after its socket was closed. */
    private static final long REOPEN_NANOS = 500_000_000;

    private static final long REOPEN_POLL_NANOS = 1_000_000;

    /** Open sockets by the pool that they are over. Guarded by itself. */
    private static final Map<FramePool, List<XskSocket>> OVER = new HashMap<>();

    private final String user;
    private final FramePool pool;
    private final SharedDescriptor socket;
    private final List<XskRing> mapped = new ArrayList<>();
    /** Received frames, and frames to send: entries of address and length. */
    final XskRing rx;

    final XskRing tx;

    /** Free pieces for the kernel to fill, and sent pieces: addresses. */
    final XskRing fill;

    final XskRing completion;

    /** Bytes of metadata before each frame to send; 0 if unsupported. */
    final int metadataBytes;

    private final long[] counts = new long[STATISTICS_BYTES / Long.BYTES];
    private boolean closed;

    /**
     * Opens the socket of a queue.
     *
     * @param queue number of the device's queue
     * @throws IOException in one line: what is missing
     */
    XskSocket(FramePool pool, int device, int queue, XdpOptions options, boolean copy, String user) throws IOException {
        this.user = user;
        this.pool = pool;
        try (Arena arena = Arena.ofConfined()) {
            long opened = SystemCall.call(SystemCall.errno(arena), SystemCall.SOCKET, AF_XDP, SOCK_RAW_CLOEXEC, 0);
            if (opened < 0) {
                throw refused("a socket", (int) -opened);
            }
            socket = new SharedDescriptor((int) opened);
            try {
                synchronized (OVER) {
                    List<XskSocket> open = OVER.computeIfAbsent(pool, it -> new ArrayList<>());
                    int wanted = options.byDevice() && pool.headroomBytes() >= XskTxMetadata.BYTES ? XskTxMetadata.BYTES : 0;
                    metadataBytes = open.isEmpty() ? register(arena, wanted) : open.getFirst().metadataBytes;
                    int ring = options.ring();
                    set(arena, SOL_XDP, XDP_UMEM_FILL_RING, ring, "a fill ring");
                    set(arena, SOL_XDP, XDP_UMEM_COMPLETION_RING, ring, "a completion ring");
                    set(arena, SOL_XDP, XDP_RX_RING, ring, "a receive ring");
                    set(arena, SOL_XDP, XDP_TX_RING, ring, "a transmit ring");
                    long offsets = arena.allocate(OFFSETS_BYTES, Long.BYTES).address();
                    get(arena, XDP_MMAP_OFFSETS, offsets, OFFSETS_BYTES);
                    rx = map(arena, 0, offsets, ring, DESCRIPTOR_SHIFT);
                    tx = map(arena, 0x8000_0000L, offsets + 32, ring, DESCRIPTOR_SHIFT);
                    fill = map(arena, 0x1_0000_0000L, offsets + 64, ring, ADDRESS_SHIFT);
                    completion = map(arena, 0x1_8000_0000L, offsets + 96, ring, ADDRESS_SHIFT);
                    prepare(arena, options);
                    bind(arena, device, queue, open, copy);
                    open.add(this);
                }
            } catch (IOException | RuntimeException e) {
                close();
                throw e;
            }
        }
    }

    /** Registers the memory; returns the bytes of metadata that the kernel supports (Linux 6.11), else 0. */
    private int register(Arena arena, int metadata) throws IOException {
        long at = arena.allocate(UMEM_BYTES, Long.BYTES).address();
        Memory.put64Le(at, pool.segment().address());
        Memory.put64Le(at + 8, (long) pool.frames() * pool.frameBytes());
        Memory.put32Le(at + 16, pool.frameBytes());
        Memory.put32Le(at + 20, Math.max(0, pool.headroomBytes() - KERNEL_HEADROOM_BYTES));
        Memory.put32Le(at + 24, metadata == 0 ? 0 : XDP_UMEM_TX_METADATA_LEN);
        Memory.put32Le(at + 28, metadata);
        long result = SystemCall.call(
                SystemCall.errno(arena), SystemCall.SETSOCKOPT, socket.number(), SOL_XDP, XDP_UMEM_REG, at, UMEM_BYTES, 0);
        if (result == -SystemCall.EINVAL && metadata != 0) {
            return register(arena, 0);
        }
        if (result == -SystemCall.ENOBUFS) {
            throw new IOException(user + ": the kernel does not keep " + pool.frames() + " frames of "
                    + pool.frameBytes() + " bytes in memory for it: raise the limit of locked memory (ulimit -l,"
                    + " LimitMEMLOCK=), grant CAP_IPC_LOCK, or set fewer frames");
        }
        if (result < 0) {
            throw refused("the packet memory", (int) -result);
        }
        return metadata;
    }

    private void prepare(Arena arena, XdpOptions options) throws IOException {
        // Without it the kernel stops in the middle of a full ring, which only costs latency where it is not permitted.
        int charge = (int) Math.min(Integer.MAX_VALUE / 2, (long) options.ring() * FRAME_CHARGE_BYTES);
        trySet(arena, SOL_SOCKET, SO_SNDBUFFORCE, charge);
        if (options.busyPollMicros() > 0) {
            set(arena, SOL_SOCKET, SO_PREFER_BUSY_POLL, 1, "busy polling (Linux 5.11 has it)");
            set(arena, SOL_SOCKET, SO_BUSY_POLL, options.busyPollMicros(), "busy polling");
            set(arena, SOL_SOCKET, SO_BUSY_POLL_BUDGET, options.busyPollFrames(), "as many frames for busy polling");
        }
    }

    private XskRing map(Arena arena, long offset, long offsets, int size, int entryShift) throws IOException {
        long bytes = Memory.i64Le(offsets + 16) + ((long) size << entryShift);
        long address = SystemCall.call(
                SystemCall.errno(arena),
                SystemCall.MMAP,
                0,
                bytes,
                PROT_READ_WRITE,
                MAP_SHARED_POPULATE,
                socket.number(),
                offset);
        if (address < 0 && address > -4096) {
            throw refused("a ring", (int) -address);
        }
        XskRing ring = new XskRing(address, bytes, offsets, size, entryShift);
        mapped.add(ring);
        return ring;
    }

    private void bind(Arena arena, int device, int queue, List<XskSocket> open, boolean copy) throws IOException {
        long at = arena.allocate(16, Long.BYTES).address();
        boolean shared = !open.isEmpty();
        Memory.put16Le(at, AF_XDP);
        Memory.put16Le(at + 2, shared ? XDP_SHARED_UMEM : XDP_USE_NEED_WAKEUP | (copy ? XDP_COPY : 0));
        Memory.put32Le(at + 4, device);
        Memory.put32Le(at + 8, queue);
        Memory.put32Le(at + 12, shared ? open.getFirst().number() : 0);
        // The kernel frees a just closed queue in deferred work.
        long deadline = System.nanoTime() + REOPEN_NANOS;
        long result = SystemCall.call(SystemCall.errno(arena), SystemCall.BIND, socket.number(), at, 16);
        while (result == -SystemCall.EBUSY && System.nanoTime() - deadline < 0) {
            LockSupport.parkNanos(REOPEN_POLL_NANOS);
            result = SystemCall.call(SystemCall.errno(arena), SystemCall.BIND, socket.number(), at, 16);
        }
        if (result < 0) {
            throw bindRefusal(queue, shared, (int) -result);
        }
    }

    private IOException bindRefusal(int queue, boolean shared, int error) {
        return switch (error) {
            case SystemCall.EBUSY ->
                new IOException(user + ": queue " + queue + " has a socket of another program or port; end that, or"
                        + " choose another with first-queue");
            case SystemCall.EINVAL ->
                new IOException(user + ": the device has no queue " + queue + " in both directions"
                        + " (ethtool -l shows them), or does not take frames of " + pool.frameBytes() + " bytes");
            case SystemCall.ENETDOWN ->
                new IOException(user + ": the interface is down; set it up first (ip link set dev NAME up)");
            case SystemCall.EOPNOTSUPP ->
                new IOException(user + ": the device cannot have queue " + queue + " in this way"
                        + (shared ? "; the port that opened the packet memory first must have copy=true" : ""));
            default -> refused("queue " + queue, error);
        };
    }

    private IOException refused(String what, int error) {
        return new IOException(user + ": the kernel does not give " + what + ": " + switch (error) {
            case SystemCall.EPERM, SystemCall.EACCES -> XdpLink.PRIVILEGE_ADVICE;
            case SystemCall.EAFNOSUPPORT -> "it has no AF_XDP (CONFIG_XDP_SOCKETS, Linux 5.9 or newer)";
            default -> SystemCall.meaning(error);
        });
    }

    private void set(Arena arena, int level, int option, int value, String what) throws IOException {
        long result = trySet(arena, level, option, value);
        if (result < 0) {
            throw refused(what, (int) -result);
        }
    }

    private long trySet(Arena arena, int level, int option, int value) {
        long at = arena.allocate(Long.BYTES, Long.BYTES).address();
        Memory.put32Le(at, value);
        return SystemCall.call(
                SystemCall.errno(arena), SystemCall.SETSOCKOPT, socket.number(), level, option, at, Integer.BYTES, 0);
    }

    private boolean get(Arena arena, int option, long into, int bytes) {
        long length = arena.allocate(Long.BYTES, Long.BYTES).address();
        Memory.put32Le(length, bytes);
        return SystemCall.call(
                        SystemCall.errno(arena), SystemCall.GETSOCKOPT, socket.number(), SOL_XDP, option, into, length, 0)
                == 0;
    }

    /** Returns the descriptor's number. */
    int number() {
        return socket.number();
    }

    /**
     * Returns whether partial checksums are completed behind the ring. In copy mode the kernel or the device does it; a
     * zero-copy driver may not, and is not asked.
     */
    boolean completesChecksums() {
        return metadataBytes > 0 && !isZeroCopy();
    }

    Readiness readiness() {
        return socket.readiness();
    }

    /** Returns the kernel's counters in the order of struct xdp_statistics; once it is closed the last ones. */
    synchronized long[] statistics() {
        if (!closed) {
            try (Arena arena = Arena.ofConfined()) {
                long at = arena.allocate(STATISTICS_BYTES, Long.BYTES).address();
                boolean known = get(arena, XDP_STATISTICS, at, STATISTICS_BYTES);
                for (int i = 0; known && i < counts.length; i++) {
                    counts[i] = Memory.i64Le(at + (long) i * Long.BYTES);
                }
            }
        }
        return counts.clone();
    }

    /** Returns whether zero-copy mode is in use. */
    synchronized boolean isZeroCopy() {
        if (closed) {
            return false;
        }
        try (Arena arena = Arena.ofConfined()) {
            long at = arena.allocate(Long.BYTES, Long.BYTES).address();
            return get(arena, XDP_OPTIONS, at, Integer.BYTES) && (Memory.i32Le(at) & 1) != 0;
        }
    }

    /** Closes the socket and unmaps the rings, which no thread may access any more; idempotent. */
    synchronized void close() {
        if (closed) {
            return;
        }
        statistics();
        closed = true;
        synchronized (OVER) {
            List<XskSocket> open = OVER.getOrDefault(pool, new ArrayList<>());
            open.remove(this);
            if (open.isEmpty()) {
                OVER.remove(pool);
            }
            socket.close();
        }
        try (Arena arena = Arena.ofConfined()) {
            for (XskRing ring : mapped) {
                SystemCall.call(
                        SystemCall.errno(arena), SystemCall.MUNMAP, ring.mapping, ring.mappingBytes, 0);
            }
        }
        mapped.clear();
    }
}
