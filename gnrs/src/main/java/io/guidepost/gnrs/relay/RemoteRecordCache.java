package io.guidepost.gnrs.relay;

import io.guidepost.base.Counters;
import io.guidepost.gnrs.PeerGateway;
import io.guidepost.gnrs.peer.GuidHashTable;
import io.guidepost.gnrs.peer.PeerCount;
import io.guidepost.gnrs.peer.PeerWire;
import io.guidepost.gnrs.peer.ReplicationSettings;
import io.guidepost.gnrs.replica.ChangeMarks;
import io.guidepost.store.RecordImage;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * An LRU cache of other servers' records, and of names without bindings (negative cache). An entry lives for the least
 * TTL of a record's bindings, or the operator's default, and not beyond the first expiry of a binding. Bounded in
 * bytes; evicts the least recently used. Belongs to one worker; {@link ChangeMarks} invalidates changed records.
 */
final class RemoteRecordCache {
    /** Memory of an entry besides its image: object headers, its links, its slot. */
    private static final int ENTRY_BYTES = 160;

    private static final long NANOS_IN_MILLI = 1_000_000;

    /** The longest lifetime of an entry: nanoseconds of a clock must not wrap. */
    private static final long LIFE_MILLIS_MAX = 365L * 24 * 60 * 60 * 1000;

    private final ReplicationSettings settings;
    private final ChangeMarks marks;
    private final Counters<PeerCount> counts;
    private final GuidHashTable<CachedRecord> table;

    /** The sentinel of the ring in LRU order: {@code next} of it was used most recently, {@code before} of it least. */
    private final CachedRecord ring;

    private long bytes;
    private long nowNanos;
    private long ageMillis;

    RemoteRecordCache(ReplicationSettings settings, ChangeMarks marks, long secret, Counters<PeerCount> counts) {
        this.counts = counts;
        this.settings = settings;
        this.marks = marks;
        this.table = new GuidHashTable<>(secret);
        byte[] none = new byte[PeerWire.GUID_BYTES];
        this.ring = new CachedRecord(MemorySegment.ofArray(none), 0, PeerGateway.NOTHING, 0, 0, 0);
    }

    private static final class CachedRecord extends GuidHashTable.Entry {
        private final MemorySegment segment;
        private final int mark;
        private final long heardNanos;
        private final long endNanos;
        private CachedRecord next = this;
        private CachedRecord before = this;

        CachedRecord(
                MemorySegment guids,
                long guid,
                MemorySegment segment,
                int mark,
                long heardNanos,
                long endNanos) {
            super(guids, guid);
            this.segment = segment;
            this.mark = mark;
            this.heardNanos = heardNanos;
            this.endNanos = endNanos;
        }

        void unlink() {
            before.next = next;
            next.before = before;
        }

        void linkBehind(CachedRecord other) {
            next = other.next;
            before = other;
            next.before = this;
            other.next = this;
        }

        long bytes() {
            return ENTRY_BYTES + segment.byteSize();
        }
    }

    void begin(long nanos) {
        nowNanos = nanos;
    }

    /** See {@link PeerGateway#remembered}. */
    @Nullable MemorySegment find(MemorySegment segment, long guid) {
        CachedRecord memory = table.size() == 0 ? null : live(segment, guid);
        if (memory == null) {
            return null;
        }
        ageMillis = (nowNanos - memory.heardNanos) / NANOS_IN_MILLI;
        memory.unlink();
        memory.linkBehind(ring);
        return memory.segment;
    }

    private @Nullable CachedRecord live(MemorySegment segment, long guid) {
        CachedRecord memory = table.get(segment, guid);
        if (memory == null) {
            return null;
        }
        if (memory.endNanos - nowNanos > 0 && memory.mark == marks.mark(segment, guid)) {
            return memory;
        }
        forget(memory);
        return null;
    }

    long ageMillis() {
        return ageMillis;
    }

    /**
     * Caches a record, or that a GUID has no bindings.
     *
     * @param image stored form of the record, or null for a negative entry
     * @param mark the change counter of its GUID, from before the request
     * @param nowMillis the time for the record's expiries
     */
    void put(MemorySegment segment, long guid, byte @Nullable [] image, int mark, long nowMillis) {
        put(segment, guid, image, mark, nowMillis, Long.MAX_VALUE);
    }

    /**
     * Caches a record whose servers do not know that it is cached here: they will not say that it has changed, so it stays for
     * the operator's TTL at most.
     */
    void putUnknown(MemorySegment segment, long guid, byte @Nullable [] image, int mark, long nowMillis) {
        put(segment, guid, image, mark, nowMillis, settings.cacheTtlMillis());
    }

    private void put(
            MemorySegment segment, long guid, byte @Nullable [] image, int mark, long nowMillis, long lifeMillisMax) {
        CachedRecord old = table.get(segment, guid);
        if (old != null) {
            forget(old);
        }
        long life = Math.min(lifeMillisMax, image == null ? settings.negativeTtlMillis() : life(image, nowMillis));
        if (life <= 0 || mark != marks.mark(segment, guid)) {
            return;
        }
        MemorySegment kept = image == null ? PeerGateway.NOTHING : MemorySegment.ofArray(image);
        long end = nowNanos + Math.min(life, LIFE_MILLIS_MAX) * NANOS_IN_MILLI;
        CachedRecord memory = new CachedRecord(segment, guid, kept, mark, nowNanos, end);
        if (memory.bytes() > settings.cacheBytesMax()) {
            return;
        }
        bytes += memory.bytes();
        table.put(memory);
        memory.linkBehind(ring);
        while (bytes > settings.cacheBytesMax()) {
            forget(ring.before);
            counts.count(PeerCount.CACHE_EVICTIONS);
        }
    }

    private long life(byte[] image, long nowMillis) {
        return lifeMillis(MemorySegment.ofArray(image), 0, settings, nowMillis);
    }

    /**
     * Returns how long a peer that receives the record now may cache it, in milliseconds; not above 0 if not at all.
     */
    static long lifeMillis(MemorySegment image, long offset, ReplicationSettings settings, long nowMillis) {
        int count = RecordImage.bindings(image, offset);
        if (count == 0) {
            return settings.negativeTtlMillis();
        }
        long life = Long.MAX_VALUE;
        long ttls = RecordImage.ttls(image, offset);
        for (int i = 0; i < count; i++) {
            long ttl = image.get(PeerWire.LONG, ttls + 8L * i);
            life = Math.min(life, ttl == 0 ? settings.cacheTtlMillis() : ttl);
        }
        long end = RecordImage.nextExpiry(image, offset);
        return end == RecordImage.NEVER ? life : Math.min(life, end - nowMillis);
    }

    private void forget(CachedRecord memory) {
        table.remove(memory);
        memory.unlink();
        bytes -= memory.bytes();
    }

    long bytes() {
        return bytes;
    }
}
