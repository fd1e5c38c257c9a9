package io.guidepost.gnrs;

import io.guidepost.gnrs.wire.GnrsWire;
import io.guidepost.names.Locator;
import io.guidepost.store.RecordImage;
import io.guidepost.store.RecordReader;
import java.lang.foreign.MemorySegment;

/**
 * Builds the list of bindings that one answer may show: not expired, of address types that the client reads, with cache
 * TTLs that do not outlast them. Counts the bindings that it leaves out. Not thread-safe.
 */
final class AnswerBuilder {
    private final BindingList places = new BindingList();
    private long nowMillis;
    private long ageMillis;
    private boolean accepts;
    private int total;
    private long events;

    void begin(long now, boolean acceptsExtended) {
        places.clear();
        nowMillis = now;
        accepts = acceptsExtended;
        total = 0;
        events = 0;
    }

    BindingList places() {
        return places;
    }

    /** Sets the age of the record that is taken next; the cache TTLs of its bindings are shortened by it. */
    void age(RecordReader reader) {
        ageMillis = reader instanceof CachedReader far ? far.ageMillis() : 0;
    }

    /** Returns the remaining cache TTL of a binding; 0 still stands for none. */
    long left(long ttlMillis) {
        return ttlMillis == 0 || ageMillis == 0 ? ttlMillis : Math.max(1, ttlMillis - ageMillis);
    }

    /** Returns the number of all bindings that have not expired, hidden ones included. */
    int total() {
        return total;
    }

    /** Returns the events on the way: a set of the counters to increment. */
    long events() {
        return events;
    }

    @SuppressWarnings("EnumOrdinal") // A bit in a word that lives as long as one answer.
    void event(GnrsCount count) {
        events |= 1L << count.ordinal();
    }

    boolean ended(long expiryMillis) {
        return expiryMillis != 0 && expiryMillis <= nowMillis;
    }

    /** Takes all bindings of a stored record, which are distinct; links stay as they are. */
    void take(MemorySegment image, long offset) {
        int count = RecordImage.bindings(image, offset);
        long ttls = RecordImage.ttls(image, offset);
        long expiries = RecordImage.expiries(image, offset);
        long at = RecordImage.places(image, offset) + 4;
        for (int i = 0; i < count; i++) {
            int header = image.get(GnrsWire.INT, at);
            int length = GnrsWire.ADDRESS_HEADER_BYTES + (header & 0xffff);
            long expiry = image.get(GnrsWire.LONG, expiries + 8L * i);
            if (!ended(expiry) && shown(header >>> 16)) {
                places.append(image, at, length, ttl(left(image.get(GnrsWire.LONG, ttls + 8L * i)), expiry), expiry);
            }
            at += length;
        }
    }

    /** Takes one binding that has not expired, unless its address is present: the first one found stays. */
    void merge(MemorySegment segment, long position, int header, long ttlMillis, long expiryMillis) {
        if (!shown(header >>> 16)) {
            return;
        }
        if (places.full()) {
            event(GnrsCount.ALIAS_CHAINS_CUT_BINDINGS_MAX);
            return;
        }
        int length = GnrsWire.ADDRESS_HEADER_BYTES + (header & 0xffff);
        if (places.merge(segment, position, length, ttl(ttlMillis, expiryMillis), expiryMillis) >= 0) {
            total--;
        }
    }

    private boolean shown(int type) {
        total++;
        return accepts || RecordImage.flagsOf(type) == RecordImage.CHAINED || type <= Locator.Type.NETWORK_ADDRESS.code();
    }

    /** Returns the TTL that a cache may use: a cache must not keep a binding beyond its expiry. */
    private long ttl(long ttlMillis, long expiryMillis) {
        return expiryMillis == 0 ? ttlMillis : Math.min(ttlMillis, expiryMillis - nowMillis);
    }
}
