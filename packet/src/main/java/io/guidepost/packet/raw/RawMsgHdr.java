package io.guidepost.packet.raw;

import io.guidepost.base.Memory;
import io.guidepost.packet.linux.MappedMemory;
import io.guidepost.packet.linux.MsgHdr;

/** The {@link MsgHdr} table of recvmmsg and sendmmsg for frames: no peer addresses, one or two iovecs for each message. */
final class RawMsgHdr {
    /** Bytes for the control messages of a message: the requested one has 40. */
    private static final int CONTROL_SHIFT = 6;

    private final long headers;
    private final long vectors;
    private final long controls;
    private final int vectorsEach;

    /** Creates a table that is never freed, as a worker may use it after its port was closed. */
    RawMsgHdr(int messages, int vectorsEach) {
        this.vectorsEach = vectorsEach;
        long vectorBytes = (long) vectorsEach * messages << MsgHdr.VECTOR_SHIFT;
        headers = new MappedMemory(((long) messages << MsgHdr.HEADER_SHIFT + 1) + vectorBytes).segment().address();
        controls = headers + ((long) messages << MsgHdr.HEADER_SHIFT);
        vectors = controls + ((long) messages << CONTROL_SHIFT);
        for (int i = 0; i < messages; i++) {
            Memory.put64Le(header(i) + MsgHdr.VECTOR, vector(i, 0));
            Memory.put64Le(header(i) + MsgHdr.VECTOR_COUNT, vectorsEach);
        }
    }

    /** Returns the address of a message's header. */
    long header(int message) {
        return headers + ((long) message << MsgHdr.HEADER_SHIFT);
    }

    private long vector(int message, int which) {
        return vectors + ((long) message * vectorsEach + which << MsgHdr.VECTOR_SHIFT);
    }

    /** Sets one iovec of a message. */
    void bytes(int message, int which, long address, long length) {
        long vector = vector(message, which);
        Memory.put64Le(vector, address);
        Memory.put64Le(vector + Long.BYTES, length);
    }

    /** Sets the only iovec of a message. */
    void bytes(int message, long address, long length) {
        bytes(message, 0, address, length);
        pieces(message, 1);
    }

    /** Sets the number of iovecs of a message, if not the maximum. */
    void pieces(int message, int number) {
        Memory.put64Le(header(message) + MsgHdr.VECTOR_COUNT, number);
    }

    /** Resets the length of the control buffer, which the kernel overwrites. */
    void controlRoom(int message) {
        Memory.put64Le(header(message) + MsgHdr.CONTROL, control(message));
        Memory.put64Le(header(message) + MsgHdr.CONTROL_LENGTH, 1 << CONTROL_SHIFT);
    }

    /** Returns the address of a message's control messages. */
    long control(int message) {
        return controls + ((long) message << CONTROL_SHIFT);
    }

    int flags(int message) {
        return Memory.i32Le(header(message) + MsgHdr.FLAGS);
    }

    /** Returns the bytes that the kernel wrote or took. */
    int length(int message) {
        return Memory.i32Le(header(message) + MsgHdr.LENGTH);
    }
}
