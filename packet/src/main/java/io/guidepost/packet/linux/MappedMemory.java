package io.guidepost.packet.linux;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * An anonymous mapping, populated on first touch. Closing frees the pages but keeps the addresses reserved, so that a
 * burst of a closed port reads zeros instead of crashing the process. For back ends; thread-safe.
 */
public final class MappedMemory {
    private static final int PROT_READ_WRITE = 3;
    private static final int MAP_PRIVATE_ANONYMOUS_NORESERVE = 0x4022;
    static final int MADV_DONTNEED = 4;

    private final MemorySegment segment;

    /** Maps zeroed bytes. */
    public MappedMemory(long bytes) {
        try (Arena arena = Arena.ofConfined()) {
            long address = SystemCall.call(
                    SystemCall.errno(arena),
                    SystemCall.MMAP,
                    0,
                    bytes,
                    PROT_READ_WRITE,
                    MAP_PRIVATE_ANONYMOUS_NORESERVE,
                    -1,
                    0);
            if (address < 0 && address > -4096) {
                throw new OutOfMemoryError("no " + bytes + " bytes for packets: " + SystemCall.meaning((int) -address));
            }
            segment = MemorySegment.ofAddress(address).reinterpret(bytes);
        }
    }

    /** Returns the whole mapping. */
    public MemorySegment segment() {
        return segment;
    }

    /** Frees the pages. */
    public void close() {
        try (Arena arena = Arena.ofConfined()) {
            SystemCall.call(
                    SystemCall.errno(arena), SystemCall.MADVISE, segment.address(), segment.byteSize(), MADV_DONTNEED);
        }
    }
}
