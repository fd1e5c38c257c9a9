package io.guidepost.gnrs.replica;

import io.guidepost.gnrs.peer.Peer;
import io.guidepost.names.Guid;
import io.guidepost.store.RecordImage;
import io.guidepost.store.RecordMerge;
import java.lang.foreign.MemorySegment;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Hinted handoff: changes that peers have not confirmed, kept until they do (DeCandia et al., Dynamo, 2007). In memory:
 * anti-entropy finds what is lost with it. There is one change for each GUID and peer, merged. Bounded in bytes: when
 * full, the oldest change of the peer with most is dropped, and that peer needs a comparison. Any thread may call.
 */
public final class HintedHandoff {
    /** Memory of a hint besides its bytes: two entries of maps and the array's header. */
    static final int OVERHEAD_BYTES = 160;

    private final long bytesMax;
    private final long tombstoneMillis;
    private final Map<Peer, Hint> peers = new LinkedHashMap<>();
    private long bytes;
    private long added;
    private long dropped;

    /** The hints for one peer, oldest first. */
    private static final class Hint {
        private final Map<Guid, byte[]> changes = new LinkedHashMap<>();
        private long bytes;
        private boolean lost;
    }

    HintedHandoff(long bytesMax, long tombstoneMillis) {
        this.bytesMax = bytesMax;
        this.tombstoneMillis = tombstoneMillis;
    }

    /** Adds a hint for a peer, merged with an earlier one of the same GUID. */
    public synchronized void add(Peer peer, byte[] change) {
        Hint kept = peers.computeIfAbsent(peer, _ -> new Hint());
        Guid guid = guid(change);
        byte[] before = kept.changes.get(guid);
        byte[] now = before == null ? change : merged(before, change);
        kept.changes.put(guid, now);
        account(kept, cost(now) - (before == null ? 0 : cost(before)));
        added++;
        while (bytes > bytesMax) {
            drop();
        }
    }

    private byte[] merged(byte[] before, byte[] change) {
        try {
            byte[] merged = RecordMerge.merge(before, change, 0, 0, tombstoneMillis);
            return merged.length == 0 ? before : merged;
        } catch (IllegalArgumentException tooLarge) {
            return change;
        }
    }

    /** Drops the oldest hint of the peer that has most. */
    private void drop() {
        Hint most = null;
        for (Hint each : peers.values()) {
            most = most == null || each.bytes > most.bytes ? each : most;
        }
        if (most == null) {
            return;
        }
        Iterator<byte[]> oldest = most.changes.values().iterator();
        long cost = cost(oldest.next());
        oldest.remove();
        account(most, -cost);
        most.lost = true;
        dropped++;
    }

    private void account(Hint kept, long difference) {
        kept.bytes += difference;
        bytes += difference;
    }

    private static long cost(byte[] change) {
        return (long) change.length + OVERHEAD_BYTES;
    }

    private static Guid guid(byte[] change) {
        return Guid.read(MemorySegment.ofArray(change), RecordImage.HEADER_BYTES + 1L);
    }

    /** Returns the oldest hint for a peer, or null if there is none; it stays until {@link #done}. */
    public synchronized byte @Nullable [] first(Peer peer) {
        Hint kept = peers.get(peer);
        return kept == null || kept.changes.isEmpty() ? null : kept.changes.values().iterator().next();
    }

    /** Returns the oldest hints for a peer, at most {@code most}; they stay until {@link #done}. */
    public synchronized List<byte[]> first(Peer peer, int most) {
        Hint kept = peers.get(peer);
        return kept == null ? List.of() : kept.changes.values().stream().limit(most).toList();
    }

    /**
     * Removes a hint that {@link #first} gave and the peer holds. If more was merged into it since, the merged one
     * stays.
     */
    @SuppressWarnings("ReferenceEquality") // Another array is another change.
    public synchronized void done(Peer peer, byte[] change) {
        Hint kept = peers.get(peer);
        if (kept != null && kept.changes.get(guid(change)) == change) {
            kept.changes.remove(guid(change));
            account(kept, -cost(change));
            forgetIfEmpty(peer, kept);
        }
    }

    private void forgetIfEmpty(Peer peer, Hint kept) {
        if (kept.changes.isEmpty() && !kept.lost) {
            peers.remove(peer);
        }
    }

    /** Returns whether hints for a peer were dropped since the last call: it must be compared with. */
    public synchronized boolean lost(Peer peer) {
        Hint kept = peers.get(peer);
        if (kept == null || !kept.lost) {
            return false;
        }
        kept.lost = false;
        forgetIfEmpty(peer, kept);
        return true;
    }

    /** Returns whether there is no hint, and no peer needs a comparison because of a dropped one. */
    public synchronized boolean isEmpty() {
        return peers.isEmpty();
    }

    /** Returns the bytes of all hints, with their overhead. */
    public synchronized long bytes() {
        return bytes;
    }

    /** Returns the number of hints for a peer. */
    public synchronized int count(Peer peer) {
        Hint kept = peers.get(peer);
        return kept == null ? 0 : kept.changes.size();
    }

    synchronized long added() {
        return added;
    }

    /** Returns the number of hints that were dropped for want of room. */
    public synchronized long dropped() {
        return dropped;
    }
}
