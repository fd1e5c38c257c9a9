package io.guidepost.packet;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/** Where the calling thread runs and how exactly it is woken; Linux alone. */
final class Affinity {
    private static final int PR_SET_TIMERSLACK = 29;

    private Affinity() {}

    /**
     * Keeps the calling thread on one processor.
     *
     * @return null if that worked, else why it did not
     */
    static @Nullable String pin(int cpu) {
        if (!SystemCall.AVAILABLE) {
            return "this system has no call for it that is known here";
        }
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment mask = arena.allocate(Limits.CPUS_MAX / Byte.SIZE, Long.BYTES);
            mask.setAtIndex(JAVA_LONG, cpu / Long.SIZE, 1L << cpu);
            long result = SystemCall.call(
                    SystemCall.errno(arena), SystemCall.SCHED_SETAFFINITY, 0, mask.byteSize(), mask.address());
            return result == 0 ? null : SystemCall.meaning((int) -result);
        }
    }

    /** Lets the kernel be only a nanosecond late with the calling thread's time-outs, where the usual is 50 us. */
    static void wakeExactly() {
        if (SystemCall.AVAILABLE) {
            try (Arena arena = Arena.ofConfined()) {
                SystemCall.call(SystemCall.errno(arena), SystemCall.PRCTL, PR_SET_TIMERSLACK, 1, 0);
            }
        }
    }

    /**
     * Has the kernel prefer the calling thread to others of its processor.
     *
     * @param nice -20 to 19; smaller is before greater
     * @return whether the kernel did; below 0 it wants a privilege (CAP_SYS_NICE, or a limit that allows it)
     */
    static boolean prefer(int nice) {
        if (!SystemCall.AVAILABLE) {
            return false;
        }
        try (Arena arena = Arena.ofConfined()) {
            // PRIO_PROCESS and 0: of Linux that is this one thread.
            return SystemCall.call(SystemCall.errno(arena), SystemCall.SETPRIORITY, 0, 0, nice) == 0;
        }
    }
}
