package io.guidepost.dns;

import io.guidepost.base.Addresses;
import io.guidepost.base.Memory;
import io.guidepost.dns.wire.DnsLimits;
import io.guidepost.dns.wire.DnsWire;
import io.guidepost.names.Guid;
import io.guidepost.names.Locator;
import io.guidepost.names.Name;
import io.guidepost.proximity.ranking.CountingSort;
import io.guidepost.proximity.ranking.Ranking;
import io.guidepost.store.RecordImage;
import io.guidepost.store.RecordReader;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * The places of a name, as far as records need them: those of its own record, and those that its links lead to, breadth-first. Which
 * are near is told by {@link #order}. Allocates nothing. Not thread-safe.
 */
final class PlaceList {
    private static final byte GUIDS = Name.Namespace.GUID.code();
    private static final int LOCATOR_HEAD_BYTES = 4;
    private static final int PORT_BYTES = 2;
    private static final int IPV4 = 4;
    private static final int IPV6 = 6;
    private static final int ELSEWHERE = 0;
    private static final long MILLIS = 1000;

    private final UrlAuthority url = new UrlAuthority();
    private final UrlAuthority otherUrl = new UrlAuthority();
    private int defaultTtlSeconds;
    private final MemorySegment[] segments = new MemorySegment[DnsLimits.PLACES_MAX];
    private final long[] positions = new long[DnsLimits.PLACES_MAX];
    private final long[] highs = new long[DnsLimits.PLACES_MAX];
    private final long[] lows = new long[DnsLimits.PLACES_MAX];
    private final byte[] versions = new byte[DnsLimits.PLACES_MAX];
    private final char[] ports = new char[DnsLimits.PLACES_MAX];
    private final int[] ttls = new int[DnsLimits.PLACES_MAX];

    /** Hash of host and port of a URL of the scheme https; 0 for other places. */
    private final int[] authorities = new int[DnsLimits.PLACES_MAX];
    private final MemorySegment[] linkSegments = new MemorySegment[DnsLimits.ALIASES_MAX];
    private final long[] links = new long[DnsLimits.ALIASES_MAX];
    private final int[] linkTtls = new int[DnsLimits.ALIASES_MAX];
    private final CountingSort sort = new CountingSort(DnsLimits.PLACES_MAX);
    private final char[] sequence = new char[DnsLimits.PLACES_MAX];
    private MemorySegment own = MemorySegment.NULL;
    private long ownGuid;
    private int count;
    private int linkCount;
    private boolean ordered;

    /**
     * Takes the bindings of a record that have not expired; links are not followed yet.
     *
     * @param nowMillis the time; 0 for a transfer, which takes all
     * @param ttlSeconds TTL of places that say none
     */
    void take(MemorySegment image, long offset, long nowMillis, int ttlSeconds) {
        defaultTtlSeconds = ttlSeconds;
        count = 0;
        linkCount = 0;
        ordered = false;
        own = image;
        ownGuid = offset + RecordImage.HEADER_BYTES + 1;
        add(image, offset, nowMillis, DnsLimits.TTL_SECONDS_MAX);
    }

    private void add(MemorySegment image, long offset, long nowMillis, int ttlMax) {
        int bindings = RecordImage.bindings(image, offset);
        long ttlsAt = RecordImage.ttls(image, offset);
        long expiriesAt = RecordImage.expiries(image, offset);
        long at = RecordImage.places(image, offset) + Integer.BYTES;
        for (int i = 0; i < bindings; i++) {
            int head = image.get(DnsWire.INT, at);
            int bytes = head & 0xffff;
            long expiry = image.get(DnsWire.LONG, expiriesAt + (long) Long.BYTES * i);
            if (expiry == 0 || expiry > nowMillis) {
                int ttl = Math.min(ttlMax, ttl(image.get(DnsWire.LONG, ttlsAt + (long) Long.BYTES * i), expiry, nowMillis));
                if (head >>> 16 == Locator.Type.GUID.code() && bytes == Guid.BYTES) {
                    link(image, at + LOCATOR_HEAD_BYTES, ttl);
                } else if (count < DnsLimits.PLACES_MAX) {
                    place(image, at, head >>> 16, bytes, ttl);
                }
            }
            at += LOCATOR_HEAD_BYTES + bytes;
        }
    }

    /** Returns a TTL that a cache may use: no longer than what is left. A transfer, at no time, knows of no end. */
    private int ttl(long ttlMillis, long expiry, long nowMillis) {
        long millis = ttlMillis == 0 ? defaultTtlSeconds * MILLIS : ttlMillis;
        if (expiry != 0 && nowMillis > 0) {
            millis = Math.min(millis, expiry - nowMillis);
        }
        return (int) Math.min(millis / MILLIS, DnsLimits.TTL_SECONDS_MAX);
    }

    /** Keeps a link to a name that no link before it leads to, nor is the name itself. */
    private void link(MemorySegment image, long at, int ttl) {
        boolean known = Memory.same(image, at, own, ownGuid, Guid.BYTES);
        for (int i = 0; i < linkCount; i++) {
            known |= Memory.same(image, at, linkSegments[i], links[i], Guid.BYTES);
        }
        if (!known && linkCount < DnsLimits.ALIASES_MAX) {
            linkSegments[linkCount] = image;
            links[linkCount] = at;
            linkTtls[linkCount++] = ttl;
        }
    }

    private void place(MemorySegment image, long at, int type, int bytes, int ttl) {
        int place = count++;
        long data = at + LOCATOR_HEAD_BYTES;
        segments[place] = image;
        positions[place] = at;
        ttls[place] = ttl;
        ports[place] = 0;
        versions[place] = ELSEWHERE;
        authorities[place] = 0;
        if (type == Locator.Type.IPV4_UDP.code() && bytes >= Integer.BYTES) {
            address(place, Addresses.IPV4_HIGH, Addresses.ipv4Low(image.get(DnsWire.INT, data)));
            ports[place] = bytes < Integer.BYTES + PORT_BYTES ? 0 : (char) image.get(DnsWire.SHORT, data + Integer.BYTES);
        } else if (type == Locator.Type.IPV6_UDP.code() && bytes == 2 * Long.BYTES + PORT_BYTES) {
            address(place, image.get(DnsWire.LONG, data), image.get(DnsWire.LONG, data + Long.BYTES));
            ports[place] = (char) image.get(DnsWire.SHORT, data + 2 * Long.BYTES);
        } else if (type == Locator.Type.URL.code() && url.read(image, data, bytes)) {
            authorities[place] = url.secure() ? url.hash() : 0;
            if (url.numeric()) {
                address(place, url.high(), url.low());
                ports[place] = (char) url.port();
            }
        }
    }

    private void address(int place, long high, long low) {
        highs[place] = high;
        lows[place] = low;
        versions[place] = (byte) (Addresses.isIpv4(high, low) ? IPV4 : IPV6);
    }

    /** Returns whether the record is one link, and nothing else: another name of the same thing. */
    boolean isAlias() {
        return count == 0 && linkCount == 1;
    }

    /** Returns whether nothing was taken: such a name is bound to nothing. */
    boolean isEmpty() {
        return count == 0 && linkCount == 0;
    }

    /** Returns the segment of the GUID that an alias leads to. */
    MemorySegment aliasSegment() {
        return linkSegments[0];
    }

    /** Returns the offset of that GUID. */
    long alias() {
        return links[0];
    }

    /** Returns the TTL of an alias. */
    int aliasTtl() {
        return linkTtls[0];
    }

    /**
     * Adds the places that the links lead to.
     *
     * @return false if the reader does not know one of the records
     */
    boolean follow(RecordReader reader, long nowMillis) {
        for (int i = 0; i < linkCount; i++) {
            switch (reader.find(GUIDS, linkSegments[i], links[i], Guid.BYTES)) {
                case YES -> add(reader.segment(), reader.offset(), nowMillis, linkTtls[i]);
                case NO -> {}
                case UNKNOWN -> {
                    return false;
                }
            }
        }
        return true;
    }

    /** Puts places in order, nearest to an address first; returns false if it is not known where that is, or nothing can move. */
    boolean order(Ranking ranking, long high, long low) {
        int source = count < 2 ? Ranking.NO_SOURCE : ranking.source(ranking.place(high, low));
        if (source == Ranking.NO_SOURCE) {
            return false;
        }
        char[] ranks = ranking.ranks(source);
        char[] own = sort.ranks();
        for (int i = 0; i < count; i++) {
            own[i] = ranks[
                    versions[i] == IPV4 ? ranking.placeIpv4((int) lows[i])
                            : versions[i] == IPV6 ? ranking.place(highs[i], lows[i]) : Ranking.NOWHERE];
        }
        sort.sort(count, true);
        char[] sorted = sort.positions();
        for (int i = 0; i < count; i++) {
            sequence[sorted[i]] = (char) i;
        }
        ordered = true;
        return true;
    }

    int count() {
        return count;
    }

    /** Returns the place at a step of the order. */
    int at(int step) {
        return ordered ? sequence[step] : step;
    }

    /** Returns how near a place is, the least first: the priority of records that have one. */
    int priority(int place) {
        return ordered ? sort.ranks()[place] : 0;
    }

    int ttl(int place) {
        return ttls[place];
    }

    int port(int place) {
        return ports[place];
    }

    boolean isIpv4(int place) {
        return versions[place] == IPV4;
    }

    boolean isIpv6(int place) {
        return versions[place] == IPV6;
    }

    boolean isUrl(int place) {
        return segments[place].get(DnsWire.SHORT, positions[place]) == (short) Locator.Type.URL.code();
    }

    /** Returns the URL of a place if it is of the scheme https and has a host, or null. */
    @Nullable UrlAuthority https(int place) {
        return authorities[place] != 0 && url.read(segments[place], data(place), dataBytes(place)) ? url : null;
    }

    long high(int place) {
        return highs[place];
    }

    long low(int place) {
        return lows[place];
    }

    /** Returns the memory of a place's locator. */
    MemorySegment segment(int place) {
        return segments[place];
    }

    int type(int place) {
        return Short.toUnsignedInt(segments[place].get(DnsWire.SHORT, positions[place]));
    }

    /** Returns where the locator's data begins. */
    long data(int place) {
        return positions[place] + LOCATOR_HEAD_BYTES;
    }

    int dataBytes(int place) {
        return Short.toUnsignedInt(segments[place].get(DnsWire.SHORT, positions[place] + Short.BYTES));
    }

    /** Returns whether a place before this one in order makes the same record of a type. */
    boolean isRepeated(int step, int type) {
        int place = at(step);
        for (int i = 0; i < step; i++) {
            int other = at(i);
            boolean same = switch (type) {
                case DnsWire.A, DnsWire.AAAA -> hasAddressOf(place, other);
                case DnsWire.SRV -> hasAddressOf(place, other) && ports[other] == ports[place];
                case DnsWire.HTTPS -> authorities[other] == authorities[place] && hasAuthorityOf(place, other);
                default -> linkCount > 0 && dataBytes(other) == dataBytes(place)
                        && Memory.same(segments[other], positions[other], segments[place], positions[place],
                                LOCATOR_HEAD_BYTES + dataBytes(place));
            };
            if (same) {
                return true;
            }
        }
        return false;
    }

    private boolean hasAuthorityOf(int place, int other) {
        return url.read(segments[place], data(place), dataBytes(place))
                && otherUrl.read(segments[other], data(other), dataBytes(other))
                && url.isSame(otherUrl);
    }

    /** Returns whether two places have the same address. */
    boolean hasAddressOf(int place, int other) {
        return lows[other] == lows[place] && highs[other] == highs[place] && versions[other] == versions[place];
    }
}
