package io.guidepost.scaffold.segment;

import io.guidepost.base.Memory;
import io.guidepost.packet.frame.InternetChecksum;
import io.guidepost.packet.frame.Tcp;

/**
 * One TCP connection as the client's kernel has it, on another as the instance's kernel has it. The client keeps the numbers of
 * the first instance for good; what passes is shifted:
 *
 * <pre>
 *                       client's segment, to the instance      instance's segment, to the client
 *  sequence number      + requestShift                         - responseShift
 *  acknowledgment       + responseShift                        - requestShift
 *  SACK edges           + responseShift                        - requestShift
 *  TSval, TSecr         TSecr + clockShift                     TSval - clockShift
 *  window               as it is: the SYN was the same         rescaled to the scale that the client knows
 * </pre>
 *
 * <p>All shifts are relative to the first instance, never to the one before, so a second failover needs no more state. Without
 * a shift a segment passes unread. Not thread-safe.
 */
public final class Splice {
    private static final int SEQUENCE = 4;
    private static final int ACKNOWLEDGMENT = 8;
    private static final int FLAGS = 13;
    private static final int WINDOW = 14;
    private static final int TSECR = 6;
    private static final int WINDOW_MAX = 0xffff;

    private final TcpOptions options;
    private boolean shifted;
    private int requestShift;
    private int responseShift;
    private int clockShift;
    private int firstScale;
    private int scale;
    private boolean clientScales;
    private boolean clientSacks;
    private boolean clientClocks;
    private boolean sacks;

    /** Creates one that is still to be told of the first SYN-ACK; of a reader of options all connections of a thread need one. */
    public Splice(TcpOptions options) {
        this.options = options;
    }

    /** Takes what the client and the first instance have agreed on. The first SYN-ACK is there as a whole. */
    public boolean first(long synAck) {
        if (!options.read(synAck)) {
            return false;
        }
        firstScale = options.windowScale();
        scale = firstScale;
        clientScales = options.scales();
        clientSacks = options.sackPermitted();
        clientClocks = options.timestamps() != TcpOptions.NONE;
        sacks = clientSacks;
        shifted = false;
        return true;
    }

    /**
     * Goes on with another instance.
     *
     * @param synAck its SYN-ACK to the client's own SYN
     * @param response what its sequence numbers are more than the client's view of them
     * @param request what the client's sequence numbers become more, as bytes were put into its request
     * @param lastClock the last timestamp that the client had
     * @return false if the instance has not agreed to what the client counts on: the flow is to be reset
     */
    public boolean next(long synAck, int response, int request, int lastClock) {
        if (!options.read(synAck)) {
            return false;
        }
        scale = options.windowScale();
        sacks = options.sackPermitted();
        if (clientClocks && options.timestamps() == TcpOptions.NONE) {
            return false;
        }
        // Its clock goes on from what the client saw last, so that none of its segments looks old (RFC 7323 section 5).
        clockShift = clientClocks ? options.clock(synAck, 0) - lastClock : 0;
        responseShift = response;
        requestShift = request;
        shifted = true;
        return true;
    }

    /** Returns whether segments are rewritten. */
    public boolean isShifted() {
        return shifted;
    }

    /** Writes the shifts and what was agreed on, in 16 bytes. */
    public void keep(long at) {
        Memory.put32(at, requestShift);
        Memory.put32(at + 4, responseShift);
        Memory.put32(at + 8, clockShift);
        Memory.put8(at + 12, firstScale);
        Memory.put8(at + 13, scale);
        int agreed = (clientScales ? 2 : 0) | (clientSacks ? 4 : 0) | (clientClocks ? 8 : 0) | (sacks ? 16 : 0);
        Memory.put8(at + 14, agreed | (shifted ? 1 : 0));
    }

    /** Returns what {@link #keep} has written. */
    public static Splice kept(long at, TcpOptions options) {
        Splice splice = new Splice(options);
        splice.requestShift = Memory.i32(at);
        splice.responseShift = Memory.i32(at + 4);
        splice.clockShift = Memory.i32(at + 8);
        splice.firstScale = Memory.u8(at + 12);
        splice.scale = Memory.u8(at + 13);
        int agreed = Memory.u8(at + 14);
        splice.shifted = (agreed & 1) != 0;
        splice.clientScales = (agreed & 2) != 0;
        splice.clientSacks = (agreed & 4) != 0;
        splice.clientClocks = (agreed & 8) != 0;
        splice.sacks = (agreed & 16) != 0;
        return splice;
    }

    /** Leaves in the client's SYN, which is to go to another instance, only what the first has agreed to. */
    public void prepare(long syn) {
        TcpOptions.retain(syn, clientScales, clientSacks, clientClocks);
    }

