package io.guidepost.handle.message;

import io.guidepost.base.Malformed;
import io.guidepost.handle.HandleLimits;
import io.guidepost.handle.WireReader;
import io.guidepost.handle.WireRecord;
import io.guidepost.handle.WireWriter;

/** The position up to which a mirror has its source's changes. */
public sealed interface ReplicationPosition extends WireRecord {
    /**
     * A position by number and time of the last transaction.
     *
     * @param transactionId its number
     * @param dateMillis time of the last request, milliseconds since 1970
     * @param marked whether the kind of position is stated, as from 2.9 on
     */
    record Last(long transactionId, long dateMillis, boolean marked) implements ReplicationPosition {
        @Override
        public void write(WireWriter out) {
            if (marked) {
                out.u8(LAST);
            }
            out.u64(transactionId).u64(dateMillis);
        }
    }

    /**
     * A position by the state of each source, in JSON.
     *
     * @param json the state
     */
    record State(String json) implements ReplicationPosition {
        @Override
        public void write(WireWriter out) {
            out.u8(STATE).text(json);
        }
    }

    /** The kind of a position by number and time. */
    int LAST = 0;

    /** The kind of a position in JSON. */
    int STATE = 1;

    /** Reads the position in a message of a version. */
    static ReplicationPosition readPrefix(ProtocolVersion version, WireReader in) throws Malformed {
        if (!version.marksPosition()) {
            return new Last(in.u64(), in.u64(), false);
        }
        int at = in.position();
        return switch (in.u8()) {
            case LAST -> new Last(in.u64(), in.u64(), true);
            case STATE -> new State(in.text(HandleLimits.MESSAGE_BYTES_MAX));
            default -> throw new Malformed("a position is 0 (number and time) or 1 (state)", at);
        };
    }
}
