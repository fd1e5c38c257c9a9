package io.guidepost.packet.frame;

import io.guidepost.base.Memory;
import io.guidepost.packet.Burst;
import io.guidepost.packet.TransportChecksum;

/**
 * The Internet checksum (RFC 1071): the one's complement of the one's complement sum of 16-bit words. Sums are kept
 * unfolded in a long, so that headers, pseudo headers and payloads add up in any order.
 */
public final class InternetChecksum {
    /** Result of {@link #check}. */
    public enum State {
        /** Correct. */
        RIGHT,
        /** Absent: UDP over IPv4 may send 0. */
        NONE,
        /** Only the sum of the pseudo header: checksum offload without a device that completed it. */
        PARTIAL,
        /** Wrong. */
        WRONG,
        /** Not verifiable: a fragment, or a protocol without a known checksum. */
        UNKNOWN
    }

    private static final int WORD = Long.BYTES;

    /** Bytes that one step of a long sum adds. */
    private static final int BLOCK = 16;

    /** Bytes from which on swapping the sum is cheaper than swapping each word. */
    private static final int MANY = 128;

    private static final long LOW = 0xffff_ffffL;

    private InternetChecksum() {}

    /** Adds bytes to a sum; an odd last byte counts as the upper half of a word, so only the last part may be odd. */
    public static long add(long sum, long address, int bytes) {
        if (bytes < WORD) {
            return addFew(sum, address, bytes);
        }
        long total = sum;
        int at = 0;
        if (bytes >= MANY) {
            at = bytes & -BLOCK;
            total += sumOfBlocks(address, address + at);
            if (at == bytes) {
                return total;
            }
        }
        int last = bytes - WORD;
        for (; at < last; at += WORD) {
            total += half(Memory.i64(address + at));
        }
        // A last partial word overlaps bytes that are already summed: these are shifted out.
        return total + half(Memory.i64(address + last) << (at - last << 3));
    }

    private static long addFew(long sum, long address, int bytes) {
        long word = 0;
        for (int i = 0; i < bytes; i++) {
            word |= (long) Memory.u8(address + i) << 56 - (i << 3);
        }
        return sum + half(word);
    }

    /** Adds the twenty bytes of an IPv4 header without options. */
    public static long addIpv4(long sum, long address) {
        // Sums of 32-bit words fold to the sum of 16-bit words, as 2^16 is 1 modulo 65,535.
        return sum + half(Memory.i64(address, 0)) + half(Memory.i64(address, 8)) + (Memory.i32(address, 16) & LOW);
    }

    /**
     * Sums in the processor's byte order, without swapping each word, and swaps the result: the one's complement sum is
     * byte order independent (RFC 1071 section 2 B). Two accumulators, so that additions do not wait for each other.
     */
    private static long sumOfBlocks(long from, long end) {
        long even = 0;
        long odd = 0;
        for (long at = from; at < end; at += BLOCK) {
            even += half(Memory.i64Le(at));
            odd += half(Memory.i64Le(at + 8));
        }
        long folded = ~fold(even + odd) & 0xffffL;
        return (folded & 0xff) << 8 | folded >>> 8;
    }

    /** Returns the checksum of a sum: 16 bits, as they stand in a header. */
    public static int fold(long sum) {
        // Adding the swapped word leaves the folded sum, with its carry, in the upper half.
        int folded = (int) (sum + Long.rotateLeft(sum, 32) >>> 32);
        folded += Integer.rotateLeft(folded, 16);
        return ~folded >>> 16;
    }

    /**
     * Returns the checksum of bytes whose own checksum field counts as 0, or is zeroed; 0 if the field is in it and
     * right.
     */
    public static int of(long address, int bytes) {
        return fold(add(0, address, bytes));
    }

    /**
     * Returns the checksum after a covered 16-bit word has changed (RFC 1624, equation 3).
     *
     * @param checksum as it stands in the header
     */
    public static int update16(int checksum, int before, int after) {
        return fold((~checksum & 0xffff) + (~before & 0xffff) + (after & 0xffffL));
    }

    /** Returns the checksum after 32 covered bits have changed, such as an IPv4 address. */
    public static int update32(int checksum, int before, int after) {
        return fold((~checksum & 0xffff)
                + (~before >>> 16 & 0xffffL)
                + (~before & 0xffffL)
                + (after >>> 16)
                + (after & 0xffffL));
    }

