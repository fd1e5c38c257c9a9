package io.guidepost.gnrs.quorum;

import io.guidepost.gnrs.CompletionRing;
import io.guidepost.gnrs.GnrsSettings;
import io.guidepost.gnrs.replica.Deployment;
import io.guidepost.gnrs.replica.ExpiryWatermark;
import io.guidepost.names.Guid;
import io.guidepost.store.RecordImage;
import io.guidepost.store.RecordStore;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Submits changes to this server's own store, and reports on the worker's thread when they are durable. Belongs to one
 * worker; the methods that the committer calls are marked, and use none of the worker's state. Bounded by
 * {@link GnrsSettings#writesInFlightMax}.
 */
final class LocalWrites {
    private final Deployment deployment;
    private final RecordStore store;
    private final Runnable wake;
    private final int inFlightMax;
    private final long tombstoneMillis;
    private final List<LocalWrite> free = new ArrayList<>();
    private final CompletionRing<LocalWrite> completions;
    private int inFlight;

    LocalWrites(Deployment deployment, Runnable wake) {
        this.deployment = deployment;
        this.store = deployment.store();
        this.wake = wake;
        this.inFlightMax = deployment.door().writesInFlightMax();
        this.tombstoneMillis = deployment.settings().tombstoneMillis();
        this.completions = new CompletionRing<>(inFlightMax);
    }

    /**
     * Submits a change to the store.
     *
     * @param change a record with stamps, in stored form; no longer modified
     * @param strict whether it is refused where a stamp is known that is not older
     * @return false if too many are in flight; {@code landed} is then not called
     */
    boolean submit(byte[] change, boolean strict, LocalWrite.Landed landed) {
        if (inFlight == inFlightMax) {
            return false;
        }
        byte[] key = Arrays.copyOfRange(change, RecordImage.HEADER_BYTES, RecordImage.HEADER_BYTES + 1 + Guid.BYTES);
        LocalWrite merge = free.isEmpty() ? new LocalWrite(this) : free.removeLast();
        merge.fill(change, strict, landed);
        if (!store.submit(key, merge, merge)) {
            free.add(merge);
            return false;
        }
        inFlight++;
        return true;
    }

    int inFlight() {
        return inFlight;
    }

    /** Delivers the outcomes of changes that have become durable, or failed. */
    void drain() {
        if (inFlight == 0) {
            return;
        }
        for (LocalWrite merge = completions.take(); merge != null; merge = completions.take()) {
            inFlight--;
            deployment.changed(MemorySegment.ofArray(merge.change()), RecordImage.HEADER_BYTES + 1L);
            merge.tell();
            free.add(merge);
        }
    }

    /** Queues a completed change; the committer calls. */
    void completed(LocalWrite merge) {
        completions.put(merge);
    }

    Runnable wake() {
        return wake;
    }

    /** Returns the newest stamp of bindings that expired here and are gone, see {@link ExpiryWatermark}. */
    long forgotten() {
        return deployment.expiryWatermark().newest();
    }

    /** Records that a change was merged at a time, see {@link ExpiryWatermark#came}. */
    void came(byte[] change, long nowMillis) {
        deployment.expiryWatermark().came(change, nowMillis);
    }

    int bindingsMax() {
        return deployment.door().bindingsMax();
    }

    long tombstoneMillis() {
        return tombstoneMillis;
    }
}
