package io.guidepost.gnrs.site;

import io.guidepost.names.Counters;
import io.guidepost.names.Exchange;
import io.guidepost.names.Guid;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Map;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * The writes of the last seconds, so that a datagram that comes again does not write again: what was deleted in between
 * would be back. A repetition is the same message, byte for byte, from the same port. One worker's.
 */
final class Repeats {
    private final long secret;
    private final Counters<SiteCount> counts;
    private final Map<Key, Entry> entries = new HashMap<>();
    private final ArrayDeque<Entry> oldestFirst = new ArrayDeque<>();

    /** Who asked, under which id, for which GUID. */
    private record Key(long high, long low, long port, Guid guid) {}

    private record Entry(Key key, long message, long sinceNanos, WriteRequest request) {}

    Repeats(RandomGenerator random, Counters<SiteCount> counts) {
        this.secret = random.nextLong() | 1;
        this.counts = counts;
    }

    /** The request that a message repeats, or null if it is new. */
    @Nullable WriteRequest earlier(Exchange asker, Guid guid, long nowNanos) {
        expire(nowNanos);
        Entry entry = entries.get(key(asker, guid));
        boolean failed = entry != null && entry.request.told() && !entry.request.done();
        return entry == null || failed || entry.message != message(asker) ? null : entry.request;
    }

    /** Remembers a request. */
    void remember(Exchange asker, Guid guid, long nowNanos, WriteRequest request) {
        Entry entry = new Entry(key(asker, guid), message(asker), nowNanos, request);
        if (oldestFirst.size() == WriteLimits.REPEATS_MAX) {
            counts.count(SiteCount.WRITES_REPEATS_MAX);
            forget(oldestFirst.remove());
        }
        oldestFirst.add(entry);
        entries.put(entry.key, entry);
    }

    private void expire(long nowNanos) {
        for (Entry first = oldestFirst.peek();
                first != null && nowNanos - first.sinceNanos > WriteLimits.REPEAT_NANOS;
                first = oldestFirst.peek()) {
            forget(oldestFirst.remove());
        }
    }

    private void forget(Entry entry) {
        entries.remove(entry.key, entry);
    }

    private static Key key(Exchange asker, Guid guid) {
        int id = asker.question().get(SiteWire.INT, asker.questionOffset() + SiteWire.ID);
        return new Key(asker.peerHigh(), asker.peerLow(), (long) asker.peerPort() << 32 | id & 0xffffffffL, guid);
    }

    /** A number for the whole message. It is no proof: who sends two that share it harms nobody but himself. */
    private long message(Exchange asker) {
        MemorySegment segment = asker.question();
        long at = asker.questionOffset();
        int length = asker.questionLength();
        long hash = secret ^ length;
        int done = 0;
        for (; done + 8 <= length; done += 8) {
            hash = mixed(hash ^ segment.get(SiteWire.LONG, at + done));
        }
        for (; done < length; done++) {
            hash = mixed(hash ^ segment.get(SiteWire.BYTE, at + done));
        }
        return hash;
    }

    private static long mixed(long word) {
        long product = word * 0x9e3779b97f4a7c15L;
        return product ^ product >>> 32;
    }
}
