package io.guidepost.alto.proxidor;

import io.guidepost.names.Exchange;
import java.lang.foreign.MemorySegment;

/**
 * One question in place: {@link #parse} checks all of it, and then says where the parts are. Allocates nothing; belongs
 * to one thread.
 */
final class RequestFlyweight {
    private static final int IPV4_BITS = 32;
    private static final int IPV6_BITS = 128;

    private final int[] partAt = new int[Limits.PARTS_MAX];
    private final int[] partCount = new int[Limits.PARTS_MAX];
    private MemorySegment segment = MemorySegment.NULL;
    private long begin;
    private int end;
    private int flags;
    private int at;
    private int source4;
    private int source6;
    private ListType type = ListType.IPV4;
    private int parts;
    private int count;

    /**
     * Points at a datagram and checks it. Unless the result is {@link Fault#OK} nothing but {@link #id} may be asked, and
     * that only if the fault {@linkplain Fault#isAnswered is answered}.
     */
    Fault parse(MemorySegment in, long offset, int length) {
        segment = in;
        begin = offset;
        end = length;
        if (length < Wire.HEADER_BYTES) {
            return Fault.SHORT_HEADER;
        }
        Fault fault = parseHeader();
        if (fault == Fault.OK) {
            fault = parseSources();
        }
        return fault == Fault.OK ? parseLists() : fault;
    }

    private Fault parseHeader() {
        flags = u16(Wire.FLAGS);
        if ((flags & Wire.QR) != 0) {
            return Fault.ANSWER;
        }
        if (u8(Wire.VERSION) != 0) {
            return Fault.VERSION;
        }
        if (u8(Wire.SERVICE_CODE) != 0) {
            return Fault.SERVICE_CODE;
        }
        if ((flags & Wire.OPCODE) != 0) {
            return Fault.OPCODE;
        }
        return u8(Wire.CATEGORY) == 0 ? Fault.OK : Fault.CATEGORY;
    }

    private Fault parseSources() {
        at = Wire.HEADER_BYTES;
        source4 = 0;
        source6 = 0;
        if ((flags & Wire.AD) != 0) {
            at += Wire.AUTHENTICATION_BYTES;
            if (at > end) {
                return Fault.SHORT_AUTHENTICATION;
            }
        }
        if ((flags & Wire.V4) != 0) {
            source4 = at;
            at += Wire.IPV4_SOURCE_BYTES;
            if (at > end) {
                return Fault.SHORT_SOURCE;
            }
            if (u8(at - 1) > IPV4_BITS) {
                return Fault.SOURCE_LENGTH;
            }
        }
        if ((flags & Wire.V6) != 0) {
            source6 = at;
            at += Wire.IPV6_SOURCE_BYTES;
            if (at > end) {
                return Fault.SHORT_SOURCE;
            }
            if (u8(at - 1) > IPV6_BITS) {
                return Fault.SOURCE_LENGTH;
            }
        }
        return Fault.OK;
    }

    private Fault parseLists() {
        parts = 0;
        count = 0;
        boolean more = true;
        while (more) {
            if (end - at < Wire.PART_BYTES) {
                return Fault.SHORT_LIST;
            }
            if (parts == Limits.PARTS_MAX) {
                return Fault.TOO_MANY_LISTS;
            }
            int partFlags = u8(at + Wire.PART_FLAGS);
            Fault fault = parseList(partFlags);
            if (fault != Fault.OK) {
                return fault;
            }
            more = (partFlags & Wire.NH) != 0;
        }
        if (at != end) {
            return Fault.TRAILING;
        }
        if (count < Limits.LIST_LEAST) {
            return Fault.TOO_FEW;
        }
        return type.isOfPrefixes() ? checkLengths() : Fault.OK;
    }

    private Fault parseList(int partFlags) {
        int size = u16(at + Wire.PART_SIZE);
        int before = Wire.PART_BYTES + Wire.attributeBytes(partFlags);
        if (size < before || size > end - at) {
            return Fault.LIST_SIZE;
        }
        int code = u8(at + Wire.PART_TYPE);
        if (!ListType.isKnown(code)) {
            return Fault.LIST_TYPE;
        }
        ListType own = ListType.of(code);
        if (parts > 0 && own != type) {
            return Fault.MIXED_LISTS;
        }
        type = own;
        int candidates = (size - before) / own.bytes();
        if (candidates * own.bytes() != size - before) {
            return Fault.LIST_REMAINDER;
        }
        count += candidates;
        if (count > own.most()) {
            return Fault.TOO_MANY;
        }
        partAt[parts] = at + before;
        partCount[parts] = candidates;
        parts++;
        at += size;
        return Fault.OK;
    }

    private Fault checkLengths() {
        int most = type.isIpv6() ? IPV6_BITS : IPV4_BITS;
        int bytes = type.bytes();
        for (int part = 0; part < parts; part++) {
            int last = partAt[part] + bytes - 1;
            for (int i = 0; i < partCount[part]; i++) {
                if (u8(last + i * bytes) > most) {
                    return Fault.PREFIX_LENGTH;
                }
            }
        }
        return Fault.OK;
    }

    private int u8(int position) {
        return segment.get(Wire.BYTE, begin + position) & 0xff;
    }

    private int u16(int position) {
        return segment.get(Wire.SHORT, begin + position) & 0xffff;
    }

    /** The number that the answer repeats. */
    int id() {
        return segment.get(Wire.INT, begin + Wire.ID);
    }

    /** The type of all its lists. */
    ListType type() {
        return type;
    }

    /** Candidates of all lists together. */
    int count() {
        return count;
    }

    /** How many lists there are. */
    int parts() {
        return parts;
    }

    /** Where in the segment the first candidate of a list is. */
    long partAt(int part) {
        return begin + partAt[part];
    }

    /** Candidates of a list. */
    int partCount(int part) {
        return partCount[part];
    }

    /** Whether it names somebody for whom it asks. */
    boolean hasSource() {
        return (source4 | source6) != 0;
    }

    /** High half of the first address of the source: of two that of the candidates' family. */
    long sourceHigh() {
        return isSourceIpv6() ? segment.get(Wire.LONG, begin + source6) : Exchange.IPV4_HIGH;
    }

    /** Low half of it. */
    long sourceLow() {
        return isSourceIpv6()
                ? segment.get(Wire.LONG, begin + source6 + Long.BYTES)
                : Exchange.ipv4Low(segment.get(Wire.INT, begin + source4));
    }

    private boolean isSourceIpv6() {
        return source6 != 0 && (source4 == 0 || type.isIpv6());
    }
}