    /** Returns what is added to the sequence numbers of the client. */
    public int requestShift() {
        return requestShift;
    }

    /**
     * Rewrites a segment of the client.
     *
     * @param responseEnd how far the instance has sent, in its numbers. The client may have more of an instance before, but a
     *     kernel ignores acknowledgments of what it has not sent
     * @return false if it is no segment that could be rewritten: it is to be dropped
     */
    public boolean rewriteRequest(long tcp, int responseEnd) {
        if (!shifted) {
            return true;
        }
        if (!options.read(tcp)) {
            return false;
        }
        long change = add32(tcp, SEQUENCE, requestShift);
        if (hasAck(tcp)) {
            int ahead = Memory.i32(tcp + ACKNOWLEDGMENT) + responseShift - responseEnd;
            change += add32(tcp, ACKNOWLEDGMENT, responseShift - Math.max(0, ahead));
        }
        if (options.sack() != TcpOptions.NONE) {
            change += sacks && areSent(tcp, responseEnd) ? shiftBlocks(tcp, responseShift) : eraseBlocks(tcp);
        }
        if (options.timestamps() != TcpOptions.NONE) {
            change += add32(tcp, options.timestamps() + TSECR, clockShift);
        }
        mend(tcp, change);
        return true;
    }

    /** Rewrites a segment of the instance, see {@link #rewriteRequest}. */
    public boolean rewriteResponse(long tcp) {
        if (!shifted) {
            return true;
        }
        if (!options.read(tcp)) {
            return false;
        }
        long change = add32(tcp, SEQUENCE, -responseShift);
        if (hasAck(tcp)) {
            change += add32(tcp, ACKNOWLEDGMENT, -requestShift);
        }
        if (options.sack() != TcpOptions.NONE) {
            change += clientSacks ? shiftBlocks(tcp, -requestShift) : eraseBlocks(tcp);
        }
        if (options.timestamps() != TcpOptions.NONE) {
            change += add32(tcp, options.timestamps() + TcpOptions.TSVAL, -clockShift);
        }
        if (scale != firstScale) {
            int before = Memory.u16(tcp + WINDOW);
            int after = (int) Math.min(((long) before << scale) >>> firstScale, WINDOW_MAX);
            Memory.put16(tcp + WINDOW, after);
            change += InternetChecksum.change16(before, after);
        }
        mend(tcp, change);
        return true;
    }

    private static boolean hasAck(long tcp) {
        return (Memory.u8(tcp + FLAGS) & Tcp.ACK) != 0;
    }

    /** Returns whether the instance has sent all that the client has behind a gap: some may be of the one before. */
    private boolean areSent(long tcp, int responseEnd) {
        for (int i = 0; i < options.sackBlocks(); i++) {
            int edge = options.sack() + 2 + (2 * i + 1) * Integer.BYTES;
            int right = Memory.i32(tcp + edge) + responseShift;
            if (right - responseEnd > 0) {
                return false;
            }
        }
        return true;
    }

    private long shiftBlocks(long tcp, int shift) {
        long change = 0;
        for (int i = 0; i < 2 * options.sackBlocks(); i++) {
            change += add32(tcp, options.sack() + 2 + i * Integer.BYTES, shift);
        }
        return change;
    }

    private long eraseBlocks(long tcp) {
        int at = options.sack();
        int end = at + 2 + options.sackBlocks() * 2 * Integer.BYTES;
        long before = words(tcp, at, end, true);
        TcpOptions.erase(tcp, at, end - at);
        return before + words(tcp, at, end, false);
    }

    /** Adds to a number of four bytes, which may stand at an odd place; returns the delta of the checksum. */
    private static long add32(long tcp, int at, int shift) {
        if (shift == 0) {
            return 0;
        }
        long before = words(tcp, at, at + Integer.BYTES, true);
        Memory.put32(tcp + at, Memory.i32(tcp + at) + shift);
        return before + words(tcp, at, at + Integer.BYTES, false);
    }

    /** Half of a delta of the checksum: the words that cover a range, as they go ({@code complement}) or as they come. */
    private static long words(long tcp, int from, int end, boolean complement) {
        long sum = 0;
        for (int at = from & ~1; at < end; at += 2) {
            int word = Memory.u16(tcp + at);
            sum += complement ? ~word & 0xffff : word;
        }
        return sum;
    }

    private static void mend(long tcp, long change) {
        Memory.put16(tcp + Tcp.CHECKSUM, InternetChecksum.apply(Memory.u16(tcp + Tcp.CHECKSUM), change));
    }
}
