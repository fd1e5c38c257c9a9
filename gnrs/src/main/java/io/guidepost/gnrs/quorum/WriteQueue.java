package io.guidepost.gnrs.quorum;

import io.guidepost.base.CommonLimits;
import io.guidepost.gnrs.GnrsCount;
import io.guidepost.gnrs.peer.PeerCount;
import io.guidepost.names.Guid;
import io.guidepost.store.RecordImage;
import io.guidepost.store.RecordMerge;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The queue of one GUID's writes at one worker: one is in flight, and those that come meanwhile wait and go out
 * together, as one change. So a flood of writes of one name costs its servers one write a round trip. Belongs to one
 * worker.
 */
final class WriteQueue {
    private final QuorumWrites home;
    private final @Nullable Guid guid;

    private byte @Nullable [] waiting;
    private boolean update;
    private List<ClientWrite> requests = new ArrayList<>();

    /** Creates the queue of a GUID, or of a single write. */
    WriteQueue(QuorumWrites home, @Nullable Guid guid) {
        this.home = home;
        this.guid = guid;
    }

    /**
     * Queues a write behind the one in flight.
     *
     * @return null if it waits, else the reason for its refusal
     */
    @Nullable GnrsCount add(byte[] image, boolean append, ClientWrite request) {
        // Each takes a stamp of its own, so that the later one of two wins; together they take another one when they
        // go.
        byte[] next = RecordMerge.change(image, home.stamp(), !append);
        if (waiting != null) {
            if (waiting.length + next.length > CommonLimits.SHARED_RECORD_BYTES_MAX) {
                return GnrsCount.WRITES_RECORD_BYTES_MAX;
            }
            try {
                byte[] merged = RecordMerge.merge(waiting, next, 0, home.nowMillis(), home.settings().tombstoneMillis());
                next = merged.length == 0 ? waiting : merged;
            } catch (IllegalArgumentException tooLarge) {
                return GnrsCount.WRITES_RECORD_BYTES_MAX;
            }
            if (RecordImage.bindings(MemorySegment.ofArray(next), 0) > home.bindingsMax()) {
                return GnrsCount.WRITES_BINDINGS_MAX;
            }
            home.counts().count(PeerCount.COMBINED_WRITES);
        }
        waiting = next;
        update |= !append;
        requests.add(request);
        return null;
    }

    int size() {
        return requests.size();
    }

    boolean full() {
        return requests.size() >= home.waitingPerNameMax();
    }

    /** Starts the next write: the one in flight was answered. */
    void told(QuorumWrite write) {
        byte[] image = waiting;
        if (guid == null) {
            return;
        }
        if (image == null) {
            home.idle(guid);
            return;
        }
        List<ClientWrite> gone = requests;
        boolean updates = update;
        waiting = null;
        update = false;
        requests = new ArrayList<>();
        home.start(this, gone, image, updates);
    }
}
