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
 * Changes that servers have not confirmed, kept until they do (hinted hand-off: DeCandia et al., Dynamo, 2007). In
 * memory: what is lost with it is found by comparing digests. Of one GUID there is one change for each server, merged.
 * Bounded in bytes: when full, the oldest of the server with most gives way, and that server needs a comparison. Any
 * thread may call.
 */
public final class HintedHandoff {
    /** What keeping a change takes besides its bytes: two entries of maps and the array's header. */
    static final int OVERHEAD_BYTES = 160;

    private final long bytesMax;
    private final long tombstoneMillis;
    private final Map<Peer, Kept> peers = new LinkedHashMap<>();
    private long bytes;
    private long added;
    private long dropped;

    /** The changes for one server, oldest first. */
    private static final class Kept {
        private final Map<Guid, byte[]> changes = new LinkedHashMap<>();
        private long bytes;
        private boolean lost;
    }

    HintedHandoff(long bytesMax, long tombstoneMillis) {
        this.bytesMax = bytesMax;
        this.tombstoneMillis = tombstoneMillis;
    }

    /** Keeps a change for a server; what is kept of the same GUID already is merged with it. */
    public synchronized void add(Peer peer, byte[] change) {
        Kept kept = peers.computeIfAbsent(peer, _ -> new Kept());
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

    /** Drops the oldest change of the server for which most is kept. */
    private void drop() {
        Kept most = null;
        for (Kept each : peers.values()) {
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

    private void account(Kept kept, long difference) {
        kept.bytes += difference;
        bytes += difference;
    }

    private static long cost(byte[] change) {
        return (long) change.length + OVERHEAD_BYTES;
    }

    private static Guid guid(byte[] change) {
        return Guid.read(MemorySegment.ofArray(change), RecordImage.HEADER_BYTES + 1L);
    }

    /** The oldest change for a server, or null if there is none; it stays until {@link #done}. */
    public synchronized byte @Nullable [] first(Peer peer) {
        Kept kept = peers.get(peer);
        return kept == null || kept.changes.isEmpty() ? null : kept.changes.values().iterator().next();
    }

    /** The oldest changes for a server, at most so many; they stay until {@link #done}. */
    public synchronized List<byte[]> first(Peer peer, int most) {
        Kept kept = peers.get(peer);
        return kept == null ? List.of() : kept.changes.values().stream().limit(most).toList();
    }

    /** Says that a server holds a change that {@link #first} gave. If more was merged into it since, that stays. */
    @SuppressWarnings("ReferenceEquality") // Another array is another change.
    public synchronized void done(Peer peer, byte[] change) {
        Kept kept = peers.get(peer);
        if (kept != null && kept.changes.get(guid(change)) == change) {
            kept.changes.remove(guid(change));
            account(kept, -cost(change));
            forgetIfEmpty(peer, kept);
        }
    }

    private void forgetIfEmpty(Peer peer, Kept kept) {
        if (kept.changes.isEmpty() && !kept.lost) {
            peers.remove(peer);
        }
    }

    /** Whether changes for a server were dropped since this was asked last: it must be compared with. */
    public synchronized boolean lost(Peer peer) {
        Kept kept = peers.get(peer);
        if (kept == null || !kept.lost) {
            return false;
        }
        kept.lost = false;
        forgetIfEmpty(peer, kept);
        return true;
    }

    /** Whether nothing is kept for anyone, and nobody needs a comparison because something was dropped. */
    public synchronized boolean isEmpty() {
        return peers.isEmpty();
    }

    /** Bytes kept for all servers, with what keeping them takes. */
    public synchronized long bytes() {
        return bytes;
    }

    /** How many changes are kept for a server. */
    public synchronized int count(Peer peer) {
        Kept kept = peers.get(peer);
        return kept == null ? 0 : kept.changes.size();
    }

    /** How many changes were ever added. */
    synchronized long added() {
        return added;
    }

    /** How many changes were dropped because there were too many. */
    synchronized long dropped() {
        return dropped;
    }
}
