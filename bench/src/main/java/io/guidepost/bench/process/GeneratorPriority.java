package io.guidepost.bench.process;

import io.guidepost.packet.linux.SystemCall;
import java.lang.foreign.Arena;

/**
 * Raises the scheduling priority of the calling thread to that of the framework's workers. The C programs do the same:
 * otherwise servers of one language would take time from generator and other processes that those of the other do not
 * get.
 */
public final class GeneratorPriority {
    /** Nice value of the framework's workers. */
    private static final int NICE = -10;

    private GeneratorPriority() {}

    /** Sets it where that is permitted; elsewhere the workers do not have it either. */
    public static void take() {
        if (SystemCall.AVAILABLE) {
            try (Arena arena = Arena.ofConfined()) {
                SystemCall.call(SystemCall.errno(arena), SystemCall.SETPRIORITY, 0, 0, NICE);
            }
        }
    }
}
