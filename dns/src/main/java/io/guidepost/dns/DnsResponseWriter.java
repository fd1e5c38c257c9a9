package io.guidepost.dns;

import io.guidepost.dns.wire.DnsLimits;
import io.guidepost.dns.wire.DnsName;
import io.guidepost.dns.wire.DnsQueryFlyweight;
import io.guidepost.dns.wire.DnsWire;
import io.guidepost.names.Exchange;
import java.lang.foreign.MemorySegment;

/**
 * Writes one response: header, question, records, OPT. Owners are pointers to names that stand before them. Allocates nothing;
 * belongs to one thread.
 */
final class DnsResponseWriter {
    private static final int POINTER_BYTES = 2;
    private static final int POINTER_MAX = 0x3fff;
    static final int SOA_NUMBERS_BYTES = 5 * Integer.BYTES;
    private static final byte[] MAILBOX = {10, 'h', 'o', 's', 't', 'm', 'a', 's', 't', 'e', 'r'};

    /** The CPU of HINFO that RFC 8482 has instead of all records, and an empty OS. */
    private static final byte[] ANY_DATA = {7, 'R', 'F', 'C', '8', '4', '8', '2', 0};

    private MemorySegment out = MemorySegment.NULL;
    private long begin;
    private int at;
    private int limit;
    private int owner;
    private int questionEnd;
    private int answers;
    private int authorities;
    private int additionals;

    /**
     * Begins a response with the header's place and the question as it came, which keeps the case of its letters.
     *
     * @param bytesMax bytes that records may end at; the caller adds OPT behind them
     */
    void begin(Exchange exchange, DnsQueryFlyweight query, int bytesMax) {
        out = exchange.room();
        begin = exchange.roomOffset();
        questionEnd = query.questionEnd();
        limit = bytesMax;
        MemorySegment.copy(query.segment(), query.offset(), out, begin, questionEnd);
        clear();
    }

    /** Removes all records. */
    void clear() {
        at = questionEnd;
        owner = DnsWire.HEADER_BYTES;
        answers = 0;
        authorities = 0;
        additionals = 0;
    }

    /** Sets the offset of the name that owns the next records. */
    void owner(int offset) {
        owner = offset;
    }

    /** Returns whether there are records that answer the question. */
    boolean hasAnswers() {
        return answers > 0;
    }

    /**
     * Writes a record up to its data.
     *
     * @return the offset of the data in {@link #out}, or -1 if there is no room; it then is as if nothing were written
     */
    private long record(int ownerAt, int type, int ttlSeconds, int dataBytes) {
        int end = at + POINTER_BYTES + DnsWire.RECORD_HEAD_BYTES + dataBytes;
        if (end > limit) {
            return -1;
        }
        long head = begin + at;
        out.set(DnsWire.SHORT, head, (short) (DnsWire.POINTER | ownerAt));
        out.set(DnsWire.INT, head + 2, type << Short.SIZE | DnsWire.IN);
        out.set(DnsWire.INT, head + 6, ttlSeconds);
        out.set(DnsWire.SHORT, head + 10, (short) dataBytes);
        at = end;
        return head + POINTER_BYTES + DnsWire.RECORD_HEAD_BYTES;
    }

    /**
     * Writes an answer up to its data.
     *
     * @return the offset of the data in {@link #out}, or -1 if there is no room
     */
    long answer(int type, int ttlSeconds, int dataBytes) {
        long data = record(owner, type, ttlSeconds, dataBytes);
        answers += data < 0 ? 0 : 1;
        return data;
    }

    /** Writes the address of a place whose name stands at an offset of the response; leaves it out if there is no room. */
    void address(int nameAt, PlaceList places, int place, int ttlSeconds) {
        boolean ipv4 = places.isIpv4(place);
        int bytes = ipv4 ? Integer.BYTES : 2 * Long.BYTES;
        long data = nameAt > POINTER_MAX ? -1 : record(nameAt, ipv4 ? DnsWire.A : DnsWire.AAAA, ttlSeconds, bytes);
        if (data >= 0) {
            RecordData.write(ipv4 ? DnsWire.A : DnsWire.AAAA, places, place, out, 0, 0, out, data);
            additionals++;
        }
    }

