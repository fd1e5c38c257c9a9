package io.guidepost.alto.proxidor;

import io.guidepost.alto.protocol.Candidate;
import io.guidepost.base.Malformed;
import io.guidepost.base.Prefix;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A request of a client. Its list has the shortest type that fits all candidates: if families are mixed, IPv4 in mapped
 * form in an IPv6 list; if prefixes and addresses are mixed, addresses as prefixes of full length.
 *
 * @param candidates two or more, at most as many as one {@linkplain ProxidorListType#most packet} holds
 * @param source to rank for; empty for the client's own address
 */
public record ProxidorRequest(List<Candidate> candidates, Optional<Prefix> source) {
    private static final int IPV4_BYTES = 4;
    private static final int IPV6_BYTES = 16;

    /** Checks the number of candidates. */
    public ProxidorRequest {
        candidates = List.copyOf(candidates);
        int most = typeOf(candidates).most();
        if (candidates.size() < ProxidorLimits.LIST_LEAST || candidates.size() > most) {
            throw new IllegalArgumentException(
                    "a request has 2 to " + most + " candidates of this kind, not " + candidates.size());
        }
    }

    /**
     * A parsed response.
     *
     * @param sourceIgnored whether the candidates are ranked for the client, not for the source that it named
     */
    @SuppressWarnings("ArrayRecordComponent") // Made and read in this package.
    record Answer(ProxidorRcode code, int ttlSeconds, boolean sourceIgnored, int[] order) {}

    /** Returns the shortest type that fits all candidates. */
    public static ProxidorListType typeOf(List<Candidate> candidates) {
        boolean ipv6 = candidates.stream().anyMatch(each -> !each.block().isIpv4());
        boolean prefixes = candidates.stream().anyMatch(Candidate::isPrefix);
        if (ipv6) {
            return prefixes ? ProxidorListType.IPV6_PREFIX : ProxidorListType.IPV6;
        }
        return prefixes ? ProxidorListType.IPV4_PREFIX : ProxidorListType.IPV4;
    }

    /** Encodes the request. */
    public byte[] write(int id) {
        ProxidorListType type = typeOf(candidates);
        int flags = source.map(each -> each.isIpv4() ? ProxidorWire.V4 : ProxidorWire.V6).orElse(0);
        int sourceBytes = flags == 0 ? 0 : flags == ProxidorWire.V4 ? ProxidorWire.IPV4_SOURCE_BYTES : ProxidorWire.IPV6_SOURCE_BYTES;
        int listBytes = ProxidorWire.PART_BYTES + candidates.size() * type.bytes();
        byte[] bytes = new byte[ProxidorWire.HEADER_BYTES + sourceBytes + listBytes];
        MemorySegment out = MemorySegment.ofArray(bytes);
        out.set(ProxidorWire.LONG, 0, ProxidorWire.head(flags, id));
        source.ifPresent(each -> write(each, !each.isIpv4(), true, out, ProxidorWire.HEADER_BYTES));
        int list = ProxidorWire.HEADER_BYTES + sourceBytes;
        out.set(ProxidorWire.INT, list, type.code() << 24 | listBytes);
        int at = list + ProxidorWire.PART_BYTES;
        for (Candidate each : candidates) {
            write(each.block(), type.isIpv6(), type.isOfPrefixes(), out, at);
            at += type.bytes();
        }
        return bytes;
    }

    private static void write(Prefix block, boolean ipv6, boolean withLength, MemorySegment out, int at) {
        if (ipv6) {
            out.set(ProxidorWire.LONG, at, block.high());
            out.set(ProxidorWire.LONG, at + Long.BYTES, block.low());
        } else {
            out.set(ProxidorWire.INT, at, (int) block.low());
        }
        if (withLength) {
            out.set(
                    ProxidorWire.BYTE,
                    at + (ipv6 ? IPV6_BYTES : IPV4_BYTES),
                    (byte) (ipv6 ? block.length() : block.length() - Prefix.IPV4_BITS_BEFORE));
        }
    }

    /**
     * Parses the response to this request.
     *
     * @throws Malformed if the bytes are no response to it: another identification, or other candidates
     */
    Answer read(byte[] bytes, int length, int id) throws Malformed {
        MemorySegment in = MemorySegment.ofArray(bytes).asSlice(0, length);
        if (length < ProxidorWire.HEADER_BYTES) {
            throw new Malformed("a response has 12 bytes or more, not " + length, length);
        }
        int flags = in.get(ProxidorWire.SHORT, ProxidorWire.FLAGS);
        if (in.get(ProxidorWire.BYTE, ProxidorWire.VERSION) != 0 || (flags & ProxidorWire.QR) == 0) {
            throw new Malformed("it is no response of version 0", 0);
        }
        if (in.get(ProxidorWire.INT, ProxidorWire.ID) != id) {
            throw new Malformed("it is the response to another request", ProxidorWire.ID);
        }
        ProxidorRcode code = ProxidorRcode.of(flags & ProxidorWire.RCODE);
        int ttl = in.get(ProxidorWire.SHORT, ProxidorWire.TTL) & 0xffff;
        boolean ignored = (flags & ProxidorWire.SI) != 0 && source.isPresent();
        return new Answer(code, ttl, ignored, code == ProxidorRcode.NO_ERROR ? order(in) : new int[0]);
    }

    private int[] order(MemorySegment in) throws Malformed {
        ProxidorListType type = typeOf(candidates);
        long length = in.byteSize();
        int list = ProxidorWire.LIST;
        if (length < list + ProxidorWire.PART_BYTES || in.get(ProxidorWire.BYTE, list) != type.code()) {
            throw new Malformed("a response has one list of the request's type " + type.code(), list);
        }
        int size = in.get(ProxidorWire.SHORT, list + ProxidorWire.PART_SIZE) & 0xffff;
        int count = (size - ProxidorWire.PART_BYTES) / type.bytes();
        if (in.get(ProxidorWire.BYTE, list + ProxidorWire.PART_FLAGS) != 0
                || list + size != length
                || size != ProxidorWire.PART_BYTES + count * type.bytes()) {
            throw new Malformed("the list does not end where the response does", list + ProxidorWire.PART_SIZE);
        }
        Map<Prefix, Deque<Integer>> asked = new HashMap<>();
        for (int i = 0; i < candidates.size(); i++) {
            asked.computeIfAbsent(candidates.get(i).block(), block -> new ArrayDeque<>()).add(i);
        }
        List<Integer> order = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            int at = list + ProxidorWire.PART_BYTES + i * type.bytes();
            Deque<Integer> waiting = asked.get(block(type, in, at));
            if (waiting == null || waiting.isEmpty()) {
                throw new Malformed("the response has a candidate that the request has not", at);
            }
            order.add(waiting.remove());
        }
        return order.stream().mapToInt(Integer::intValue).toArray();
    }

    private static Prefix block(ProxidorListType type, MemorySegment in, int at) throws Malformed {
        int bits = type.isIpv6() ? 128 : 32;
        int length = type.isOfPrefixes() ? in.get(ProxidorWire.BYTE, at + type.bytes() - 1) & 0xff : bits;
        if (length > bits) {
            throw new Malformed("a prefix of " + length + " bits is longer than its address", at + type.bytes() - 1);
        }
        return type.isIpv6()
                ? new Prefix(in.get(ProxidorWire.LONG, at), in.get(ProxidorWire.LONG, at + Long.BYTES), length)
                : Prefix.ofIpv4(in.get(ProxidorWire.INT, at), length);
    }
}
