package io.guidepost.gnrs.antientropy;

import io.guidepost.base.Counters;
import io.guidepost.gnrs.peer.MergeRequest;
import io.guidepost.gnrs.peer.PeerCount;
import io.guidepost.gnrs.peer.PeerWire;
import io.guidepost.gnrs.replica.SyncLimits;
import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/**
 * Reconciles single records with a peer that has another form: pulls its form, merges it here, and pushes what it
 * lacks.
 *
 * <p>If one of the two was down for longer than the tombstone lifetime and the other was not, bindings from before that
 * time that the other lacks count as deleted: they are dropped at the one and not taken over by the other. If both were
 * down nothing is dropped, because then no client can have deleted anything.
 */
final class RecordReconciler {
    private final AntiEntropy home;
    private final ThrottledRequests talk;
    private final LocalReplicas own;
    private final Counters<PeerCount> counts;
    private final ArrayDeque<Fix> waiting = new ArrayDeque<>();
    private int inFlight;

    private record Fix(SyncSchedule course, byte[] key, boolean there) {}

    RecordReconciler(AntiEntropy home, ThrottledRequests talk, LocalReplicas own, Counters<PeerCount> counts) {
        this.home = home;
        this.talk = talk;
        this.own = own;
        this.counts = counts;
    }

    /** Adds a record of which the peer has another form, or none. */
    void add(SyncSchedule course, byte[] key, boolean there) {
        waiting.add(new Fix(course, key, there));
    }

    boolean idle() {
        return waiting.isEmpty() && inFlight == 0;
    }

    int size() {
        return waiting.size();
    }

    /** Returns whether a request could be sent if the byte budget allows. */
    boolean more() {
        return !waiting.isEmpty() && inFlight < SyncLimits.FIXES_MAX;
    }

    void work() {
        while (more() && talk.open()) {
            Fix fix = waiting.remove();
            if (fix.there) {
                pull(fix);
            } else {
                byte[] ours = own.shared(fix.key);
                if (ours != null) {
                    push(fix, kept(fix, ours));
                }
            }
        }
    }

    /** Returns what is left of the local form if the bindings that the peer lacks were deleted there. */
    private byte @Nullable [] kept(Fix fix, byte[] ours) {
        if (!home.longDowntime() || fix.course.partner.reports(PeerWire.AWAY_LONG)) {
            return ours;
        }
        byte[] left = own.without(ours, home.forgottenMillis(), home.nowMillis());
        if (left == null || LocalReplicas.digest(left) != LocalReplicas.digest(ours)) {
            counts.count(PeerCount.OUTDATED_RECORDS);
            own.drop(ours, fix.key, home.forgottenMillis());
        }
        return left;
    }

    private void push(Fix fix, byte @Nullable [] image) {
        if (image == null) {
            return;
        }
        MergeRequest push = new MergeRequest(fix.course.peer(), image, false) {
            @Override
            public void ended(int code, long newest, long digest) {
                inFlight--;
                if (code == PeerWire.DONE) {
                    counts.count(PeerCount.REPLICATED_RECORDS_PUSHED);
                    fix.course.partner.pushed();
                }
            }
        };
        if (talk.ask(push, push.bytes())) {
            inFlight++;
        }
    }

    private void pull(Fix fix) {
        PullRequest pull = new PullRequest(fix.course.peer(), fix.key) {
            @Override
            void pulled(byte @Nullable [] image) {
                inFlight--;
                RecordReconciler.this.pulled(fix, image);
            }

            @Override
            public void silent() {
                inFlight--;
            }
        };
        if (talk.ask(pull, PullRequest.BYTES)) {
            inFlight++;
        }
    }

    private void pulled(Fix fix, byte @Nullable [] image) {
        byte[] ours = own.shared(fix.key);
        byte[] theirs = image;
        if (theirs != null) {
            talk.heard(theirs.length);
            if (!home.longDowntime() && fix.course.partner.reports(PeerWire.AWAY_LONG)) {
                theirs = own.without(theirs, home.forgottenMillis(), home.nowMillis());
            }
        }
        if (ours != null) {
            ours = kept(fix, ours);
        }
        if (theirs == null) {
            push(fix, ours);
            return;
        }
        long digest = LocalReplicas.digest(theirs);
        byte[] merged = own.merged(ours, theirs, home.nowMillis());
        if (merged == null) {
            // It was deleted here, and the tombstone may expire: the peer is to learn of it before.
            push(fix, ours);
        } else if (LocalReplicas.digest(merged) != digest) {
            push(fix, merged);
        }
        boolean news = merged == null ? ours != null : ours == null || LocalReplicas.digest(merged) != LocalReplicas.digest(ours);
        if (news && own.merge(fix.key, theirs)) {
            counts.count(PeerCount.REPLICATED_RECORDS_PULLED);
            fix.course.partner.pulled();
        }
    }
}
