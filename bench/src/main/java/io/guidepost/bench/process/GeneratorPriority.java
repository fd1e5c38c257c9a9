package io.guidepost.bench.process;

import io.guidepost.packet.linux.SystemCall;
import java.lang.foreign.Arena;

/**
 * Has the kernel prefer the calling thread as much as it prefers the workers of the framework. The programs in C do the
 * same: or servers of one language would take from generator and strangers what those of the other do not get.
 */
public final class GeneratorPriority {
    /** What workers of the framework have. */
    private static final int NICE = -10;

    private GeneratorPriority() {}

    /** Takes it where that is allowed; elsewhere the workers do not have it either. */
    public static void take() {
        if (SystemCall.AVAILABLE) {
            try (Arena arena = Arena.ofConfined()) {
                SystemCall.call(SystemCall.errno(arena), SystemCall.SETPRIORITY, 0, 0, NICE);
            }
        }
    }
}
