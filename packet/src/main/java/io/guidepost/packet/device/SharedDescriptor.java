package io.guidepost.packet.device;

import static java.lang.foreign.ValueLayout.JAVA_INT;

import io.guidepost.packet.Readiness;
import io.guidepost.packet.linux.SystemCall;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * A reference-counted file descriptor of a socket or device; for back ends. Thread-safe.
 *
 * <p>The kernel reuses a closed descriptor's number at once, and a worker still polling it would read another socket's
 * packets. So closing replaces the socket under its number by an idle descriptor, and the number is freed when the last
 * holder releases it.
 */
public final class SharedDescriptor {
    private static final int EFD_NONBLOCK_CLOEXEC = 0x80800;
    private static final int O_CLOEXEC = 0x80000;

    private static final int NONE = -1;

    private volatile int number;
    private int holders = 1;
    private boolean closed;
    private long overflowAtClose;

    /** Takes ownership of a descriptor. */
    public SharedDescriptor(int number) {
        this.number = number;
    }

    /** Returns the descriptor's number; an invalid one after it was freed. */
    public int number() {
        return number;
    }

    /** Acquires a reference, which keeps the number from being reused until {@link #release}. */
    public synchronized void hold() {
        holders++;
    }

    /** Releases a reference. */
    public synchronized void release() {
        holders--;
        if (holders == 0) {
            int last = number;
            number = NONE;
            SystemCall.close(last);
        }
    }

    /** Closes the socket and releases the owner's reference; idempotent. */
    public synchronized void close() {
        if (closed) {
            return;
        }
        overflowAtClose = overflow();
        closed = true;
        if (holders > 1) {
            replaceByIdle();
        }
        release();
    }

    /** Returns the kernel's count of drops for a full receive queue, until the socket was closed. */
    public synchronized long overflow() {
        if (closed) {
            return overflowAtClose;
        }
        try (Arena arena = Arena.ofConfined()) {
            return Integer.toUnsignedLong(MemoryInformation.drops(number, arena));
        }
    }

    /** Returns how a sleeping worker learns that it is readable. */
    public Readiness readiness() {
        return new Readiness.Descriptor(number, this::hold, this::release);
    }

    private void replaceByIdle() {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment errno = SystemCall.errno(arena);
            long idle = SystemCall.call(errno, SystemCall.EVENTFD2, 0, EFD_NONBLOCK_CLOEXEC, 0);
            if (idle >= 0) {
                SystemCall.call(errno, SystemCall.DUP3, idle, number, O_CLOEXEC);
                SystemCall.close((int) idle);
            }
        }
    }

    /** The result of SO_MEMINFO: nine 32-bit numbers, the last of them the drops (linux/sock_diag.h). */
    private static final class MemoryInformation {
        private static final int SOL_SOCKET = 1;
        private static final int SO_MEMINFO = 55;
        private static final int BYTES = 9 * Integer.BYTES;
        private static final int DROPS = 8 * Integer.BYTES;

        private MemoryInformation() {}

        static int drops(int number, Arena arena) {
            MemorySegment block = arena.allocate(64, Long.BYTES);
            MemorySegment length = arena.allocateFrom(JAVA_INT, BYTES);
            long result = SystemCall.call(
                    SystemCall.errno(arena),
                    SystemCall.GETSOCKOPT,
                    number,
                    SOL_SOCKET,
                    SO_MEMINFO,
                    block.address(),
                    length.address(),
                    0);
            return result == 0 ? block.get(JAVA_INT, DROPS) : 0;
        }
    }
}
