package io.guidepost.dns;

import io.guidepost.base.Addresses;
import io.guidepost.base.CommonLimits;
import io.guidepost.base.Memory;
import io.guidepost.dns.wire.DnsLimits;
import io.guidepost.dns.wire.DnsQueryFlyweight;
import io.guidepost.dns.wire.DnsWire;
import io.guidepost.names.Exchange;
import io.guidepost.names.Guid;
import io.guidepost.names.Name;
import io.guidepost.proximity.ranking.Ranking;
import io.guidepost.store.RecordReader;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.IntSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Looks up what a question is about, and writes the records that answer it. A record that is one link is a CNAME, which is followed
 * in the response; the places that links beside others lead to are those of the name itself. Belongs to one thread; allocates
 * nothing, but for CNAME and TXT.
 */
final class ZoneLookup {
    private static final byte GUIDS = Name.Namespace.GUID.code();

    private final DnsQueryFlyweight query;
    private final DnsResponseWriter reply;
    private final IntSupplier serials;
    private final @Nullable Supplier<Ranking> rankings;
    private final EmptyNonTerminals nonTerminals;
    private final OwnerName owner;
    private final PlaceList places = new PlaceList();
    private final PlaceList others = new PlaceList();

    /** The GUID of each server's name; null for one outside the zone. */
    private final List<@Nullable MemorySegment> servers = new ArrayList<>();

    /** Where names in the data of written answers stand, and whose places these are. */
    private final int[] targets = new int[DnsLimits.PLACES_MAX];
    private final char[] targetPlaces = new char[DnsLimits.PLACES_MAX];
    private final MemorySegment aliasName = Arena.ofAuto().allocate(DnsLimits.NAME_BYTES_MAX, Long.BYTES);
    private DnsSettings settings;
    private OwnerName.Kind kind = OwnerName.Kind.OUTSIDE;
    private int rcode;
    private boolean truncated;
    private boolean ordered;
    private int written;

    /** The name that may be above others, at offset 0. */
    private MemorySegment above = MemorySegment.NULL;

    private int aboveBytes;
    private boolean belowHandles;

    /** Where the name that the records are of stands, and the GUID that is looked up. */
    private MemorySegment name = MemorySegment.NULL;

    private long nameAt;
    private int nameBytes;
    private MemorySegment guid = MemorySegment.NULL;
    private long guidAt;

    ZoneLookup(
            DnsQueryFlyweight query,
            DnsResponseWriter reply,
            DnsSettings settings,
            IntSupplier serials,
            @Nullable Supplier<Ranking> rankings,
            EmptyNonTerminals nonTerminals) {
        this.query = query;
        this.reply = reply;
        this.settings = settings;
        this.serials = serials;
        this.rankings = rankings;
        this.nonTerminals = nonTerminals;
        this.owner = new OwnerName(settings.zone());
        follow(settings);
    }

    void follow(DnsSettings next) {
        settings = next;
        servers.clear();
        next.servers().forEach(each -> servers.add(OwnerName.host(each.toString(), next.zone()).map(ZoneLookup::segment).orElse(null)));
    }

    private static MemorySegment segment(Guid guid) {
        return MemorySegment.ofBuffer(ByteBuffer.allocateDirect(Guid.BYTES).put(0, guid.toBytes()));
    }

    /** Returns whether the records do not fit; those that were written are then to be removed. */
    boolean truncated() {
        return truncated;
    }

    /** Returns whether places were put in order for the client. */
    boolean ordered() {
        return ordered;
    }

    int rcode() {
        return rcode;
    }

    /** Prefetches the record of the question that was parsed; the key stays at its offset until the look-up. */
    void prefetch(RecordReader reader, MemorySegment keys, long keyAt) {
        OwnerName.Kind asked = owner.read(query);
        if (asked == OwnerName.Kind.NAME || asked == OwnerName.Kind.SERVICE) {
            MemorySegment.copy(owner.guid(), 0, keys, keyAt, Guid.BYTES);
            reader.prefetch(GUIDS, keys, keyAt, Guid.BYTES);
        }
    }