    /**
     * Returns the checksum delta of 16 changed bits; deltas add up, and {@link #apply} applies them. NAT adds the
     * deltas of address and port, and applies the sum to both of its checksums.
     */
    public static long change16(int before, int after) {
        return (~before & 0xffffL) + (after & 0xffffL);
    }

    /** Returns the checksum delta of 32 changed bits. */
    public static long change32(int before, int after) {
        return (~before & LOW) + (after & LOW);
    }

    /** Applies a delta (RFC 1624, equation 3). */
    public static int apply(int checksum, long change) {
        return fold((~checksum & 0xffffL) + change);
    }

    /** Applies a delta to a UDP checksum: 0, which means none, stays; others never become 0. */
    public static int applyUdp(int checksum, long change) {
        if (checksum == 0) {
            return 0;
        }
        int changed = apply(checksum, change);
        return changed == 0 ? 0xffff : changed;
    }

    /**
     * Applies a delta of addresses to a {@linkplain State#PARTIAL partial} checksum, which is a sum and not a
     * complement.
     */
    public static int applyPartial(int sum, long change) {
        return ~fold(sum + change) & 0xffff;
    }

    /** Verifies the transport checksum over all covered bytes. */
    public static State check(HeaderParser headers) {
        int at = field(headers);
        if (at < 0) {
            return State.UNKNOWN;
        }
        int there = headers.unchecked().u16(at);
        if (there == 0 && headers.protocol() == HeaderParser.UDP) {
            return headers.isIpv4() ? State.NONE : State.WRONG;
        }
        long pseudo = pseudo(headers);
        if (fold(add(pseudo, headers.unchecked().address() + headers.transportOffset(), covered(headers))) == 0) {
            return State.RIGHT;
        }
        return hasPseudo(headers) && there == (~fold(pseudo) & 0xffff) ? State.PARTIAL : State.WRONG;
    }

    /**
     * Computes and writes the transport checksum.
     *
     * @return false, and nothing written, if it is {@link State#UNKNOWN}
     */
    public static boolean fill(HeaderParser headers) {
        int at = field(headers);
        if (at < 0) {
            return false;
        }
        headers.unchecked().put16(at, 0);
        int computed = fold(add(
                pseudo(headers), headers.unchecked().address() + headers.transportOffset(), covered(headers)));
        headers.unchecked().put16(at, computed == 0 && headers.protocol() == HeaderParser.UDP ? 0xffff : computed);
        return true;
    }

    /**
     * Verifies the transport checksum of a frame in a burst: its row decides if it knows the state; otherwise all bytes
     * are read.
     */
    public static State check(Burst burst, int index, HeaderParser headers) {
        int state = burst.checksum(index);
        if (TransportChecksum.isPartial(state)) {
            // In a tunnelled packet it may be the inner one's, and the outer one's is valid after completion.
            return TransportChecksum.start(state) == headers.transportOffset() ? State.PARTIAL : State.UNKNOWN;
        }
        return switch (state) {
            case TransportChecksum.RIGHT -> State.RIGHT;
            case TransportChecksum.WRONG -> State.WRONG;
            default -> check(headers);
        };
    }

    /**
     * Delegates the transport checksum to the sending port: writes the sum of the pseudo header and marks the row
     * ({@link TransportChecksum}). Checksums that no device completes (all but UDP and TCP, and frames with bytes
     * behind the datagram) are computed here.
     *
     * @param headers of this frame in its current form
     * @return false, and nothing written, if it is {@link State#UNKNOWN}
     */
    public static boolean leave(Burst burst, int index, HeaderParser headers) {
        int state = partial(headers);
        if (state == TransportChecksum.UNKNOWN) {
            boolean filled = fill(headers);
            burst.checksum(index, TransportChecksum.UNKNOWN);
            return filled;
        }
        headers.unchecked().put16(field(headers), ~fold(pseudo(headers)) & 0xffff);
        burst.checksum(index, state);
        return true;
    }

    /** Completes the checksum of a frame whose row marks it as partial; does nothing for others. */
    public static void complete(Burst burst, int index) {
        int state = burst.checksum(index);
        if (TransportChecksum.isPartial(state)) {
            int start = TransportChecksum.start(state);
            complete(burst.offset(index) + start, TransportChecksum.field(state), burst.length(index) - start);
            burst.checksum(index, TransportChecksum.UNKNOWN);
        }
    }

