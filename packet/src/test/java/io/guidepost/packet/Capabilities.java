package io.guidepost.packet;

import static org.assertj.core.api.Assertions.assertThat;

import io.guidepost.base.Memory;
import io.guidepost.packet.linux.SystemCall;
import java.lang.foreign.Arena;

/** The capabilities of a thread, which root's threads can give up. */
public final class Capabilities {
    private Capabilities() {}

    /** Gives up all of the calling thread, for good: the thread must end soon. */
    public static void drop() {
        boolean x86 = System.getProperty("os.arch").equals("amd64");
        try (Arena arena = Arena.ofConfined()) {
            long header = arena.allocate(32, Long.BYTES).address();
            Memory.put32Le(header, 0x2008_0522);
            assertThat(SystemCall.call(SystemCall.errno(arena), x86 ? 126 : 91, header, header + 8, 0)).isZero();
        }
    }
}