    /** Answers the question; returns false if the reader does not know a record. */
    boolean answer(Exchange exchange, RecordReader reader) {
        rcode = DnsWire.NO_ERROR;
        truncated = false;
        ordered = false;
        kind = owner.read(query);
        boolean transfer = query.type() == DnsWire.AXFR || query.type() == DnsWire.IXFR && kind != OwnerName.Kind.APEX;
        if (kind == OwnerName.Kind.OUTSIDE || transfer) {
            rcode = DnsWire.REFUSED;
            return true;
        }
        written = 0;
        belowHandles = owner.isBelowHandles();
        above = query.name();
        aboveBytes = query.nameBytes();
        return switch (kind) {
            case APEX -> apex(exchange, reader);
            case HANDLES -> negative(DnsWire.NO_ERROR);
            case IMPOSSIBLE -> absent();
            default -> answerName(exchange, reader);
        };
    }

    private int zoneAt() {
        return DnsWire.HEADER_BYTES + query.nameBytes() - settings.zone().wire().length;
    }

    private boolean negative(int code) {
        rcode = code;
        truncated = reply.soa(settings, serials.getAsInt(), zoneAt(), true) < 0;
        return true;
    }

    /** Answers that a name has no record: it is there all the same if others stand below it. */
    private boolean absent() {
        boolean there = nonTerminals.mayBeAbove(above, 0, aboveBytes - settings.zone().wire().length, belowHandles);
        return negative(there ? DnsWire.NO_ERROR : DnsWire.NX_DOMAIN);
    }

    private boolean apex(Exchange exchange, RecordReader reader) {
        return switch (query.type()) {
            // Over UDP the SOA alone says that the zone is to be asked for over TCP (RFC 1995 section 2).
            case DnsWire.SOA, DnsWire.IXFR -> {
                targets[0] = reply.soa(settings, serials.getAsInt(), zoneAt(), false);
                truncated = targets[0] < 0;
                yield truncated || glue(exchange, reader, 1);
            }
            case DnsWire.NS -> {
                int count = Math.min(settings.servers().size(), targets.length);
                for (int i = 0; i < count; i++) {
                    targets[i] = reply.server(settings.zone(), settings.servers().get(i), zoneAt());
                    truncated |= targets[i] < 0;
                }
                yield truncated || glue(exchange, reader, count);
            }
            case DnsWire.ANY -> {
                truncated = !reply.any();
                yield true;
            }
            default -> negative(DnsWire.NO_ERROR);
        };
    }

    /** Adds the addresses of the first servers, as far as they are names of the zone; returns false if the reader does not know one. */
    private boolean glue(Exchange exchange, RecordReader reader, int count) {
        for (int i = 0; i < count; i++) {
            MemorySegment server = servers.get(i);
            if (server != null && !addresses(exchange, reader, server, targets[i])) {
                return false;
            }
        }
        return true;
    }

    /** Adds the addresses of a name that stands at an offset of the response; returns false if the reader does not know them. */
    private boolean addresses(Exchange exchange, RecordReader reader, MemorySegment target, int nameAt) {
        switch (reader.find(GUIDS, target, 0, Guid.BYTES)) {
            case UNKNOWN -> {
                return false;
            }
            case NO -> {
                return true;
            }
            case YES -> {}
        }
        others.take(Memory.known(reader.segment()), reader.offset(), exchange.nowMillis(), settings.ttlSeconds());
        for (int type = DnsWire.A; type != 0; type = type == DnsWire.A ? DnsWire.AAAA : 0) {
            int ttl = ttl(others, type);
            for (int i = 0; i < others.count(); i++) {
                if (RecordData.bytes(type, others, i, 0) != RecordData.NONE && !others.isRepeated(i, type)) {
                    reply.address(nameAt, others, i, ttl);
                }
            }
        }
        return true;
    }

