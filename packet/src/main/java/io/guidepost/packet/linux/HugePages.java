package io.guidepost.packet.linux;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * Off-heap memory in transparent huge pages where the kernel allows them ({@code madvise} or {@code always}), else in
 * ordinary pages. Pages are allocated on first touch. The addresses are never freed. Thread-safe.
 */
public final class HugePages {
    /** Bytes of a huge page, and the alignment of addresses. */
    public static final long BYTES = 2 << 20;

    private static final int MADV_HUGEPAGE = 14;

    private HugePages() {}

    /**
     * Allocates zeroed memory for the lifetime of the process.
     *
     * @param bytes more than 0
     * @throws OutOfMemoryError if the system has no more
     */
    public static MemorySegment allocate(long bytes) {
        if (!SystemCall.AVAILABLE) {
            return Arena.global().allocate(bytes, Long.BYTES);
        }
        MemorySegment room = new MappedMemory(bytes + BYTES).segment();
        long skip = -room.address() & BYTES - 1;
        MemorySegment aligned = room.asSlice(skip, bytes);
        try (Arena arena = Arena.ofConfined()) {
            // A kernel without huge pages refuses the advice; the memory works without it.
            SystemCall.call(SystemCall.errno(arena), SystemCall.MADVISE, aligned.address(), bytes, MADV_HUGEPAGE);
        }
        return aligned;
    }

    /** Frees pages; they read as zeros again. */
    public static void clear(MemorySegment segment) {
        if (!SystemCall.AVAILABLE) {
            return;
        }
        try (Arena arena = Arena.ofConfined()) {
            SystemCall.call(
                    SystemCall.errno(arena),
                    SystemCall.MADVISE,
                    segment.address(),
                    segment.byteSize(),
                    MappedMemory.MADV_DONTNEED);
        }
    }
}
