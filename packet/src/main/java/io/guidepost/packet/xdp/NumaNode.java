package io.guidepost.packet.xdp;

import io.guidepost.packet.linux.SystemCall;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;

/** Places memory on the NUMA node of a device (mbind(2)). */
final class NumaNode {
    private static final int MPOL_PREFERRED = 1;

    private NumaNode() {}

    /**
     * Prefers a node for untouched pages; does nothing on a machine with one node.
     *
     * @param node as the device reports it, negative if it does not
     * @return whether the kernel took the advice
     */
    static boolean prefer(MemorySegment segment, int node) {
        return node >= 0 && node < Long.SIZE && areSeveral() && bind(segment, node);
    }

    /** Prefers a node on any machine. */
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
