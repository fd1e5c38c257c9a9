package io.guidepost.scaffold.flow;

import io.guidepost.base.Memory;
import io.guidepost.scaffold.segment.IpPacket;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/**
 * Data segments of a flow that its peer has not acknowledged, the oldest ones, in the order in which they were sent: after an
 * outage they are sent again at once, where the kernel would wait for its retransmission timer. Belongs to one thread.
 */
final class HeldFlight {
    /** Segments of one flow; what is beyond them is left to the kernel. */
    static final int SEGMENTS_MAX = 42;

    private static final int SLOT_BYTES = 1_536;
    private static final int HEAD_BYTES = FlowMachine.HEADROOM_BYTES;
    private static final int LENGTH = 0;
    private static final int END = 4;

    /** Memory for the flights of all flows of a gateway. */
    static final class Pool {
        /** Flights that are held at a time: 64 MiB. */
        static final int FLIGHTS_MAX = 1_024;

        private final Arena arena = Arena.ofAuto();
        private final ArrayDeque<MemorySegment> free = new ArrayDeque<>();
        private int made;

        @Nullable
        HeldFlight take() {
            MemorySegment room = free.poll();
            if (room == null && made < FLIGHTS_MAX) {
                room = arena.allocate((long) SEGMENTS_MAX * SLOT_BYTES, Long.BYTES);
                made++;
            }
            return room == null ? null : new HeldFlight(room);
        }

        void free(HeldFlight flight) {
            free.add(flight.room);
        }
    }

    private final MemorySegment room;
    private final long first;
    private int head;
    private int count;

    private HeldFlight(MemorySegment room) {
        this.room = room;
        this.first = room.address();
    }

    private long slot(int index) {
        return first + (long) ((head + index) % SEGMENTS_MAX) * SLOT_BYTES;
    }

    /** Keeps a copy of a segment, unless it is too long, there are too many, or it is one of these. */
    void hold(IpPacket packet) {
        int end = packet.sequence() + packet.payloadBytes();
        if (count == SEGMENTS_MAX
                || packet.length() > SLOT_BYTES - HEAD_BYTES
                || count > 0 && end - Memory.i32(slot(count - 1) + END) <= 0) {
            return;
        }
        long slot = slot(count++);
        Memory.put32(slot + LENGTH, packet.length());
        Memory.put32(slot + END, end);
        MemorySegment.copy(Memory.ALL, packet.address(), Memory.ALL, slot + HEAD_BYTES, packet.length());
    }

    /** Drops what the peer has acknowledged. */
    void acknowledged(int number) {
        while (count > 0 && Memory.i32(slot(0) + END) - number <= 0) {
            head = (head + 1) % SEGMENTS_MAX;
            count--;
        }
    }

    int count() {
        return count;
    }

    /** Returns the address of a segment, with the headroom of a packet before it. */
    long packet(int index) {
        return slot(index) + HEAD_BYTES;
    }

    int length(int index) {
        return Memory.i32(slot(index) + LENGTH);
    }
}
