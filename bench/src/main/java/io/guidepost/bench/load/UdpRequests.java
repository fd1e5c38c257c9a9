package io.guidepost.bench.load;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;

/** The prepared requests of a UDP protocol, and the check of its responses. */
public interface UdpRequests {
    ValueLayout.OfInt INT = ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);

    /** Returns the number of requests. */
    int count();

    /** Returns a shared request, whose id the caller sets. */
    byte[] message(int number);

    /** Returns the offset of the 32-bit request id in requests and responses. */
    int idOffset();

    /** Returns the bits of an id that requests and responses carry. */
    default int idMask() {
        return -1;
    }

    /** Returns the id of a response. */
    default int idOf(MemorySegment segment, long offset) {
        return segment.get(INT, offset + idOffset());
    }

    /** Sets the id of a request. */
    default void setId(MemorySegment segment, long offset, int id) {
        segment.set(INT, offset + idOffset(), id);
    }

    /** Returns whether a datagram has the form of a response, so that its id can be read. */
    boolean isResponse(MemorySegment segment, long offset, int length);

    /** Returns the outcome of a response to a request. */
    GnrsAnswerCheck.Verdict verdict(int number, MemorySegment segment, long offset, int length);
}
