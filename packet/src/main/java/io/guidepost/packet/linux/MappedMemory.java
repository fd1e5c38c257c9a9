package io.guidepost.packet.linux;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * Memory that the kernel maps on first touch. Closing gives the pages back but keeps the addresses, so that a burst of a
 * port that was closed reads zeros where it would crash the process otherwise. For back ends; any thread may call.
 */
public final class MappedMemory {
    private static final int PROT_READ_WRITE = 3;
    private static final int MAP_PRIVATE_ANONYMOUS_NORESERVE = 0x4022;
    static final int MADV_DONTNEED = 4;

    private final MemorySegment segment;

    /** Maps so many bytes of zeros. */
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

    /** Returns all of it. */
    public MemorySegment segment() {
        return segment;
    }

    /** Gives the pages back. */
    public void close() {
        try (Arena arena = Arena.ofConfined()) {
            SystemCall.call(
                    SystemCall.errno(arena), SystemCall.MADVISE, segment.address(), segment.byteSize(), MADV_DONTNEED);
        }
    }
}
