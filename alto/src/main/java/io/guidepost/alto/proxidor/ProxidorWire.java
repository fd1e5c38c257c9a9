package io.guidepost.alto.proxidor;

import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;

/**
 * The layout of Proxidor v0.2, all numbers big-endian. This table is the only place that knows the offsets.
 *
 * <pre>
 *  offset size                                   flags, from the highest bit
 *     0     1  version, 0                         1  QR: 0 = question, 1 = answer
 *     1     1  service code, 0                    4  opcode, 0
 *     2     2  flags                              1  AD: authentication data follow
 *     4     4  identification                     1  v4: an IPv4 source follows
 *     8     2  lifetime of the answer, s          1  v6: an IPv6 source follows
 *    10     1  service category, 0                1  SI: the source was ignored (in answers; an extension)
 *    11     1  authentication type                3  reserved
 *                                                 4  response code, see Rcode
 *    12     .  [8 authentication data]
 *     .     .  [5 IPv4 source: address, length]
 *     .     .  [17 IPv6 source: address, length]
 *     .     .  lists, one behind the other
 *
 *  list
 *    +0     1  type, see ProxidorListType                 1  NH: another list follows
 *    +1     1  NH, AL, AT                         2  AL: attribute of 0, 4, 8 or 16 bytes
 *    +2     2  bytes of the whole list            5  AT: type of the attribute
 *    +4     .  [attribute]
 *     .     .  candidates; of a prefix the address, then its length in one byte
 * </pre>
 *
 * <p>In a response the first list begins at 12: it has no authentication data, no sources and no attribute.
 */
final class ProxidorWire {
    static final int VERSION = 0;
    static final int SERVICE_CODE = 1;
    static final int FLAGS = 2;
    static final int ID = 4;
    static final int TTL = 8;
    static final int CATEGORY = 10;
    static final int AUTHENTICATION_TYPE = 11;
    static final int HEADER_BYTES = 12;

    /** Offset of the list of a response. */
    static final int LIST = HEADER_BYTES;

    static final int QR = 0x8000;
    static final int OPCODE = 0x7800;
    static final int AD = 0x0400;
    static final int V4 = 0x0200;
    static final int V6 = 0x0100;
    static final int SI = 0x0080;
    static final int RESERVED = 0x0070;
    static final int RCODE = 0x000f;

    static final int AUTHENTICATION_BYTES = 8;
    static final int IPV4_SOURCE_BYTES = 5;
    static final int IPV6_SOURCE_BYTES = 17;

    static final int PART_TYPE = 0;
    static final int PART_FLAGS = 1;
    static final int PART_SIZE = 2;
    static final int PART_BYTES = 4;

    static final int NH = 0x80;
    static final int AL = 0x60;
    static final int AL_SHIFT = 5;
    static final int AT = 0x1f;

    static final ValueLayout.OfByte BYTE = ValueLayout.JAVA_BYTE;
    static final ValueLayout.OfShort SHORT = ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);
    static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);
    static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);

    static {
        // Every field begins where the one before it ends, and every bit belongs to one field.
        require(SERVICE_CODE == VERSION + 1 && FLAGS == SERVICE_CODE + 1 && ID == FLAGS + 2 && TTL == ID + 4);
        require(CATEGORY == TTL + 2 && AUTHENTICATION_TYPE == CATEGORY + 1 && HEADER_BYTES == AUTHENTICATION_TYPE + 1);
        require((QR ^ OPCODE ^ AD ^ V4 ^ V6 ^ SI ^ RESERVED ^ RCODE) == 0xffff);
        require(QR + OPCODE + AD + V4 + V6 + SI + RESERVED + RCODE == 0xffff);
        require(PART_FLAGS == PART_TYPE + 1 && PART_SIZE == PART_FLAGS + 1 && PART_BYTES == PART_SIZE + 2);
        require((NH ^ AL ^ AT) == 0xff && NH + AL + AT == 0xff);
        require(attributeBytes(0) == 0 && attributeBytes(AL) == 16);
    }

    private ProxidorWire() {}

    private static void require(boolean right) {
        if (!right) {
            throw new ExceptionInInitializerError("the table of the header contradicts itself");
        }
    }

    /** Returns the length of the attribute that the flags of a list announce: 0, 4, 8 or 16. */
    static int attributeBytes(int flags) {
        int al = (flags & AL) >>> AL_SHIFT;
        return al == 0 ? 0 : 2 << al;
    }

    /** Returns the first eight bytes of a message of version 0. */
    static long head(int flags, int id) {
        return (long) flags << 32 | id & 0xffffffffL;
    }
}
