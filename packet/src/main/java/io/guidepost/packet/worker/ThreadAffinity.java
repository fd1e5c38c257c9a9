package io.guidepost.packet.worker;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.guidepost.packet.PacketLimits;
import io.guidepost.packet.linux.SystemCall;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/** CPU affinity, scheduling class and timer slack of the calling thread; Linux alone. */
final class ThreadAffinity {
    private static final int PR_SET_TIMERSLACK = 29;
    private static final int SCHED_ATTR_BYTES = 48;
    private static final long SCHED_FLAG_KEEP_POLICY = 8;
    private static final long SCHED_FLAG_RESET_ON_FORK = 1;
    private static final int SCHED_OTHER = 0;
    private static final int SCHED_FIFO = 1;

    /** The kernel's number for the calling thread. */
    static final int THIS_THREAD = 0;

    private ThreadAffinity() {}

    /**
     * Pins the calling thread to one processor.
     *
     * @return null on success, else the reason
     */
    static @Nullable String pin(int cpu) {
        if (!SystemCall.AVAILABLE) {
            return "this system has no call for it that is known here";
        }
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment mask = arena.allocate(PacketLimits.CPUS_MAX / Byte.SIZE, Long.BYTES);
            mask.setAtIndex(JAVA_LONG, cpu / Long.SIZE, 1L << cpu);
            long result = SystemCall.call(
                    SystemCall.errno(arena), SystemCall.SCHED_SETAFFINITY, 0, mask.byteSize(), mask.address());
            return result == 0 ? null : SystemCall.meaning((int) -result);
        }
    }

    /** Sets the calling thread's timer slack to a nanosecond; the default is 50 us. */
    static void wakeExactly() {
        if (SystemCall.AVAILABLE) {
            try (Arena arena = Arena.ofConfined()) {
                SystemCall.call(SystemCall.errno(arena), SystemCall.PRCTL, PR_SET_TIMERSLACK, 1, 0);
            }
        }
    }

    /**
     * Sets the nice value of the calling thread and gives it short slices: with EEVDF a waking thread with a shorter
     * slice preempts one with a longer (Linux 6.12 and later; before, slices stay unchanged).
     *
     * @param nice -20 to 19; a smaller value has priority
     * @param sliceNanos 100,000 to 100,000,000
     * @return whether the kernel did all of it; a smaller nice value needs CAP_SYS_NICE or a limit that allows it, the
     *     slice does not
     */
    static boolean prefer(int nice, long sliceNanos) {
        if (!SystemCall.AVAILABLE) {
            return false;
        }
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment attributes = attributes(arena, SCHED_OTHER, SCHED_FLAG_KEEP_POLICY, nice, sliceNanos);
            MemorySegment errno = SystemCall.errno(arena);
            if (SystemCall.call(errno, SystemCall.SCHED_SETATTR, 0, attributes.address(), 0) == 0) {
                return true;
            }
            attributes.set(JAVA_INT, 16, nice(errno, THIS_THREAD));
            SystemCall.call(errno, SystemCall.SCHED_SETATTR, 0, attributes.address(), 0);
            return false;
        }
    }

    /** Returns the kernel's number of the calling thread; 0 where it is unknown. */
    static int thread() {
        if (!SystemCall.AVAILABLE) {
            return THIS_THREAD;
        }
        try (Arena arena = Arena.ofConfined()) {
            return (int) SystemCall.call(SystemCall.errno(arena), SystemCall.GETTID, 0, 0, 0);
        }
    }

    /**
     * Schedules a thread under SCHED_FIFO, or again under the normal class. Its new threads start in the normal class.
     *
     * @param thread of this process, or {@link #THIS_THREAD}
     * @param priority 1 to 99 for SCHED_FIFO; 0 = normal class
     * @return whether the kernel did it; SCHED_FIFO needs CAP_SYS_NICE or an {@code rtprio} limit
     */
    static boolean realTime(int thread, int priority) {
        if (!SystemCall.AVAILABLE) {
            return false;
        }
        boolean fair = priority == 0;
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment errno = SystemCall.errno(arena);
            MemorySegment attributes = fair
                    ? attributes(
                            arena, SCHED_OTHER, SCHED_FLAG_RESET_ON_FORK, nice(errno, thread), PacketLimits.WORKER_SLICE_NANOS)
                    : attributes(arena, SCHED_FIFO, SCHED_FLAG_RESET_ON_FORK, 0, 0);
            attributes.set(JAVA_INT, 20, priority);
            return SystemCall.call(errno, SystemCall.SCHED_SETATTR, thread, attributes.address(), 0) == 0;
        }
    }

    /**
     * Returns the scheduling attributes without a priority.
     *
     * <pre>
     * struct sched_attr   0 size | 4 policy | 8 flags | 16 nice | 20 priority | 24 runtime: the slice | 32 deadline | 40 period
     * </pre>
     */
    private static MemorySegment attributes(Arena arena, int policy, long flags, int nice, long sliceNanos) {
        MemorySegment attributes = arena.allocate(SCHED_ATTR_BYTES, Long.BYTES);
        attributes.set(JAVA_INT, 0, SCHED_ATTR_BYTES);
        attributes.set(JAVA_INT, 4, policy);
        attributes.set(JAVA_LONG, 8, flags);
        attributes.set(JAVA_INT, 16, nice);
        attributes.set(JAVA_LONG, 24, sliceNanos);
        return attributes;
    }

    /** Returns the nice value of a thread in the normal class, also while it runs under SCHED_FIFO. */
    private static int nice(MemorySegment errno, int thread) {
        // PRIO_PROCESS: on Linux that is one thread. The call returns 20 - nice, as a negative result is an error.
        return 20 - (int) SystemCall.call(errno, SystemCall.GETPRIORITY, 0, thread, 0);
    }
}
