package io.guidepost.gnrs.antientropy;

import io.guidepost.gnrs.peer.PeerWire;
import io.guidepost.gnrs.placement.Placement;
import io.guidepost.gnrs.replica.Deployment;
import io.guidepost.gnrs.replica.ReplicaMerge;
import io.guidepost.names.Guid;
import io.guidepost.names.Name;
import io.guidepost.store.HybridClock;
import io.guidepost.store.RecordImage;
import io.guidepost.store.RecordMerge;
import io.guidepost.store.RecordReader;
import io.guidepost.store.RecordStore;
import java.io.UncheckedIOException;
import java.lang.foreign.MemorySegment;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The local replicas as anti-entropy reads and changes them; may wait for the disk. One thread's. */
final class LocalReplicas {
    private final Deployment deployment;
    private final RecordStore store;
    private final RecordReader reader;
    private final long tombstoneMillis;

    LocalReplicas(Deployment deployment) {
        this.deployment = deployment;
        this.store = deployment.store();
        this.reader = store.throughReader();
        this.tombstoneMillis = deployment.settings().tombstoneMillis();
    }

    /** Returns the form of a record that goes to peers; null if there is none, or it cannot be read now. */
    byte @Nullable [] shared(byte[] key) {
        reader.enter();
        try {
            RecordReader.Found found =
                    reader.find(Name.Namespace.GUID.code(), MemorySegment.ofArray(key), 1, Guid.BYTES);
            if (found != RecordReader.Found.YES) {
                return null;
            }
            byte[] image = new byte[RecordImage.length(reader.segment(), reader.offset())];
            MemorySegment.copy(reader.segment(), PeerWire.BYTE, reader.offset(), image, 0, image.length);
            return RecordMerge.shared(image);
        } catch (UncheckedIOException unreadable) {
            return null;
        } finally {
            reader.exit();
        }
    }

    /** Returns the digest of a record; 0 if there is none, or it cannot be read now. */
    long digestOf(byte[] key) {
        reader.enter();
        try {
            boolean found = reader.find(Name.Namespace.GUID.code(), MemorySegment.ofArray(key), 1, Guid.BYTES)
                    == RecordReader.Found.YES;
            return found ? RecordImage.digest(reader.segment(), reader.offset()) : 0;
        } catch (UncheckedIOException unreadable) {
            return 0;
        } finally {
            reader.exit();
        }
    }

    static long digest(byte[] image) {
        return RecordImage.digest(MemorySegment.ofArray(image), 0);
    }

    /** Merges two forms of a record; null stands for nothing. */
    @SuppressWarnings("ReferenceEquality") // KEEP and DELETE are told from records by identity.
    byte @Nullable [] merged(byte @Nullable [] ours, byte[] theirs, long nowMillis) {
        byte[] merged = RecordMerge.merge(ours, theirs, 0, nowMillis, tombstoneMillis);
        return merged == RecordStore.Change.KEEP ? ours : merged == RecordStore.Change.DELETE ? null : merged;
    }

    /** Returns a record without the bindings made before a time; null if nothing is left. */
    byte @Nullable [] without(byte[] image, long beforeMillis, long nowMillis) {
        return merged(image, cut(image, beforeMillis), nowMillis);
    }

    /** Returns an UPDATE without bindings, so old that it leaves no tombstone. */
    private static byte[] cut(byte[] image, long beforeMillis) {
        byte[] key = new byte[1 + Guid.BYTES];
        System.arraycopy(image, RecordImage.HEADER_BYTES, key, 0, key.length);
        return RecordMerge.change(RecordImage.write(key, 0, List.of(), List.of()), HybridClock.of(beforeMillis), true);
    }

    /** Submits a change for the local replica; returns false if too many are in flight. */
    boolean merge(byte[] key, byte[] change) {
        return store.submit(
                key,
                new ReplicaMerge(change, tombstoneMillis, deployment.expiryWatermark()),
                (outcome, version) -> {
                    if (outcome == RecordStore.Outcome.DONE) {
                        deployment.changed(MemorySegment.ofArray(key), 1);
                    }
                });
    }

    /** Removes from the local replica what was bound before a time. */
    boolean drop(byte[] image, byte[] key, long beforeMillis) {
        return merge(key, cut(image, beforeMillis));
    }

    /**
     * Removes the local replica without a tombstone, if it is unchanged, and the placement by which it does not belong
     * here is still in force when that is committed. Under a later one its new servers may have returned it already,
     * which changes nothing in a replica.
     */
    @SuppressWarnings("ReferenceEquality") // A new placement is a new object, even if it is equal.
    boolean remove(byte[] key, long digest, Placement by) {
        return store.submit(
                key,
                (same, current, version, nowMillis) -> current != null
                                && digest(current) == digest
                                && deployment.placement().get() == by
                                && (current[1] & (RecordImage.VALUES | RecordImage.DERIVED)) == 0
                        ? RecordStore.Change.DELETE
                        : RecordStore.Change.KEEP,
                (outcome, version) -> {});
    }
}
