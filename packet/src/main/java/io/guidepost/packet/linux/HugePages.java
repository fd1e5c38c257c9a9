package io.guidepost.packet.linux;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * Memory outside of the heap, in huge pages where the kernel has them to give (Linux, transparent huge pages allowed by
 * {@code madvise} or {@code always}); elsewhere in ordinary ones. Pages are taken when they are first touched. The
 * addresses are never given back. Any thread may call.
 */
public final class HugePages {
    /** Bytes of a huge page, and what addresses are a multiple of. */
    public static final long BYTES = 2 << 20;

    private static final int MADV_HUGEPAGE = 14;

    private HugePages() {}

    /**
     * Takes zeros for as long as the process lives.
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
            // A kernel without huge pages refuses the advice; the memory is as good without it.
            SystemCall.call(SystemCall.errno(arena), SystemCall.MADVISE, aligned.address(), bytes, MADV_HUGEPAGE);
        }
        return aligned;
    }

    /** Gives pages back; what was in them reads as zeros, as before their first touch. */
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