    /** Writes the record by which ANY is answered (RFC 8482); returns whether there was room. */
    boolean any() {
        long data = answer(DnsWire.HINFO, DnsLimits.ZONE_TTL_SECONDS, ANY_DATA.length);
        if (data >= 0) {
            MemorySegment.copy(ANY_DATA, 0, out, DnsWire.BYTE, data, ANY_DATA.length);
        }
        return data >= 0;
    }

    /** Writes a server of the zone, whose name stands at an offset; returns the offset of the server's name, or -1 without room. */
    int server(DnsName zone, DnsName server, int zoneAt) {
        int own = ownBytes(server, zone);
        long data = answer(DnsWire.NS, DnsLimits.ZONE_TTL_SECONDS, bytes(server, own));
        if (data >= 0) {
            name(server, own, zoneAt, data);
        }
        return data < 0 ? -1 : offset(data);
    }

    /**
     * Writes the zone's SOA.
     *
     * @param zoneAt where the zone's name stands in the response
     * @param authority whether in the authority section, else as an answer
     * @return the offset of the primary server's name, or -1 without room
     */
    int soa(DnsSettings settings, int serial, int zoneAt, boolean authority) {
        DnsName primary = settings.servers().getFirst();
        int own = ownBytes(primary, settings.zone());
        int bytes = bytes(primary, own) + MAILBOX.length + POINTER_BYTES + SOA_NUMBERS_BYTES;
        long data = record(zoneAt, DnsWire.SOA, DnsLimits.NEGATIVE_TTL_SECONDS, bytes);
        if (data < 0) {
            return -1;
        }
        authorities += authority ? 1 : 0;
        answers += authority ? 0 : 1;
        long next = name(primary, own, zoneAt, data);
        MemorySegment.copy(MAILBOX, 0, out, DnsWire.BYTE, next, MAILBOX.length);
        next += MAILBOX.length;
        out.set(DnsWire.SHORT, next, (short) (DnsWire.POINTER | zoneAt));
        numbers(serial, out, next + POINTER_BYTES);
        return offset(data);
    }

    /** Returns the labels of the mailbox before those of the zone; not to be changed. */
    static byte[] mailbox() {
        return MAILBOX;
    }

    /** Writes the numbers of an SOA. */
    static void numbers(int serial, MemorySegment out, long at) {
        out.set(DnsWire.INT, at, serial);
        out.set(DnsWire.INT, at + 4, DnsLimits.REFRESH_SECONDS);
        out.set(DnsWire.INT, at + 8, DnsLimits.RETRY_SECONDS);
        out.set(DnsWire.INT, at + 12, DnsLimits.EXPIRE_SECONDS);
        out.set(DnsWire.INT, at + 16, DnsLimits.NEGATIVE_TTL_SECONDS);
    }

    /** Returns the bytes of a name before that of the zone; all of it, if it is not below the zone. */
    private static int ownBytes(DnsName name, DnsName zone) {
        return name.isIn(zone) ? name.wire().length - zone.wire().length : name.wire().length;
    }

    private static int bytes(DnsName name, int own) {
        return own == name.wire().length ? own : own + POINTER_BYTES;
    }

    private long name(DnsName name, int own, int zoneAt, long to) {
        MemorySegment.copy(name.wire(), 0, out, DnsWire.BYTE, to, own);
        if (own < name.wire().length) {
            out.set(DnsWire.SHORT, to + own, (short) (DnsWire.POINTER | zoneAt));
        }
        return to + bytes(name, own);
    }

    /** Returns the segment of the response. */
    MemorySegment out() {
        return out;
    }

    /** Returns the offset in the response of an offset in the segment. */
    int offset(long position) {
        return (int) (position - begin);
    }

    /** Returns where the next record begins, in the segment. */
    long position() {
        return begin + at;
    }

    /**
     * Writes OPT, if there is one, and the header.
     *
     * @param optBytes bytes of OPT, which the caller has written at {@link #position}; 0 if there is none
     * @return the length of the response
     */
    int finish(int flags, int optBytes) {
        long questions = questionEnd == DnsWire.HEADER_BYTES ? 0 : 1;
        int last = additionals + (optBytes == 0 ? 0 : 1);
        out.set(DnsWire.SHORT, begin + DnsWire.FLAGS, (short) flags);
        out.set(DnsWire.LONG, begin + DnsWire.QUESTIONS, questions << 48 | (long) answers << 32 | (long) authorities << 16 | last);
        at += optBytes;
        return at;
    }
}
