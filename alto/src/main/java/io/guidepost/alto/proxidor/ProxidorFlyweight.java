package io.guidepost.alto.proxidor;

import io.guidepost.base.Addresses;
import java.lang.foreign.MemorySegment;

/**
 * A flyweight over one request: {@link #parse} validates all of it and records the offsets. Allocates nothing; belongs
 * to one thread.
 */
final class ProxidorFlyweight {
    private static final int IPV4_BITS = 32;
    private static final int IPV6_BITS = 128;

    private final int[] partAt = new int[ProxidorLimits.PARTS_MAX];
    private final int[] partCount = new int[ProxidorLimits.PARTS_MAX];
    private MemorySegment segment = MemorySegment.NULL;
    private long begin;
    private int end;
    private int flags;
    private int at;
    private int source4;
    private int source6;
    private ProxidorListType type = ProxidorListType.IPV4;
    private int parts;
    private int count;

    /**
     * Wraps and validates a datagram. Unless the result is {@link ProxidorFault#OK}, only {@link #id} may be called, and that
     * only if the fault {@linkplain ProxidorFault#isAnswered is answered}.
     */
    ProxidorFault parse(MemorySegment in, long offset, int length) {
        segment = in;
        begin = offset;
        end = length;
        if (length < ProxidorWire.HEADER_BYTES) {
            return ProxidorFault.SHORT_HEADER;
        }
        ProxidorFault fault = parseHeader();
        if (fault == ProxidorFault.OK) {
            fault = parseSources();
        }
        return fault == ProxidorFault.OK ? parseLists() : fault;
    }

    private ProxidorFault parseHeader() {
        flags = u16(ProxidorWire.FLAGS);
        if ((flags & ProxidorWire.QR) != 0) {
            return ProxidorFault.ANSWER;
        }
        if (u8(ProxidorWire.VERSION) != 0) {
            return ProxidorFault.VERSION;
        }
        if (u8(ProxidorWire.SERVICE_CODE) != 0) {
            return ProxidorFault.SERVICE_CODE;
        }
        if ((flags & ProxidorWire.OPCODE) != 0) {
            return ProxidorFault.OPCODE;
        }
        return u8(ProxidorWire.CATEGORY) == 0 ? ProxidorFault.OK : ProxidorFault.CATEGORY;
    }

    private ProxidorFault parseSources() {
        at = ProxidorWire.HEADER_BYTES;
        source4 = 0;
        source6 = 0;
        if ((flags & ProxidorWire.AD) != 0) {
            at += ProxidorWire.AUTHENTICATION_BYTES;
            if (at > end) {
                return ProxidorFault.SHORT_AUTHENTICATION;
            }
        }
        if ((flags & ProxidorWire.V4) != 0) {
            source4 = at;
            at += ProxidorWire.IPV4_SOURCE_BYTES;
            if (at > end) {
                return ProxidorFault.SHORT_SOURCE;
            }
            if (u8(at - 1) > IPV4_BITS) {
                return ProxidorFault.SOURCE_LENGTH;
            }
        }
        if ((flags & ProxidorWire.V6) != 0) {
            source6 = at;
            at += ProxidorWire.IPV6_SOURCE_BYTES;
            if (at > end) {
                return ProxidorFault.SHORT_SOURCE;
            }
            if (u8(at - 1) > IPV6_BITS) {
                return ProxidorFault.SOURCE_LENGTH;
            }
        }
        return ProxidorFault.OK;
    }

    private ProxidorFault parseLists() {
        parts = 0;
        count = 0;
        boolean more = true;
        while (more) {
            if (end - at < ProxidorWire.PART_BYTES) {
                return ProxidorFault.SHORT_LIST;
            }
            if (parts == ProxidorLimits.PARTS_MAX) {
                return ProxidorFault.TOO_MANY_LISTS;
            }
            int partFlags = u8(at + ProxidorWire.PART_FLAGS);
            ProxidorFault fault = parseList(partFlags);
            if (fault != ProxidorFault.OK) {
                return fault;
            }
            more = (partFlags & ProxidorWire.NH) != 0;
        }
        if (at != end) {
            return ProxidorFault.TRAILING;
        }
        if (count < ProxidorLimits.LIST_LEAST) {
            return ProxidorFault.TOO_FEW;
        }
        return type.isOfPrefixes() ? checkLengths() : ProxidorFault.OK;
    }

    private ProxidorFault parseList(int partFlags) {
        int size = u16(at + ProxidorWire.PART_SIZE);
        int before = ProxidorWire.PART_BYTES + ProxidorWire.attributeBytes(partFlags);
        if (size < before || size > end - at) {
            return ProxidorFault.LIST_SIZE;
        }
        int code = u8(at + ProxidorWire.PART_TYPE);
        if (!ProxidorListType.isKnown(code)) {
            return ProxidorFault.LIST_TYPE;
        }
        ProxidorListType own = ProxidorListType.of(code);
        if (parts > 0 && own != type) {
            return ProxidorFault.MIXED_LISTS;
        }
        type = own;
        int candidates = (size - before) / own.bytes();
        if (candidates * own.bytes() != size - before) {
            return ProxidorFault.LIST_REMAINDER;
        }
        count += candidates;
        if (count > own.most()) {
            return ProxidorFault.TOO_MANY;
        }
        partAt[parts] = at + before;
        partCount[parts] = candidates;
        parts++;
        at += size;
        return ProxidorFault.OK;
    }

    private ProxidorFault checkLengths() {
        int most = type.isIpv6() ? IPV6_BITS : IPV4_BITS;
        int bytes = type.bytes();
        for (int part = 0; part < parts; part++) {
            int last = partAt[part] + bytes - 1;
            for (int i = 0; i < partCount[part]; i++) {
                if (u8(last + i * bytes) > most) {
                    return ProxidorFault.PREFIX_LENGTH;
                }
            }
        }
        return ProxidorFault.OK;
    }

    private int u8(int position) {
        return segment.get(ProxidorWire.BYTE, begin + position) & 0xff;
    }

    private int u16(int position) {
        return segment.get(ProxidorWire.SHORT, begin + position) & 0xffff;
    }

    /** Returns the identification, which the response repeats. */
    int id() {
        return segment.get(ProxidorWire.INT, begin + ProxidorWire.ID);
    }

    ProxidorListType type() {
        return type;
    }

    /** Returns the number of candidates of all lists. */
    int count() {
        return count;
    }

    int parts() {
        return parts;
    }

    /** Returns the offset of the first candidate of a list in the segment. */
    long partAt(int part) {
        return begin + partAt[part];
    }

    int partCount(int part) {
        return partCount[part];
    }

    /** Returns whether the request names a source to rank for. */
    boolean hasSource() {
        return (source4 | source6) != 0;
    }

    /** Returns the high half of the first address of the source; of two sources, that of the candidates' family. */
    long sourceHigh() {
        return isSourceIpv6() ? segment.get(ProxidorWire.LONG, begin + source6) : Addresses.IPV4_HIGH;
    }

    /** Returns the low half of it. */
    long sourceLow() {
        return isSourceIpv6()
                ? segment.get(ProxidorWire.LONG, begin + source6 + Long.BYTES)
                : Addresses.ipv4Low(segment.get(ProxidorWire.INT, begin + source4));
    }

    private boolean isSourceIpv6() {
        return source6 != 0 && (source4 == 0 || type.isIpv6());
    }
}