    /** Completes all partial checksums of a burst. */
    public static void completeAll(Burst burst) {
        for (int i = 0; i < burst.count(); i++) {
            complete(burst, i);
        }
    }

    /**
     * Completes a partial checksum.
     *
     * @param transport address of the transport header
     * @param field offset of the pseudo header's sum
     * @param bytes of the covered range
     */
    private static void complete(long transport, int field, int bytes) {
        int checksum = of(transport, bytes);
        // Zero would mean no UDP checksum; the other zero of one's complement is equivalent for all protocols.
        Memory.put16(transport + field, checksum == 0 ? 0xffff : checksum);
    }

    /**
     * Returns whether the field of UDP or TCP has just the sum of the pseudo header: {@link State#PARTIAL} detected
     * without reading the payload. One of 65,536 complete checksums looks the same; completing it does not change it.
     */
    static boolean looksPartial(HeaderParser headers) {
        int at = field(headers);
        int protocol = headers.protocol();
        return at >= 0
                && (protocol == HeaderParser.UDP || protocol == HeaderParser.TCP)
                && headers.unchecked().u16(at) == (~fold(pseudo(headers)) & 0xffff);
    }

    /** Returns the row's state for a partial checksum, if a device can complete it: it covers the rest of the frame. */
    private static int partial(HeaderParser headers) {
        int at = field(headers);
        int transport = headers.transportOffset();
        int protocol = headers.protocol();
        boolean known = at >= 0 && (protocol == HeaderParser.UDP || protocol == HeaderParser.TCP);
        return known && transport + covered(headers) == headers.unchecked().length()
                ? TransportChecksum.partial(transport, at - transport)
                : TransportChecksum.UNKNOWN;
    }

    /** Returns the offset of the transport checksum in the frame, -1 if there is none, or the frame lacks covered bytes. */
    private static int field(HeaderParser headers) {
        if (headers.fault() != HeaderParser.Fault.NONE || headers.transportOffset() < 0 || headers.isFragment()) {
            return -1;
        }
        return switch (headers.protocol()) {
            case HeaderParser.UDP -> headers.transportOffset() + Udp.CHECKSUM;
            case HeaderParser.TCP -> headers.transportOffset() + Tcp.CHECKSUM;
            case HeaderParser.ICMP, HeaderParser.ICMPV6 -> headers.transportOffset() + 2;
            default -> -1;
        };
    }

    private static int covered(HeaderParser headers) {
        return headers.protocol() == HeaderParser.UDP
                ? headers.unchecked().u16(headers.transportOffset() + 4)
                : headers.networkEnd() - headers.transportOffset();
    }

    private static boolean hasPseudo(HeaderParser headers) {
        return headers.protocol() != HeaderParser.ICMP;
    }

    private static long pseudo(HeaderParser headers) {
        return hasPseudo(headers) ? pseudo(headers, covered(headers)) : 0;
    }

    /** Returns the sum of the pseudo header of a packet of UDP, TCP or ICMPv6, with the bytes of the transport. */
    public static long pseudo(HeaderParser headers, int bytes) {
        return headers.isIpv4()
                ? pseudoIpv4((int) headers.sourceLow(), (int) headers.destinationLow(), headers.protocol(), bytes)
                : pseudoIpv6(
                        headers.sourceHigh(),
                        headers.sourceLow(),
                        headers.destinationHigh(),
                        headers.destinationLow(),
                        headers.protocol(),
                        bytes);
    }

    /** Returns the sum of the pseudo header of IPv4 (RFC 9293 section 3.1). */
    public static long pseudoIpv4(int source, int destination, int protocol, int bytes) {
        return (source & LOW) + (destination & LOW) + protocol + bytes;
    }

    /** Returns the sum of the pseudo header of IPv6 (RFC 8200 section 8.1). */
    public static long pseudoIpv6(
            long sourceHigh, long sourceLow, long destinationHigh, long destinationLow, int protocol, int bytes) {
        return half(sourceHigh) + half(sourceLow) + half(destinationHigh) + half(destinationLow) + protocol + bytes;
    }

    private static long half(long word) {
        return (word >>> 32) + (word & LOW);
    }
}
