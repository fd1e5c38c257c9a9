package io.guidepost.gnrs.wire;

import io.guidepost.names.Exchange;
import io.guidepost.names.Guid;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;

/**
 * The layout of GNRS V1.0, as MobilityFirst's servers and clients put it into datagrams. All numbers are big-endian.
 *
 * <pre>
 * header                                     payload of LOOKUP
 *  offset size                                +0  20  GUID
 *     0     1  version, 0
 *     1     1  type, see below               payload of INSERT and UPDATE
 *     2     2  length of the whole message    +0  20  GUID
 *     4     4  request id                    +20   4  b, number of bindings
 *     8     2  options offset, 0 = none      +24   .  b addresses
 *    10     2  payload offset, 16+n or 0
 *    12     2  origin type                   payload of INSERT_RESPONSE and UPDATE_RESPONSE
 *    14     2  n, origin length               +0   2  code, 0 = SUCCESS, else FAILED
 *    16     n  origin                         +2   2  padding
 *  16+n     .  payload
 *     .     .  options                       payload of LOOKUP_RESPONSE
 *                                             +0   2  code
 * address                                     +2   2  padding
 *  +0  2  type, see Locator.Type              +4   4  b, number of bindings
 *  +2  2  length of the value                 +8   .  b addresses
 *  +4  .  value
 *                                            option, see GnrsOptionType
 * types: 00 INSERT  80 INSERT_RESPONSE        +0   1  bit 7: the last one; bits 0-6: which
 *        01 LOOKUP  81 LOOKUP_RESPONSE        +1   1  length of the value
 *        02 UPDATE  82 UPDATE_RESPONSE        +2   .  value
 * </pre>
 *
 * Offsets are counted from the first byte of the message; the options follow the payload directly. Old servers send
 * 80 where 82 is meant.
 */
public final class GnrsWire {
    public static final int INSERT = 0x00;
    public static final int LOOKUP = 0x01;
    static final int UPDATE = 0x02;
    static final int INSERT_RESPONSE = 0x80;
    public static final int LOOKUP_RESPONSE = 0x81;
    static final int UPDATE_RESPONSE = 0x82;

    /** Upper half of the types of requests between servers, whose layout is not this one. */
    private static final int AMONG_SERVERS = 6;

    /** Set in the type of every response. */
    public static final int RESPONSE_BIT = 0x80;

    public static final int HEADER_BYTES = 16;
    public static final int TYPE = 1;
    public static final int LENGTH = 2;
    static final int ID = 4;
    public static final int OPTIONS_OFFSET = 8;
    public static final int PAYLOAD_OFFSET = 10;
    static final int ORIGIN_TYPE = 12;
    static final int ORIGIN_LENGTH = 14;
    public static final int ORIGIN = 16;

    /** Code and padding, with which the payload of every response begins. */
    public static final int CODE_BYTES = 4;

    /** Type and length before the value of an address. */
    public static final int ADDRESS_HEADER_BYTES = 4;

    /** Type and length before the value of an option. */
    public static final int OPTION_HEADER_BYTES = 2;

    /** Bytes of a PARTIAL option. */
    public static final int PARTIAL_BYTES = OPTION_HEADER_BYTES + 4;

    public static final int OPTION_LAST = 0x80;

    public static final int SUCCESS = 0;
    public static final int FAILED = 1;

    public static final ValueLayout.OfByte BYTE = ValueLayout.JAVA_BYTE;
    public static final ValueLayout.OfShort SHORT = ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);
    public static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);
    public static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);

    private GnrsWire() {}

    /** Returns whether a message is a response or has a type reserved for servers: 60 to 6f. */
    public static boolean amongServers(Exchange exchange) {
        int type = exchange.request().get(BYTE, exchange.requestOffset() + TYPE);
        return type < 0 || type >>> 4 == AMONG_SERVERS;
    }

    /**
     * Returns the offset of the GUID that a datagram looks up, without parsing the rest; 0 if it begins with no whole
     * LOOKUP.
     */
    public static int lookedUp(MemorySegment segment, long offset, int length) {
        if (length < HEADER_BYTES + Guid.BYTES || segment.get(LONG, offset) >>> 48 != LOOKUP) {
            return 0;
        }
        int guid = ORIGIN + Short.toUnsignedInt(segment.get(SHORT, offset + ORIGIN_LENGTH));
        return guid + Guid.BYTES <= length ? guid : 0;
    }

    /**
     * Returns a number for a GUID: its 20 bytes folded. An attacker can choose a GUID that has the number of another; both
     * then share what is counted for it, which gains no more than to ask for the other GUID itself.
     */
    public static long nameKey(MemorySegment segment, long guid) {
        long end = segment.get(LONG, guid + 8) ^ (long) segment.get(INT, guid + 16) << 16;
        return segment.get(LONG, guid) + Long.rotateLeft(end * 0xd6e8feb86659fd93L, 32);
    }

    /** Returns the first eight bytes of a message: version, type, length, id. */
    public static long head(int type, int length, int id) {
        return (long) type << 48 | (long) length << 32 | id & 0xffffffffL;
    }

    /** Returns the second eight bytes of a message: offsets of options and payload, type and length of the origin. */
    public static long offsets(int options, int originType, int originLength) {
        return (long) options << 48 | (long) (ORIGIN + originLength) << 32 | (long) originType << 16 | originLength;
    }
}
