package io.guidepost.bench.process;

import io.guidepost.packet.linux.SystemCall;
import java.lang.foreign.Arena;
import java.util.concurrent.locks.LockSupport;

/**
 * Raises the scheduling priority of the calling thread to that of the framework's workers. The C programs do the same:
 * otherwise servers of one language would take time from generator and other processes that those of the other do not
 * get.
 */
public final class GeneratorPriority {
    /** Whether others compute on the generator's processor, whose figures then mean nothing: it gives way to them. */
    private static final boolean SHARED = Boolean.getBoolean("guidepost.bench.shared");

    private static final long SHARED_PAUSE_NANOS = 50_000;

    /** Nice value of the framework's workers. */
    private static final int NICE = -10;

    private GeneratorPriority() {}

    /** Sets it where that is permitted; elsewhere the workers do not have it either. */
    public static void take() {
        if (SystemCall.AVAILABLE && !SHARED) {
            try (Arena arena = Arena.ofConfined()) {
                SystemCall.call(SystemCall.errno(arena), SystemCall.SETPRIORITY, 0, 0, NICE);
            }
        }
    }

    /** Called after a turn that moved nothing; returns at once unless the processor is shared. */
    public static void idle() {
        if (SHARED) {
            LockSupport.parkNanos(SHARED_PAUSE_NANOS);
        }
    }
}
