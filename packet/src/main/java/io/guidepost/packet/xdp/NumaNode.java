package io.guidepost.packet.xdp;

import io.guidepost.packet.linux.SystemCall;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;

/** Puts memory near a device, on machines whose memory is in several nodes (mbind(2)). */
final class NumaNode {
    private static final int MPOL_PREFERRED = 1;

    private NumaNode() {}

    /**
     * Prefers pages of a node for memory that was not touched yet; on a machine of one node there is nothing to do.
     *
     * @param node as the device tells it, negative if it does not
     * @return whether the kernel took the advice
     */
    static boolean prefer(MemorySegment segment, int node) {
        return node >= 0 && node < Long.SIZE && areSeveral() && bind(segment, node);
    }

    /** As above, whatever the machine has. */
    static boolean bind(MemorySegment segment, int node) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment mask = arena.allocateFrom(ValueLayout.JAVA_LONG, 1L << node);
            // The kernel wants one bit more than the mask has.
            return SystemCall.call(
                            SystemCall.errno(arena),
                            SystemCall.MBIND,
                            segment.address(),
                            segment.byteSize(),
                            MPOL_PREFERRED,
                            mask.address(),
                            Long.SIZE + 1,
                            0)
                    == 0;
        }
    }

    private static boolean areSeveral() {
        try {
            return !Files.readString(Path.of("/sys/devices/system/node/possible")).strip().equals("0");
        } catch (IOException e) {
            return false;
        }
    }
}
