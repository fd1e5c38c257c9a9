package io.guidepost.dns.wire;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * A flyweight over one request: {@link #parse} validates all of it and records the offsets. Allocates nothing; belongs to one
 * thread. See {@link DnsWire} for the layout, and for client subnets and cookies:
 *
 * <pre>
 *  client subnet (RFC 7871): family 16 (1 IPv4, 2 IPv6), source bits 8, scope bits 8, address of as many bytes as source bits need
 *  cookie (RFC 7873):        client's part 64, server's part of 8 to 32 bytes if the client has one
 * </pre>
 */
public final class DnsQueryFlyweight {
    public static final int CLIENT_COOKIE_BYTES = 8;

    private static final ValueLayout.OfLong WORD = ValueLayout.JAVA_LONG_UNALIGNED;
    private static final long EACH = 0x0101010101010101L;
    private static final long LOW = 0x7f * EACH;
    private static final long HIGH = 0x8080808080808080L;
    private static final long TO_A = (0x80 - 'A') * EACH;
    private static final long ABOVE_Z = (0x7f - 'Z') * EACH;

    private static final int COOKIE_BYTES_MIN = 16;
    private static final int COOKIE_BYTES_MAX = 40;
    private static final int SUBNET_HEAD_BYTES = 4;
    private static final int LABEL_KIND = 0xc0;

    private final int[] labelAt = new int[DnsLimits.LABELS_MAX + 1];
    private final MemorySegment folded = Arena.ofAuto().allocate(DnsLimits.NAME_BYTES_MAX + Long.BYTES, Long.BYTES);
    private MemorySegment segment = MemorySegment.NULL;
    private long begin;
    private int end;
    private int at;
    private int labels;
    private int nameBytes;
    private int type;
    private int queryClass;
    private boolean extended;
    private int udpBytes;
    private int version;
    private boolean dnssecOk;
    private boolean nsid;
    private int cookieAt;
    private int cookieBytes;
    private int subnetAt;
    private int subnetFamily;
    private int subnetBits;
    private int serial;

    /** Wraps and validates a message. After a fault, only what {@link #hasQuestion} and the header tell may be used. */
    public DnsFault parse(MemorySegment in, long offset, int length) {
        DnsFault fault = parseQuestion(in, offset, length);
        if (fault == DnsFault.OK) {
            fault = parseRecords();
        }
        return fault;
    }

    /** Validates header and question alone; all that follows is as if it were not there. */
    public DnsFault parseQuestion(MemorySegment in, long offset, int length) {
        segment = in;
        begin = offset;
        end = length;
        nameBytes = 0;
        labels = 0;
        extended = false;
        nsid = false;
        dnssecOk = false;
        version = 0;
        cookieBytes = 0;
        subnetAt = 0;
        serial = 0;
        if (length < DnsWire.HEADER_BYTES) {
            return DnsFault.SHORT_HEADER;
        }
        int flags = flags();
        if ((flags & DnsWire.QR) != 0) {
            return DnsFault.RESPONSE;
        }
        if ((flags & DnsWire.OPCODE) != 0) {
            return DnsFault.OPCODE;
        }
        return u16(DnsWire.QUESTIONS) == 1 ? parseName() : DnsFault.QUESTION_COUNT;
    }

    private DnsFault parseName() {
        int next = DnsWire.HEADER_BYTES;
        int count = 0;
        while (next < end) {
            int length = u8(next);
            if (length == 0) {
                break;
            }
            if ((length & LABEL_KIND) != 0) {
                return DnsFault.QUESTION_POINTER;
            }
            labelAt[count++] = next - DnsWire.HEADER_BYTES;
            next += 1 + length;
            if (next - DnsWire.HEADER_BYTES >= DnsLimits.NAME_BYTES_MAX) {
                return DnsFault.NAME_LONG;
            }
        }
        at = next + 1 + DnsWire.QUESTION_TAIL_BYTES;
        if (at > end) {
            return DnsFault.QUESTION_CUT;
        }
        labels = count;
        nameBytes = next + 1 - DnsWire.HEADER_BYTES;
        labelAt[count] = nameBytes - 1;
        type = u16(next + 1);
        queryClass = u16(next + 3);
        fold();
        return DnsFault.OK;
    }

    /** Copies the name with its letters in lower case; a length is no letter. The question's tail keeps whole words inside. */
    private void fold() {
        long from = begin + DnsWire.HEADER_BYTES;
        int done = 0;
        for (; done + Long.BYTES <= nameBytes + DnsWire.QUESTION_TAIL_BYTES; done += Long.BYTES) {
            folded.set(WORD, done, lower(segment.get(WORD, from + done)));
        }
        for (; done < nameBytes; done++) {
            folded.set(DnsWire.BYTE, done, (byte) lower(segment.get(DnsWire.BYTE, from + done) & 0xffL));
        }
    }

    /** Returns eight bytes with ASCII letters in lower case. */
    private static long lower(long word) {
        long low = word & LOW;
        long letters = (low + TO_A ^ low + ABOVE_Z) & HIGH & ~word;
        return word | letters >>> 2;
    }

    private DnsFault parseRecords() {
        int authorities = u16(DnsWire.AUTHORITIES);
        if (u16(DnsWire.ANSWERS) != 0 || authorities > (type == DnsWire.IXFR ? 1 : 0)) {
            return DnsFault.RECORD_COUNT;
        }
        DnsFault fault = DnsFault.OK;
        if (authorities == 1) {
            fault = parseSerial();
        }
        for (int left = u16(DnsWire.ADDITIONALS); left > 0 && fault == DnsFault.OK; left--) {
            fault = parseAdditional();
        }
        return fault == DnsFault.OK && at != end ? DnsFault.TRAILING : fault;
    }

    /** Skips a name, which may end with a pointer; returns whether it ends inside the message. */
    private boolean skipName() {
        while (at < end) {
            int length = u8(at);
            if ((length & LABEL_KIND) == LABEL_KIND) {
                at += Short.BYTES;
                return at <= end;
            }
            if ((length & LABEL_KIND) != 0) {
                return false;
            }
            at += 1 + length;
            if (length == 0) {
                return at <= end;
            }
        }
        return false;
    }

    /** Reads the SOA that the client of IXFR has (RFC 1995 section 3). */
    private DnsFault parseSerial() {
        if (!skipName() || end - at < DnsWire.RECORD_HEAD_BYTES) {
            return DnsFault.RECORD_CUT;
        }
        if (u16(at) != DnsWire.SOA) {
            return DnsFault.IXFR_SOA;
        }
        int next = at + DnsWire.RECORD_HEAD_BYTES + u16(at + 8);
        at += DnsWire.RECORD_HEAD_BYTES;
        if (next > end || !skipName() || !skipName() || at + Integer.BYTES > next) {
            return DnsFault.RECORD_CUT;
        }
        serial = segment.get(DnsWire.INT, begin + at);
        at = next;
        return DnsFault.OK;
    }

    private DnsFault parseAdditional() {
        int from = at;
        if (!skipName() || end - at < DnsWire.RECORD_HEAD_BYTES) {
            return DnsFault.RECORD_CUT;
        }
        int head = at;
        int next = head + DnsWire.RECORD_HEAD_BYTES + u16(head + 8);
        if (next > end) {
            return DnsFault.RECORD_CUT;
        }
        at = next;
        if (u16(head) != DnsWire.OPT) {
            return DnsFault.OK;
        }
        if (extended) {
            return DnsFault.OPT_TWICE;
        }
        extended = true;
        udpBytes = u16(head + 2);
        version = u8(head + 5);
        dnssecOk = (u16(head + 6) & DnsWire.DNSSEC_OK) != 0;
        return head - from != 1 ? DnsFault.OPT_NAME : parseOptions(head + DnsWire.RECORD_HEAD_BYTES, next);
    }

    private DnsFault parseOptions(int from, int to) {
        int option = from;
        while (option < to) {
            if (to - option < DnsWire.OPTION_HEAD_BYTES) {
                return DnsFault.OPTION_CUT;
            }
            int length = u16(option + 2);
            int data = option + DnsWire.OPTION_HEAD_BYTES;
            if (length > to - data) {
                return DnsFault.OPTION_CUT;
            }
            DnsFault fault = parseOption(u16(option), data, length);
            if (fault != DnsFault.OK) {
                return fault;
            }
            option = data + length;
        }
        return DnsFault.OK;
    }

    private DnsFault parseOption(int code, int data, int length) {
        switch (code) {
            case DnsWire.OPTION_NSID -> nsid = true;
            case DnsWire.OPTION_COOKIE -> {
                if (length != CLIENT_COOKIE_BYTES && (length < COOKIE_BYTES_MIN || length > COOKIE_BYTES_MAX)) {
                    return DnsFault.COOKIE_LENGTH;
                }
                cookieAt = data;
                cookieBytes = length;
            }
            case DnsWire.OPTION_CLIENT_SUBNET -> {
                return parseSubnet(data, length);
            }
            default -> {}
        }
        return DnsFault.OK;
    }

    private DnsFault parseSubnet(int data, int length) {
        if (length < SUBNET_HEAD_BYTES) {
            return DnsFault.CLIENT_SUBNET;
        }
        int family = u16(data);
        int bits = u8(data + 2);
        int bitsMax = family == 1 ? Integer.SIZE : family == 2 ? 2 * Long.SIZE : 0;
        int bytes = (bits + Byte.SIZE - 1) / Byte.SIZE;
        if (family > 2 || bits > bitsMax || u8(data + 3) != 0 || length != SUBNET_HEAD_BYTES + bytes) {
            return DnsFault.CLIENT_SUBNET;
        }
        int spare = bytes * Byte.SIZE - bits;
        if (spare > 0 && (u8(data + length - 1) & (1 << spare) - 1) != 0) {
            return DnsFault.CLIENT_SUBNET;
        }
        // Family 0, as dig sends it for +subnet=0, names no network to rank for, and some clients refuse a response that has it.
        if (family != 0) {
            subnetAt = data;
            subnetFamily = family;
            subnetBits = bits;
        }
        return DnsFault.OK;
    }

    private int u8(int position) {
        return segment.get(DnsWire.BYTE, begin + position) & 0xff;
    }

    private int u16(int position) {
        return segment.get(DnsWire.SHORT, begin + position) & 0xffff;
    }

    public MemorySegment segment() {
        return segment;
    }

    public long offset() {
        return begin;
    }

    public int length() {
        return end;
    }

    public int flags() {
        return u16(DnsWire.FLAGS);
    }

    /** Returns whether name, type and class of the question could be read. */
    public boolean hasQuestion() {
        return nameBytes > 0;
    }

    /** Returns the bytes of header and question. */
    public int questionEnd() {
        return DnsWire.HEADER_BYTES + (nameBytes == 0 ? 0 : nameBytes + DnsWire.QUESTION_TAIL_BYTES);
    }

    /** Returns the name on the wire, with its letters in lower case. */
    public MemorySegment name() {
        return folded;
    }

    /** Returns whether the question is about a name itself, not one below it. */
    public boolean isAbout(DnsName other) {
        return nameBytes == other.wire().length
                && MemorySegment.mismatch(folded, 0, nameBytes, MemorySegment.ofArray(other.wire()), 0, nameBytes) < 0;
    }

    /** Returns the bytes of the name, that of the root included. */
    public int nameBytes() {
        return nameBytes;
    }

    /** Returns the number of labels, without that of the root. */
    public int labels() {
        return labels;
    }

    /** Returns where in the name a label begins, with its length; behind the last, where the root does. */
    public int labelAt(int label) {
        return labelAt[label];
    }

    /** Returns the type that is asked for. */
    public int type() {
        return type;
    }

    /** Returns the class that is asked for. */
    public int queryClass() {
        return queryClass;
    }

    /** Returns whether there is an OPT record. */
    public boolean extended() {
        return extended;
    }

    public int udpBytes() {
        return udpBytes;
    }

    public int version() {
        return version;
    }

    public boolean dnssecOk() {
        return dnssecOk;
    }

    public boolean wantsNsid() {
        return nsid;
    }

    /** Returns the bytes of the cookie, 0 if there is none. */
    public int cookieBytes() {
        return cookieBytes;
    }

    /** Returns the offset of the cookie in the segment. */
    public long cookie() {
        return begin + cookieAt;
    }

    public boolean hasSubnet() {
        return subnetAt != 0;
    }

    /** Returns the offset of the client subnet's address in the segment. */
    public long subnet() {
        return begin + subnetAt + SUBNET_HEAD_BYTES;
    }

    public int subnetFamily() {
        return subnetFamily;
    }

    /** Returns the source bits of the client subnet. */
    public int subnetBits() {
        return subnetBits;
    }

    /** Returns the serial that a client of IXFR has; 0 if it says none. */
    public int serial() {
        return serial;
    }
}
