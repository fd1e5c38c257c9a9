package io.guidepost.scaffold.stream;

import io.guidepost.base.Malformed;
import io.guidepost.scaffold.wire.ControlMessage;
import io.guidepost.scaffold.wire.ScaffoldLimits;
import java.nio.ByteBuffer;

/**
 * The head of a frame. A stream's TCP connection carries frames, one behind the other, in both directions; the first of each
 * direction are control messages. Positions count the bytes of one direction of the stream, from 0, and its end as one more.
 *
 * <pre>
 *   0        1             4                                        12
 *  | kind 1 | length 3    | number 8                               | as many bytes as the length says
 * </pre>
 *
 * @param number the position, or the reason, that the kind has; 0 for control messages
 * @param length bytes behind the head
 */
record StreamFrame(Kind kind, long number, int length) {
    static final int HEAD_BYTES = 12;

    private static final int KIND_SHIFT = 24;
    private static final int LENGTH_MASK = 0xff_ffff;

    /** What a frame is, with how many bytes it may have behind its head. */
    enum Kind {
        /** A message of {@code wire}: who the ends are, and which stream is meant. */
        CONTROL(1, ControlMessage.HEADER_BYTES, ScaffoldLimits.CONTROL_BYTES_MAX),
        /** Bytes of the program, the first at a position. */
        DATA(2, 1, StreamLimits.DATA_BYTES_MAX),
        /** The sender's program has no more bytes: its end has this position. */
        END(3, 0, 0),
        /** The sender's program has taken all that stands before a position. */
        TAKEN(4, 0, 0),
        /** What the receiver is to send on this connection begins at a position. */
        NEXT(5, 0, 0),
        /** What another instance needs to go on from here: the server has taken the client's bytes up to a position. */
        CONTINUATION(6, Continuation.BYTES_LEAST, ScaffoldLimits.CONTINUATION_BYTES_MAX),
        /** The stream is over without an end; the number says why, see {@link io.guidepost.scaffold.wire.Reason}. */
        RESET(7, 0, 0);

        private static final Kind[] ALL = values();

        private final int number;
        private final int least;
        private final int most;

        Kind(int number, int least, int most) {
            this.number = number;
            this.least = least;
            this.most = most;
        }
    }

    /** Writes the head, where there is room for it. */
    void write(ByteBuffer out) {
        out.putInt(kind.number << KIND_SHIFT | length).putLong(number);
    }

    /**
     * Reads a head of 12 bytes.
     *
     * @throws Malformed if it is none
     */
    static StreamFrame read(ByteBuffer in) throws Malformed {
        int first = in.getInt();
        long number = in.getLong();
        int kind = first >>> KIND_SHIFT;
        int length = first & LENGTH_MASK;
        if (kind < 1 || kind > Kind.ALL.length) {
            throw new Malformed("there is no frame of kind " + kind, 0);
        }
        Kind known = Kind.ALL[kind - 1];
        if (length < known.least || length > known.most) {
            throw new Malformed(known + " has " + known.least + " to " + known.most + " bytes, not " + length, 1);
        }
        if (number < 0 || number > Long.MAX_VALUE - length - 1 || known == Kind.CONTROL && number != 0) {
            throw new Malformed(known + " has no number " + number, Integer.BYTES);
        }
        return new StreamFrame(known, number, length);
    }
}