    /** Returns the one TTL of all records of a type (RFC 2181 section 5.2). */
    private static int ttl(PlaceList places, int type) {
        int ttl = DnsLimits.TTL_SECONDS_MAX;
        for (int i = 0; i < places.count(); i++) {
            if (RecordData.bytes(type, places, i, 0) != RecordData.NONE) {
                ttl = Math.min(ttl, places.ttl(i));
            }
        }
        return ttl;
    }

    private boolean answerName(Exchange exchange, RecordReader reader) {
        name = query.name();
        nameAt = owner.base();
        nameBytes = query.nameBytes() - owner.base();
        guid = owner.guid();
        guidAt = 0;
        for (int links = 0; ; links++) {
            RecordReader.Found found = reader.find(GUIDS, guid, guidAt, Guid.BYTES);
            if (found == RecordReader.Found.UNKNOWN) {
                return false;
            }
            if (found == RecordReader.Found.NO) {
                return absent();
            }
            if (kind == OwnerName.Kind.HANDLE) {
                if (!alias(guid, 0, settings.ttlSeconds())) {
                    return true;
                }
                kind = OwnerName.Kind.NAME;
            }
            places.take(Memory.known(reader.segment()), reader.offset(), exchange.nowMillis(), settings.ttlSeconds());
            if (places.isEmpty()) {
                return absent();
            }
            if (!places.isAlias() || links == CommonLimits.CHAIN_DEPTH_MAX) {
                break;
            }
            if (kind == OwnerName.Kind.NAME && !alias(places.aliasSegment(), places.alias(), places.aliasTtl())) {
                return true;
            }
            guid = places.aliasSegment();
            guidAt = places.alias();
        }
        if (!places.follow(reader, exchange.nowMillis())) {
            return false;
        }
        order(exchange);
        answerPlaces();
        return query.type() != DnsWire.HTTPS || truncated || hosts(exchange, reader);
    }

    /** Writes a CNAME, whose target owns the records that follow; returns whether any may. */
    private boolean alias(MemorySegment segment, long at, int ttlSeconds) {
        if (query.type() == DnsWire.ANY) {
            truncated = !reply.any();
            return false;
        }
        byte[] labels = OwnerName.of(Guid.read(segment, at));
        long data = reply.answer(DnsWire.CNAME, ttlSeconds, labels.length + Short.BYTES);
        if (data < 0) {
            truncated = true;
            return false;
        }
        MemorySegment.copy(labels, 0, reply.out(), DnsWire.BYTE, data, labels.length);
        reply.out().set(DnsWire.SHORT, data + labels.length, (short) (DnsWire.POINTER | zoneAt()));
        reply.owner(reply.offset(data));
        byte[] zone = settings.zone().wire();
        MemorySegment.copy(labels, 0, aliasName, DnsWire.BYTE, 0, labels.length);
        MemorySegment.copy(zone, 0, aliasName, DnsWire.BYTE, labels.length, zone.length);
        name = aliasName;
        nameAt = 0;
        nameBytes = labels.length + zone.length;
        above = aliasName;
        aboveBytes = nameBytes;
        belowHandles = false;
        return query.type() != DnsWire.CNAME;
    }

    /** Puts places in order for the client subnet, if one is told, or else for the address that the question came from. */
    private void order(Exchange exchange) {
        Supplier<Ranking> by = rankings;
        if (by == null) {
            return;
        }
        long high = exchange.peerHigh();
        long low = exchange.peerLow();
        if (query.hasSubnet() && query.subnetBits() > 0) {
            boolean ipv4 = query.subnetFamily() == 1;
            high = ipv4 ? Addresses.IPV4_HIGH : bits(0, Long.BYTES);
            low = ipv4 ? Addresses.ipv4Low((int) bits(0, Integer.BYTES)) : bits(Long.BYTES, Long.BYTES);
        }
        ordered = places.order(by.get(), high, low);
    }

