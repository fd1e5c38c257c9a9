package io.guidepost.scaffold.wire;

import io.guidepost.base.Memory;

/**
 * The IPv6 header of a packet whose addresses are labels: an ordinary one, which any router of IPv6 forwards by the prefix. Nothing
 * is added to the packet; behind the header follows that of TCP or UDP, its checksum being right for the labels.
 *
 * <pre>
 *   0 version 6 (4)   traffic class (8)   flow label (20): reserved, 0 (11)   whether labels are heard (1)   epoch, low 8 (8)
 *   4 payload length (16)                 next header (8)   hop limit (8)
 *   8 label of the sender                 prefix of its host (64): domain, router, host    flow id at the sender (64)
 *  24 label of the receiver               prefix of its host (64): domain, router, host    flow id at the receiver (64)
 * </pre>
 *
 * <p>A packet without anything behind the header (next header 59, RFC 8200 section 4.7) asks whether labels are heard, or says so.
 */
public final class LabelHeader {
    /** Bytes of the header. */
    public static final int BYTES = 40;

    private static final int NO_NEXT_HEADER = 59;
    private static final int ICMPV6 = 58;
    private static final int HOPS = 64;
    private static final int HEARD = 0x100;
    private static final int EPOCH_MASK = 0xff;
    private static final int FLOW_LABEL_MASK = 0xf_ffff;
    private static final int NEXT_HEADER = 6;
    private static final int SENDER = 8;
    private static final int RECEIVER = 24;

    private LabelHeader() {}

    /** Returns whether a packet has such a header; whose labels they are is not known by that. */
    public static boolean is(long at, int length) {
        return length >= BYTES && Memory.u8(at) >>> 4 == 6;
    }

    /** Returns the prefix of the sender's host. */
    public static long senderPrefix(long at) {
        return Memory.i64(at + SENDER);
    }

    /** Returns the flow's id at the sender. */
    public static long senderFlow(long at) {
        return Memory.i64(at + SENDER + Long.BYTES);
    }

    /** Returns the prefix of the receiver's host. */
    public static long receiverPrefix(long at) {
        return Memory.i64(at + RECEIVER);
    }

    /** Returns the flow's id at the receiver. */
    public static long receiverFlow(long at) {
        return Memory.i64(at + RECEIVER + Long.BYTES);
    }

    /** Returns the ports of a packet that is not bare: the sender's (16 bits), and the receiver's (16). */
    public static int ports(long at) {
        return Memory.i32(at + BYTES);
    }

    /** Returns whether the packet is of an epoch, as far as eight bits tell. */
    public static boolean isOfEpoch(long at, int epoch) {
        return (Memory.i32(at) & EPOCH_MASK) == (epoch & EPOCH_MASK);
    }

    /** Writes the epoch into a header that is there. */
    public static void epoch(long at, int epoch) {
        Memory.put32(at, Memory.i32(at) & ~FLOW_LABEL_MASK | epoch & EPOCH_MASK);
    }

    /** Returns whether a packet carries nothing: it asks, or answers. */
    public static boolean isBare(long at) {
        return Memory.u8(at + NEXT_HEADER) == NO_NEXT_HEADER;
    }

    /** Returns whether a packet is of ICMPv6: a router says something of a packet that was sent with labels. */
    public static boolean isIcmp(long at) {
        return Memory.u8(at + NEXT_HEADER) == ICMPV6;
    }

    /** Returns whether a bare packet says that its sender hears labels. */
    public static boolean isHeard(long at) {
        return (Memory.i32(at) & HEARD) != 0;
    }

    /** Writes a bare packet; there is room for it. */
    public static void writeBare(
            long at, long senderPrefix, long senderFlow, long receiverPrefix, long receiverFlow, int epoch, boolean heard) {
        Memory.put32(at, 6 << 28 | (heard ? HEARD : 0) | epoch & EPOCH_MASK);
        Memory.put32(at + 4, NO_NEXT_HEADER << 8 | HOPS);
        Memory.put64(at + SENDER, senderPrefix);
        Memory.put64(at + SENDER + Long.BYTES, senderFlow);
        Memory.put64(at + RECEIVER, receiverPrefix);
        Memory.put64(at + RECEIVER + Long.BYTES, receiverFlow);
    }
}
