package io.guidepost.gnrs.site;

import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/** Asks a server for its sums of half of all ranges, and tells it those here. */
abstract class DigestsQuestion extends Question {
    static final int BYTES = SiteWire.HEADER_BYTES + SiteWire.DIGESTS_AT + 8 * CatchUpLimits.DIGESTS_MAX;

    private final @Nullable Peer own;
    private final long fingerprint;
    private final int first;
    private final long[] ours;

    /** Asks for the ranges from {@code first} on; {@code ours} are the sums of all ranges. */
    DigestsQuestion(Peer peer, @Nullable Peer own, long fingerprint, int first, long[] ours) {
        super(peer);
        this.own = own;
        this.fingerprint = fingerprint;
        this.first = first;
        this.ours = ours;
    }

    /** The server has other tables. */
    abstract void otherTables();

    /** The server has not yet summed up what it has. */
    abstract void notReady();

    /** The server's sums, of the ranges that were asked for. */
    abstract void summed(long[] theirs);

    @Override
    int write(MemorySegment room, long at, int length, int messageId) {
        if (length < BYTES) {
            return 0;
        }
        SiteWire.header(room, at, SiteWire.DIGESTS, BYTES, messageId);
        long to = at + SiteWire.HEADER_BYTES;
        room.set(SiteWire.LONG, to, fingerprint);
        room.set(SiteWire.SHORT, to + 8, (short) first);
        room.set(SiteWire.SHORT, to + 10, (short) CatchUpLimits.DIGESTS_MAX);
        SiteWire.asker(room, to + 12, own);
        for (int i = 0; i < CatchUpLimits.DIGESTS_MAX; i++) {
            room.set(SiteWire.LONG, to + SiteWire.DIGESTS_AT + 8L * i, ours[first + i]);
        }
        return BYTES;
    }

    @Override
    boolean answered(MemorySegment segment, long at, int length, long rttNanos) {
        long from = at + SiteWire.HEADER_BYTES;
        int bare = SiteWire.HEADER_BYTES + SiteWire.DIGESTS_RESPONSE_AT;
        if (!SiteWire.isResponse(segment, at, SiteWire.DIGESTS) || length < bare) {
            return false;
        }
        int number = Short.toUnsignedInt(segment.get(SiteWire.SHORT, from + 10));
        if (length != bare + 8 * number
                || number != 0 && number != CatchUpLimits.DIGESTS_MAX
                || Short.toUnsignedInt(segment.get(SiteWire.SHORT, from + 8)) != first) {
            return false;
        }
        if (segment.get(SiteWire.LONG, from) != fingerprint) {
            otherTables();
        } else if (number == 0) {
            notReady();
        } else {
            long[] theirs = new long[number];
            for (int i = 0; i < number; i++) {
                theirs[i] = segment.get(SiteWire.LONG, from + SiteWire.DIGESTS_RESPONSE_AT + 8L * i);
            }
            summed(theirs);
        }
        return true;
    }
}