    /** Returns bytes of the subnet's address; those that it does not have are 0. */
    private long bits(int from, int bytes) {
        int there = (query.subnetBits() + Byte.SIZE - 1) / Byte.SIZE;
        long bits = 0;
        for (int i = from; i < from + bytes; i++) {
            bits = bits << Byte.SIZE | (i < there ? query.segment().get(DnsWire.BYTE, query.subnet() + i) & 0xff : 0);
        }
        return bits;
    }

    private void answerPlaces() {
        int type = query.type();
        boolean address = type == DnsWire.A || type == DnsWire.AAAA;
        boolean typed = kind == OwnerName.Kind.NAME
                || kind == OwnerName.Kind.SERVICE && type == DnsWire.SRV
                || kind == OwnerName.Kind.PLACE && address;
        if (kind == OwnerName.Kind.PLACE && !hasPlace()) {
            absent();
        } else if (type == DnsWire.ANY && kind != OwnerName.Kind.SERVICES) {
            truncated = !reply.any();
        } else if (!typed || !records(type) && !truncated) {
            negative(DnsWire.NO_ERROR);
        }
    }

    /** Returns whether the name has the place that is asked for. */
    private boolean hasPlace() {
        for (int i = 0; i < places.count(); i++) {
            if (isAsked(i)) {
                return true;
            }
        }
        return false;
    }

    private boolean isAsked(int place) {
        return kind != OwnerName.Kind.PLACE
                || places.low(place) == owner.placeLow() && places.high(place) == owner.placeHigh()
                        && (places.isIpv4(place) || places.isIpv6(place));
    }

    private int bytes(int type, int place) {
        return isAsked(place) ? RecordData.bytes(type, places, place, nameBytes) : RecordData.NONE;
    }

    /** Writes all records of a type, of one TTL (RFC 2181 section 5.2); returns whether there is one. */
    private boolean records(int type) {
        written = 0;
        int ttl = DnsLimits.TTL_SECONDS_MAX;
        boolean any = false;
        for (int i = 0; i < places.count(); i++) {
            if (bytes(type, i) != RecordData.NONE) {
                ttl = Math.min(ttl, places.ttl(i));
                any = true;
            }
        }
        for (int step = 0; any && step < places.count(); step++) {
            int place = places.at(step);
            int bytes = bytes(type, place);
            if (bytes == RecordData.NONE || places.isRepeated(step, type)) {
                continue;
            }
            long data = reply.answer(type, ttl, bytes);
            if (data < 0) {
                truncated = true;
                return true;
            }
            RecordData.write(type, places, place, name, nameAt, nameBytes, reply.out(), data);
            targets[written] = reply.offset(data) + (type == DnsWire.SRV ? RecordData.target() : Short.BYTES);
            targetPlaces[written++] = (char) place;
        }
        for (int i = 0; i < written && type == DnsWire.SRV; i++) {
            reply.address(targets[i], places, targetPlaces[i], ttl);
        }
        return any;
    }

    /** Adds the addresses of hosts of HTTPS records that are names of the zone, each once; false if the reader does not know one. */
    private boolean hosts(Exchange exchange, RecordReader reader) {
        Set<Guid> seen = new HashSet<>();
        for (int i = 0; i < written; i++) {
            UrlAuthority url = places.https(targetPlaces[i]);
            if (url == null || url.numeric()) {
                continue;
            }
            String host = new String(url.host(), 0, url.hostBytes(), StandardCharsets.US_ASCII);
            Guid target = OwnerName.host(host, settings.zone()).orElse(null);
            if (target != null && seen.add(target) && !addresses(exchange, reader, segment(target), targets[i])) {
                return false;
            }
        }
        return true;
    }
}
