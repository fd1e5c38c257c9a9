package io.guidepost.middlebox.nat;

import io.guidepost.base.Memory;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * TCP state tracking (conntrack) of mappings: a FIN or RST counts only if its sequence number is one that the
 * sender may use now (RFC 7857 section 2, RFC 5961), so that a stranger's guess does not shorten a mapping. All packets pass: what
 * does not fit is without effect here, and the hosts judge it themselves.
 *
 * <pre>
 *  for each mapping and direction   next sequence number 32 | last acknowledgement 32; 0 = nothing was seen
 * </pre>
 *
 * An endpoint-independent mapping may carry several connections; the last one that begins or ends decides. Workers share it without
 * a lock: what one overwrites of another's is a number seen just now.
 */
final class TcpTracking {
    /** States. */
    static final int OPENING = 0;

    static final int ESTABLISHED = 1;

    /** The inside has sent a FIN. */
    static final int FIN_OUTWARD = 2;

    /** The outside has sent a FIN. */
    static final int FIN_INWARD = 3;

    static final int CLOSING = 4;

    private static final VarHandle LONG = MethodHandles.arrayElementVarHandle(long[].class);
    private static final int FIN = 1;
    private static final int SYN = 2;
    private static final int RST = 4;
    private static final int ACK = 16;

    private final long[] sides;

    /** Tracks mappings with a number of 0 or more, up to a bound. */
    TcpTracking(int mappings) {
        sides = new long[2 * mappings];
    }

    /** Forgets what was seen of the former connection of a mapping. */
    void begin(int mapping) {
        LONG.setOpaque(sides, mapping << 1, 0L);
        LONG.setOpaque(sides, mapping << 1 | 1, 0L);
    }

    private static int next(long side) {
        return (int) (side >>> 32);
    }

    private static int acknowledged(long side) {
        return (int) side;
    }

    private static long side(int next, int acknowledged) {
        return (long) next << 32 | acknowledged & 0xffff_ffffL;
    }

    /**
     * Returns the state after a segment.
     *
     * @param segment address of the TCP header
     * @param bytes of the segment that are there, at least 20
     */
    int after(int mapping, int state, long segment, int bytes, boolean inward) {
        int ownAt = mapping << 1 | (inward ? 1 : 0);
        long own = (long) LONG.getOpaque(sides, ownAt);
        long other = (long) LONG.getOpaque(sides, ownAt ^ 1);
        int flags = Memory.u8(segment + 13);
        int sequence = Memory.i32(segment + 4);
        int acknowledgement = (flags & ACK) != 0 ? Memory.i32(segment + 8) : 0;
        if ((flags & (SYN | RST)) == SYN) {
            return opens(ownAt, state, inward, (flags & ACK) != 0, sequence, acknowledgement);
        }
        if ((flags & (RST | FIN)) != 0 && !isNext(sequence, own, other)) {
            return state;
        }
        if ((flags & RST) != 0) {
            return CLOSING;
        }
        int end = sequence + Math.max(0, bytes - ((Memory.u8(segment + 12) >>> 4) << 2)) + (flags & FIN);
        if (acknowledged(other) == 0 || Integer.compareUnsigned(end - acknowledged(other), NatLimits.TCP_WINDOW) <= 0) {
            int next = own == 0 || end - next(own) > 0 ? end : next(own);
            LONG.setOpaque(sides, ownAt, side(next, (flags & ACK) != 0 ? acknowledgement : acknowledged(own)));
        }
        if ((flags & FIN) == 0 || state == OPENING || state == CLOSING) {
            return state;
        }
        int closed = inward ? FIN_INWARD : FIN_OUTWARD;
        return state == ESTABLISHED || state == closed ? closed : CLOSING;
    }

    private int opens(int ownAt, int state, boolean inward, boolean answers, int sequence, int acknowledgement) {
        if (!inward) {
            LONG.setOpaque(sides, ownAt, side(sequence + 1, acknowledgement));
            if (!answers && (state == OPENING || state == CLOSING)) {
                LONG.setOpaque(sides, ownAt ^ 1, 0L);
                return OPENING;
            }
            return state;
        }
        long other = (long) LONG.getOpaque(sides, ownAt ^ 1);
        if (state != OPENING || answers && other != 0 && acknowledgement != next(other)) {
            return state;
        }
        LONG.setOpaque(sides, ownAt, side(sequence + 1, acknowledgement));
        return ESTABLISHED;
    }

    /** Returns whether a number lies between what the other side has acknowledged and what this one has sent. */
    private static boolean isNext(int sequence, long own, long other) {
        return acknowledged(other) == 0 || own == 0 || sequence - acknowledged(other) >= 0 && sequence - next(own) <= 0;
    }

    /** Returns whether a connection in a state is open, on one side at least. */
    static boolean isOpen(int state) {
        return state == ESTABLISHED || state == FIN_OUTWARD || state == FIN_INWARD;
    }
}
