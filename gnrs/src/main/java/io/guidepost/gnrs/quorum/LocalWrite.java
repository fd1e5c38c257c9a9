package io.guidepost.gnrs.quorum;

import io.guidepost.base.CommonLimits;
import io.guidepost.gnrs.peer.PeerWire;
import io.guidepost.store.RecordImage;
import io.guidepost.store.RecordMerge;
import io.guidepost.store.RecordStore;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * A change on its way through this server's own store and back. The worker fills it, the committer merges it and sets
 * the outcome; one thread owns it at a time, see {@link LocalWrites}.
 */
final class LocalWrite implements RecordStore.Replace, RecordStore.Completion {
    /** Receives the outcome of a change on the worker's thread. */
    @FunctionalInterface
    interface Landed {
        /**
         * Delivers the outcome; called once.
         *
         * @param code one of MERGE_RESPONSE, see {@link PeerWire}
         * @param newest the newest stamp that the record has here; of a change that is behind, the one that it must
         *     exceed
         * @param digest of the record as it is here
         */
        void landed(int code, long newest, long digest);
    }

    private final LocalWrites home;

    private byte[] change = KEEP;
    private boolean strict;
    private @Nullable Landed landed;
    private int code;
    private long newest;
    private long digest;

    LocalWrite(LocalWrites home) {
        this.home = home;
    }

    byte[] change() {
        return change;
    }

    void fill(byte[] what, boolean strictly, Landed whom) {
        change = what;
        strict = strictly;
        landed = whom;
        code = PeerWire.REFUSED;
        newest = 0;
        digest = 0;
    }

    /**
     * Merges the change. A strict one is refused if a stamp is or was known that is not older, unless the change is in
     * the record: a duplicate datagram, or one whose confirmation was lost.
     */
    @Override
    @SuppressWarnings("ReferenceEquality") // KEEP and DELETE are told from records by identity.
    public byte[] apply(byte[] key, byte @Nullable [] current, long version, long nowMillis) {
        byte[] next;
        try {
            next = RecordMerge.merge(current, change, version, nowMillis, home.tombstoneMillis());
        } catch (IllegalArgumentException tooLarge) {
            return kept(PeerWire.BYTES_MAX, current);
        }
        if (strict) {
            MemorySegment fresh = MemorySegment.ofArray(change);
            int refusal = current == null ? forgotten(fresh) : refusal(MemorySegment.ofArray(current), fresh, next);
            if (refusal != PeerWire.DONE) {
                return kept(refusal, current);
            }
        }
        home.came(change, nowMillis);
        if (next == KEEP) {
            return kept(PeerWire.DONE, current);
        }
        say(PeerWire.DONE, next == DELETE ? null : next);
        return next;
    }

    private int forgotten(MemorySegment fresh) {
        return home.forgotten() >= RecordImage.newest(fresh, 0) ? PeerWire.BEHIND : PeerWire.DONE;
    }

    @SuppressWarnings("ReferenceEquality") // KEEP and DELETE are told from records by identity.
    private int refusal(MemorySegment current, MemorySegment fresh, byte[] next) {
        long stamp = RecordImage.newest(fresh, 0);
        boolean there = next == KEEP && holds(current, fresh, stamp);
        if (Math.max(RecordImage.newest(current, 0), home.forgotten()) >= stamp && !there) {
            return PeerWire.BEHIND;
        }
        if (next == KEEP || next == DELETE) {
            return PeerWire.DONE;
        }
        int bindings = RecordImage.bindings(MemorySegment.ofArray(next), 0);
        if (bindings > Math.max(RecordImage.bindings(current, 0), home.bindingsMax())) {
            return PeerWire.BINDINGS_MAX;
        }
        // Merging drops the oldest bindings of a record that is too long: one filled to the brim by two longer ones
        // lost some.
        boolean cut = RecordImage.length(current, 0) + change.length > CommonLimits.SHARED_RECORD_BYTES_MAX
                && next.length > CommonLimits.SHARED_RECORD_BYTES_MAX - QuorumLimits.BINDING_BYTES_MAX;
        return cut ? PeerWire.BYTES_MAX : PeerWire.DONE;
    }

    /**
     * Returns whether the record contains a change to which merging adds nothing. Two servers may use the same stamp,
     * so an UPDATE is there only if nothing is later, and nothing else has its stamp: else it may be another one, made
     * before what it is to remove.
     */
    private static boolean holds(MemorySegment current, MemorySegment change, long stamp) {
        if (RecordImage.cleared(change, 0) == 0) {
            return RecordImage.cleared(current, 0) <= stamp;
        }
        int same = 0;
        for (int i = 0; i < RecordImage.bindings(current, 0); i++) {
            same += RecordImage.stamp(current, 0, i) == stamp ? 1 : 0;
        }
        boolean last = RecordImage.cleared(current, 0) == stamp && RecordImage.newest(current, 0) == stamp;
        return last && same <= RecordImage.bindings(change, 0);
    }

    private byte[] kept(int why, byte @Nullable [] current) {
        say(why, current);
        return KEEP;
    }

    private void say(int outcome, byte @Nullable [] image) {
        code = outcome;
        if (image != null) {
            MemorySegment there = MemorySegment.ofArray(image);
            newest = RecordImage.newest(there, 0);
            digest = RecordImage.digest(there, 0);
        }
        if (outcome == PeerWire.BEHIND) {
            newest = Math.max(newest, home.forgotten());
        }
    }

    @Override
    public void complete(RecordStore.Outcome outcome, long version) {
        if (outcome == RecordStore.Outcome.FAILED && code == PeerWire.DONE) {
            code = PeerWire.REFUSED;
        }
        home.completed(this);
    }

    @Override
    public Runnable afterwards() {
        return home.wake();
    }

    /** Delivers the outcome; the object is empty afterwards. */
    void tell() {
        Landed whom = landed;
        landed = null;
        change = KEEP;
        if (whom != null) {
            whom.landed(code, newest, digest);
        }
    }
}
