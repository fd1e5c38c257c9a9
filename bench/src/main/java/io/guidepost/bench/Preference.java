package io.guidepost.bench;

import io.guidepost.packet.SystemCall;
import java.lang.foreign.Arena;

/**
 * Has the kernel prefer the calling thread as much as it prefers the workers of the framework. The programs in C do the
 * same: or servers of one language would take from generator and strangers what those of the other do not get.
 */
final class Preference {
    /** What workers of the framework have. */
    private static final int NICE = -10;

    private Preference() {}

    /** Takes it where that is allowed; elsewhere the workers do not have it either. */
    static void take() {
        if (SystemCall.AVAILABLE) {
            try (Arena arena = Arena.ofConfined()) {
                SystemCall.call(SystemCall.errno(arena), SystemCall.SETPRIORITY, 0, 0, NICE);
            }
        }
    }
}
