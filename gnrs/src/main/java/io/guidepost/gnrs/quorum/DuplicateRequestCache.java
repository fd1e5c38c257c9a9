package io.guidepost.gnrs.quorum;

import io.guidepost.base.Counters;
import io.guidepost.gnrs.peer.GuidHashTable;
import io.guidepost.gnrs.peer.PeerCount;
import io.guidepost.gnrs.peer.PeerWire;
import io.guidepost.names.Exchange;
import io.guidepost.names.Guid;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * A duplicate-request cache: the writes of the last seconds, so that a retransmitted datagram does not write again, which
 * would bring back what was deleted in between. A duplicate is the same message, byte for byte, from the same port, with
 * no other message under its id and GUID in between. Belongs to one worker.
 *
 * <p>Why numbers in arrays, and no map? Entries live just long enough that the garbage collector copies all of them
 * while the workers are paused: with a few objects for each, a flood of writes would delay every client.
 *
 * <pre>
 *  heads    by hash: the newest entry of its chain, or NONE
 *  words    of each entry  client (2), port, key: id and GUID, message, time, outcome
 *  behind   of each entry  the next older one of its chain, or NONE
 *  requests of each entry  the object, until the outcome is known
 *
 *  entries are a ring: the oldest is dropped first, and is the last of its chain
 * </pre>
 */
final class DuplicateRequestCache {
    private static final int ENTRIES_MIN = 64;
    private static final int NONE = -1;

    private static final int HIGH = 0;
    private static final int LOW = 1;
    private static final int PORT = 2;
    private static final int KEY = 3;
    private static final int MESSAGE = 4;
    private static final int SINCE = 5;
    private static final int OUTCOME = 6;
    private static final int WORDS = 7;

    /** The number of a request that is not cached. */
    static final long UNKNOWN = -1;

    private static final int OPEN = 0;
    private static final int FAILED = 1;

    /** Above it, a byte each: the number of servers that hold the write and the number needed. */
    private static final int DONE = 2;

    private final long secret;
    private final int max;
    private final Counters<PeerCount> counts;
    private int[] heads;
    private long[] words;
    private int[] behind;
    private @Nullable ClientWrite[] requests;
    private int oldest;
    private int size;

    /** The number of requests dropped so far, which is the number of the oldest. */
    private long forgotten;

    /**
     * Creates an empty cache.
     *
     * @param max the most writes in it
     */
    DuplicateRequestCache(int max, RandomGenerator random, Counters<PeerCount> counts) {
        this.max = max;
        this.secret = random.nextLong() | 1;
        this.counts = counts;
        heads = new int[ENTRIES_MIN];
        Arrays.fill(heads, NONE);
        words = new long[ENTRIES_MIN * WORDS];
        behind = new int[ENTRIES_MIN];
        requests = new ClientWrite[ENTRIES_MIN];
    }

    int size() {
        return size;
    }

    /** Returns the request that a message duplicates, or null if it is new. */
    @Nullable ClientWrite earlier(Exchange asker, Guid guid, long nowNanos) {
        while (size > 0 && nowNanos - words[oldest * WORDS + SINCE] > QuorumLimits.REPEAT_NANOS) {
            forgetOldest();
        }
        long key = key(asker, guid);
        int entry = heads[slot(key)];
        while (entry != NONE && !isOf(entry, asker, key)) {
            entry = behind[entry];
        }
        if (entry == NONE || words[entry * WORDS + MESSAGE] != message(asker)) {
            return null;
        }
        int outcome = (int) words[entry * WORDS + OUTCOME];
        return (outcome & 0xff) == DONE ? ClientWrite.done(outcome >>> 8 & 0xff, outcome >>> 16 & 0xff) : requests[entry];
    }

    void decided(ClientWrite request) {
        long behindOldest = request.number() - forgotten;
        if (request.number() != UNKNOWN && behindOldest >= 0) {
            settle(oldest + (int) behindOldest & requests.length - 1, request);
        }
    }

    /** Stores the outcome of a request in numbers, so that the object can go. */
    private void settle(int entry, ClientWrite request) {
        requests[entry] = null;
        words[entry * WORDS + OUTCOME] = request.done() ? DONE | request.held() << 8 | request.needed() << 16 : FAILED;
    }

