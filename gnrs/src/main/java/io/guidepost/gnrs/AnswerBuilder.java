package io.guidepost.gnrs;

import io.guidepost.gnrs.wire.GnrsWire;
import io.guidepost.names.Locator;
import io.guidepost.store.RecordImage;
import io.guidepost.store.RecordReader;
import java.lang.foreign.MemorySegment;

/**
 * Gathers the bindings that one answer may show: those that have not ended, of address types that the asker reads, with
 * cache lifetimes that do not outlast them. Counts those too that it must not show. Not thread-safe.
 */
final class AnswerBuilder {
    private final BindingList places = new BindingList();
    private long nowMillis;
    private long ageMillis;
    private boolean accepts;
    private int total;
    private long events;

    /** Starts an answer. */
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

    /** Says how long ago the record that is taken next was heard of: its cache lifetimes are shorter by so much. */
    void age(RecordReader reader) {
        ageMillis = reader instanceof CachedReader far ? far.ageMillis() : 0;
    }

    /** What is left of the cache lifetime of a binding; 0 still says nothing. */
    long left(long ttlMillis) {
        return ttlMillis == 0 || ageMillis == 0 ? ttlMillis : Math.max(1, ttlMillis - ageMillis);
    }

    /** All bindings that have not ended, those not shown included. */
    int total() {
        return total;
    }

    /** What happened on the way: a set of the counts that have to be raised by one. */
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

    /** Takes all bindings of a stored record, which are different from each other, links as they are. */
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

    /** Takes one binding that has not ended, unless its address is there already: the one found first stays. */
    void merge(MemorySegment segment, long position, int header, long ttlMillis, long expiryMillis) {
        if (!shown(header >>> 16)) {
            return;
        }
        if (places.full()) {
            event(GnrsCount.CHAIN_BINDINGS_MAX);
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

    /** A cache must not keep a binding longer than it lasts. */
    private long ttl(long ttlMillis, long expiryMillis) {
        return expiryMillis == 0 ? ttlMillis : Math.min(ttlMillis, expiryMillis - nowMillis);
    }
}
