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
 * The writes of one GUID at one worker, in their order: one is under way, and those that came meanwhile wait behind it
 * and go out together, as one change. So a flood of writes of one name costs its servers one write a round trip. One
 * worker's.
 */
final class WriteQueue {
    private final QuorumWrites home;
    private final @Nullable Guid guid;

    private byte @Nullable [] waiting;
    private boolean update;
    private List<ClientWrite> requests = new ArrayList<>();

    /** A line of a GUID, or of one write alone. */
    WriteQueue(QuorumWrites home, @Nullable Guid guid) {
        this.home = home;
        this.guid = guid;
    }

    /**
     * Has a write wait for the one under way.
     *
     * @return null if it waits, else why it does not
     */
    @Nullable GnrsCount add(byte[] image, boolean append, ClientWrite request) {
        // Each takes a stamp of its own, so that of two the later one says; together they take another when they go.
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
            home.counts().count(PeerCount.WRITES_COMBINED);
        }
        waiting = next;
        update |= !append;
        requests.add(request);
        return null;
    }

    /** Whether no more may wait. */
    boolean full() {
        return requests.size() >= QuorumLimits.WAITING_PER_NAME_MAX;
    }

    /** The write under way was told: the next goes. */
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