    private boolean isOf(int entry, Exchange asker, long key) {
        int at = entry * WORDS;
        return words[at + KEY] == key
                && words[at + HIGH] == asker.peerHigh()
                && words[at + LOW] == asker.peerLow()
                && words[at + PORT] == asker.peerPort();
    }

    void remember(Exchange asker, Guid guid, long nowNanos, ClientWrite request) {
        if (size == max) {
            counts.count(PeerCount.DUPLICATE_CACHE_EVICTIONS);
            forgetOldest();
        } else if (size == requests.length) {
            grow();
        }
        int entry = oldest + size++ & requests.length - 1;
        int at = entry * WORDS;
        words[at + HIGH] = asker.peerHigh();
        words[at + LOW] = asker.peerLow();
        words[at + PORT] = asker.peerPort();
        words[at + KEY] = key(asker, guid);
        words[at + MESSAGE] = message(asker);
        words[at + SINCE] = nowNanos;
        words[at + OUTCOME] = OPEN;
        requests[entry] = request;
        request.number(forgotten + size - 1);
        if (request.told()) {
            settle(entry, request);
        }
        link(entry);
    }

    private void link(int entry) {
        int slot = slot(words[entry * WORDS + KEY]);
        behind[entry] = heads[slot];
        heads[slot] = entry;
    }

    private void forgetOldest() {
        int slot = slot(words[oldest * WORDS + KEY]);
        if (heads[slot] == oldest) {
            heads[slot] = NONE;
        } else {
            int before = heads[slot];
            while (behind[before] != oldest) {
                before = behind[before];
            }
            behind[before] = NONE;
        }
        requests[oldest] = null;
        oldest = oldest + 1 & requests.length - 1;
        size--;
        forgotten++;
    }

    /** Doubles the capacity; called when all of it is taken. */
    private void grow() {
        long[] wordsBefore = words;
        @Nullable ClientWrite[] requestsBefore = requests;
        int entries = 2 * size;
        heads = new int[entries];
        Arrays.fill(heads, NONE);
        words = new long[entries * WORDS];
        behind = new int[entries];
        requests = new ClientWrite[entries];
        int first = size - oldest;
        System.arraycopy(wordsBefore, oldest * WORDS, words, 0, first * WORDS);
        System.arraycopy(wordsBefore, 0, words, first * WORDS, oldest * WORDS);
        System.arraycopy(requestsBefore, oldest, requests, 0, first);
        System.arraycopy(requestsBefore, 0, requests, first, oldest);
        oldest = 0;
        for (int entry = 0; entry < size; entry++) {
            link(entry);
        }
    }

    private int slot(long key) {
        return (int) (key >>> 32) & heads.length - 1;
    }

    /** Returns a hash of client, id and GUID. A client that sends two requests with the same hash harms only itself. */
    private long key(Exchange asker, Guid guid) {
        int id = asker.request().get(PeerWire.INT, asker.requestOffset() + PeerWire.ID);
        long hash = GuidHashTable.fold(secret ^ asker.peerHigh(), secret);
        hash = GuidHashTable.fold(hash ^ asker.peerLow(), secret);
        hash = GuidHashTable.fold(hash ^ ((long) asker.peerPort() << 32 | id & 0xffffffffL), secret);
        hash = GuidHashTable.fold(hash ^ guid.high(), secret);
        hash = GuidHashTable.fold(hash ^ guid.middle(), secret);
        return GuidHashTable.fold(hash ^ guid.low(), secret);
    }

    /** Returns a hash of the whole message, with the same reservation. */
    private long message(Exchange asker) {
        MemorySegment segment = asker.request();
        long at = asker.requestOffset();
        int length = asker.requestLength();
        long hash = secret ^ length;
        int done = 0;
        for (; done + 8 <= length; done += 8) {
            hash = GuidHashTable.fold(hash ^ segment.get(PeerWire.LONG, at + done), secret);
        }
        for (; done < length; done++) {
            hash = GuidHashTable.fold(hash ^ segment.get(PeerWire.BYTE, at + done), secret);
        }
        return hash;
    }
}
