package io.guidepost.packet.frame;

import io.guidepost.packet.Memory;

/**
 * The Internet checksum (RFC 1071): the one's complement of the one's complement sum of 16-bit words. Sums are kept
 * unfolded in a long, so that headers, pseudo headers and payloads add up in any order.
 */
public final class Checksum {
    private Checksum() {}

    /** Adds bytes to a sum; an odd last byte counts as the upper half of a word. */
    public static long add(long sum, long address, int bytes) {
        long total = sum;
        long at = address;
        int left = bytes;
        // Sums of 32-bit words fold to the sum of 16-bit words, as 2^16 is 1 modulo 65,535.
        for (; left >= 8; left -= 8, at += 8) {
            long word = Memory.i64(at);
            total += (word >>> 32) + (word & 0xffff_ffffL);
        }
        for (; left >= 2; left -= 2, at += 2) {
            total += Memory.u16(at);
        }
        return left == 1 ? total + ((long) Memory.u8(at) << 8) : total;
    }

    /** The checksum of a sum: 16 bits, as they stand in a header. */
    public static int fold(long sum) {
        long folded = (sum >>> 32) + (sum & 0xffff_ffffL);
        folded = (folded >>> 16) + (folded & 0xffff);
        folded = (folded >>> 16) + (folded & 0xffff);
        folded = (folded >>> 16) + (folded & 0xffff);
        return (int) ~folded & 0xffff;
    }

    /** The checksum of bytes whose own checksum field counts as 0, or is zeroed; 0 if the field is in it and right. */
    public static int of(long address, int bytes) {
        return fold(add(0, address, bytes));
    }

    /**
     * The checksum after a 16-bit word that it covers has changed (RFC 1624, equation 3).
     *
     * @param checksum as it stands in the header
     */
    public static int update16(int checksum, int before, int after) {
        return fold((~checksum & 0xffff) + (~before & 0xffff) + (after & 0xffffL));
    }

    /** The same for 32 bits, as an IPv4 address. */
    public static int update32(int checksum, int before, int after) {
        return fold((~checksum & 0xffff)
                + (~before >>> 16 & 0xffffL)
                + (~before & 0xffffL)
                + (after >>> 16)
                + (after & 0xffffL));
    }

    /** Sum of the pseudo header of IPv4 (RFC 9293 section 3.1). */
    public static long pseudoIpv4(int source, int destination, int protocol, int bytes) {
        return (source & 0xffff_ffffL) + (destination & 0xffff_ffffL) + protocol + bytes;
    }

    /** Sum of the pseudo header of IPv6 (RFC 8200 section 8.1). */
    public static long pseudoIpv6(
            long sourceHigh, long sourceLow, long destinationHigh, long destinationLow, int protocol, int bytes) {
        return half(sourceHigh) + half(sourceLow) + half(destinationHigh) + half(destinationLow) + protocol + bytes;
    }

    private static long half(long word) {
        return (word >>> 32) + (word & 0xffff_ffffL);
    }
}
