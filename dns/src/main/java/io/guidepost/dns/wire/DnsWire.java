package io.guidepost.dns.wire;

import io.guidepost.base.Memory;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;

/**
 * Layout and numbers of DNS messages, all big-endian (RFC 1035 section 4).
 *
 * <pre>
 *  offset size
 *     0     2  id, which the response repeats
 *     2     2  flags: QR 8000, opcode 7800, AA 0400, TC 0200, RD 0100, CD 0010, rcode 000f
 *     4     2  number of questions, 1
 *     6     2  answer records
 *     8     2  authority records
 *    10     2  additional records
 *    12     n  question: name, type 16, class 16
 *  12+n     .  records: name, type 16, class 16, TTL 32 in seconds, length of the data 16, data
 *
 *  a name: labels, each a length of 1 to 63 and as many bytes; then 0, or a pointer c000 + offset in the message
 *
 *  OPT, an additional record (RFC 6891):
 *     0     1  name, the root
 *     1     2  type, 41
 *     3     2  bytes of the longest UDP message that the sender takes
 *     5     1  upper eight bits of the rcode
 *     6     1  version, 0
 *     7     2  flags: DO 8000
 *     9     2  bytes of the options
 *    11     .  options: code 16, length 16, data
 * </pre>
 */
public final class DnsWire {
    public static final ValueLayout.OfByte BYTE = ValueLayout.JAVA_BYTE;
    public static final ValueLayout.OfShort SHORT = ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);
    public static final ValueLayout.OfInt INT = Memory.INT;
    public static final ValueLayout.OfLong LONG = Memory.LONG;

    public static final int HEADER_BYTES = 12;
    public static final int FLAGS = 2;
    public static final int QUESTIONS = 4;
    public static final int ANSWERS = 6;
    public static final int AUTHORITIES = 8;
    public static final int ADDITIONALS = 10;

    /** Bytes of type and class behind a question's name. */
    public static final int QUESTION_TAIL_BYTES = 4;

    /** Bytes of a record behind its name and before its data. */
    public static final int RECORD_HEAD_BYTES = 10;

    public static final int QR = 0x8000;
    public static final int OPCODE = 0x7800;
    public static final int OPCODE_NOTIFY = 0x2000;
    public static final int AA = 0x0400;
    public static final int TC = 0x0200;
    public static final int RD = 0x0100;
    public static final int CD = 0x0010;

    public static final int POINTER = 0xc000;

    public static final int NO_ERROR = 0;
    public static final int FORMAT_ERROR = 1;
    public static final int SERVER_FAILURE = 2;
    public static final int NX_DOMAIN = 3;
    public static final int NOT_IMPLEMENTED = 4;
    public static final int REFUSED = 5;
    public static final int BAD_VERSION = 16;

    public static final int IN = 1;
    public static final int CLASS_ANY = 255;

    public static final int A = 1;
    public static final int NS = 2;
    public static final int CNAME = 5;
    public static final int SOA = 6;
    public static final int HINFO = 13;
    public static final int TXT = 16;
    public static final int AAAA = 28;
    public static final int SRV = 33;
    public static final int OPT = 41;
    public static final int HTTPS = 65;
    public static final int IXFR = 251;
    public static final int AXFR = 252;
    public static final int ANY = 255;
    public static final int URI = 256;

    public static final int OPT_BYTES = 11;
    public static final int OPTION_HEAD_BYTES = 4;
    public static final int DNSSEC_OK = 0x8000;
    public static final int OPTION_NSID = 3;
    public static final int OPTION_CLIENT_SUBNET = 8;
    public static final int OPTION_COOKIE = 10;

    private DnsWire() {}
}
