package io.guidepost.gnrs.relay;

import io.guidepost.base.Counters;
import io.guidepost.gnrs.peer.GuidHashTable;
import io.guidepost.gnrs.peer.Peer;
import io.guidepost.gnrs.peer.PeerBounds;
import io.guidepost.gnrs.peer.PeerCount;
import io.guidepost.gnrs.peer.PeerWire;
import io.guidepost.names.Exchange;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * The peers that may cache a record of this server, because they fetched it not long ago; when it changes, FORGET
 * invalidates it there. Correctness does not depend on delivery: a peer that misses it keeps the record for its TTL.
 * Belongs to one worker, except {@link #mayCare}. Bounded: the oldest entry is dropped first.
 */
final class InvalidationList {
    private static final int SLOTS = 1 << 12;

    private final PeerBounds bounds;
    private final Counters<PeerCount> counts;
    private final GuidHashTable<Interest> table;
    private final long secret;

    /** The time until which a peer may cache a GUID of each slot, by the nanosecond clock; created on first use. */
    private volatile @Nullable AtomicLongArray until;

    private @Nullable Interest[] ring = new Interest[0];
    private int next;
    private int mostPeers;
    private int mostForgets;
    private final ArrayDeque<Forget> forgets = new ArrayDeque<>();

    InvalidationList(PeerBounds bounds, RandomGenerator random, Counters<PeerCount> counts) {
        this.bounds = bounds;
        this.counts = counts;
        this.secret = random.nextLong();
        this.table = new GuidHashTable<>(random.nextLong());
    }

    private final class Interest extends GuidHashTable.Entry {
        private final Peer[] peers = new Peer[bounds.cachingPeersMax()];
        private final long[] ends = new long[bounds.cachingPeersMax()];
        private int count;

        Interest(MemorySegment segment, long guid) {
            super(segment, guid);
        }

        /** Adds a peer, in place of one whose cached record has expired if there is one. */
        @SuppressWarnings("ReferenceEquality") // A peer is compared by identity.
        void add(Peer peer, long nowNanos, long endNanos) {
            int slot = count;
            for (int i = 0; i < count; i++) {
                if (peers[i] == peer) {
                    ends[i] = endNanos;
                    return;
                }
                slot = ends[i] - nowNanos <= 0 ? i : slot;
            }
            if (slot < peers.length) {
                peers[slot] = peer;
                ends[slot] = endNanos;
                count = Math.max(count, slot + 1);
                mostPeers = Math.max(mostPeers, count);
            } else {
                counts.count(PeerCount.INVALIDATIONS_LOST_PEERS_MAX);
            }
        }

        boolean live(long nowNanos) {
            for (int i = 0; i < count; i++) {
                if (ends[i] - nowNanos > 0) {
                    return true;
                }
            }
            return false;
        }
    }

    private record Forget(Peer peer, Interest of) {}

    private int slot(MemorySegment segment, long guid) {
        return (int) GuidHashTable.hash(secret, segment, guid) & SLOTS - 1;
    }

    /** Records that a peer may cache a record until a time. */
    void add(MemorySegment segment, long guid, Peer peer, long nowNanos, long endNanos) {
        AtomicLongArray filter = until;
        if (filter == null) {
            filter = new AtomicLongArray(SLOTS);
            until = filter;
            ring = new Interest[bounds.cachedNamesMax()];
        }
        int slot = slot(segment, guid);
        long known = filter.get(slot);
        if (known == 0 || endNanos - known > 0) {
            filter.set(slot, endNanos == 0 ? 1 : endNanos);
        }
        Interest interest = table.get(segment, guid);
        if (interest == null) {
            interest = new Interest(segment, guid);
            evict(nowNanos);
            ring[next] = interest;
            next = next + 1 == ring.length ? 0 : next + 1;
            table.put(interest);
        }
        interest.add(peer, nowNanos, endNanos);
    }

    private void evict(long nowNanos) {
        Interest oldest = ring[next];
        if (oldest != null) {
            table.remove(oldest);
            if (oldest.live(nowNanos)) {
                counts.count(PeerCount.INVALIDATIONS_LOST_RECORDS_MAX);
            }
        }
    }

    /** Returns whether any peer may cache a record; any thread may call. */
    boolean mayCare(MemorySegment segment, long guid, long nowNanos) {
        AtomicLongArray filter = until;
        if (filter == null) {
            return false;
        }
        long end = filter.get(slot(segment, guid));
        return end != 0 && end - nowNanos > 0;
    }

    /** Queues FORGET for all peers that may cache a changed record. */
    void changed(MemorySegment segment, long guid, long nowNanos) {
        Interest interest = table.get(segment, guid);
        if (interest == null) {
            return;
        }
        for (int i = 0; i < interest.count; i++) {
            if (interest.ends[i] - nowNanos > 0) {
                if (forgets.size() == bounds.forgetsMax()) {
                    counts.count(PeerCount.INVALIDATIONS_LOST_QUEUE_FULL);
                } else {
                    forgets.add(new Forget(interest.peers[i], interest));
                    mostForgets = Math.max(mostForgets, forgets.size());
                }
            }
        }
        interest.count = 0;
    }

    /** Returns the number of GUIDs whose caching peers are recorded. */
    int names() {
        return table.size();
    }

    /** Returns the most peers that were recorded for one GUID. */
    int mostPeers() {
        return mostPeers;
    }

    /** Returns the most FORGET messages that have waited. */
    int mostForgets() {
        return mostForgets;
    }

    boolean waiting() {
        return !forgets.isEmpty();
    }

    /** Writes the next FORGET, without its seal; returns false if there is none. */
    boolean next(Exchange exchange) {
        Forget forget = forgets.poll();
        if (forget == null) {
            return false;
        }
        MemorySegment room = exchange.room();
        long at = exchange.roomOffset();
        PeerWire.header(room, at, PeerWire.FORGET, PeerWire.FORGET_BYTES, 0);
        forget.of().guid(room, at + PeerWire.HEADER_BYTES);
        exchange.peer(forget.peer().high(), forget.peer().low(), forget.peer().port());
        exchange.respond(PeerWire.FORGET_BYTES);
        counts.count(PeerCount.INVALIDATIONS_SENT);
        return true;
    }
}
