package io.guidepost.gnrs.quorum;

import io.guidepost.gnrs.GnrsCount;
import io.guidepost.gnrs.peer.MergeRequest;
import io.guidepost.gnrs.peer.Peer;
import io.guidepost.gnrs.peer.PeerCount;
import io.guidepost.gnrs.peer.PeerDescriptor;
import io.guidepost.gnrs.peer.PeerRequest;
import io.guidepost.gnrs.peer.PeerWire;
import io.guidepost.store.RecordImage;
import io.guidepost.store.RecordMerge;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * A quorum write: one change on its way to all servers that keep a record. Belongs to one worker.
 *
 * <pre>
 *            take a stamp, send the change to all, strictly ◄──────────────────────────────────┐
 *                 │                                                                            │
 *                 │ a response                                                                 │
 *                 ▼                                                                            │
 *   held by a quorum ─── yes ──► reply DONE; a server BEHIND gets it again, not strictly       │
 *                 │ no                                                                         │
 *   still possible, or not all responded  ─── yes ──► wait                                     │
 *                 │ no                                                                         │
 *   some BEHIND: they know something that is not older ─── yes ──► at most ROUNDS_MAX times ───┘
 *                 │ no
 *   servers spared ──── yes ──► ask them
 *                 │ no
 *   not all responded, or a timeout ─── yes ──► wait, to count the holders
 *                 │ no
 *                 ▼
 *             reply FAILED
 * </pre>
 *
 * A quorum of strict writes is enough: one of its servers holds every write that was acknowledged before, and was not
 * BEHIND. So a DONE write never has an older stamp than one that was DONE before it began.
 *
 * <p>After the reply the rest goes on: the change is retransmitted to servers that did not confirm, and at the end they
 * get a hint. So a write that FAILED may still take effect; but no older write ever undoes one that was DONE.
 */
final class QuorumWrite {
    private final QuorumWrites home;
    private final WriteQueue line;
    private final List<ClientWrite> requests;
    private final boolean update;
    private final ReplicaWrite[] copies;
    private final int counted;
    private final int needed;

    private byte[] change;
    private int round;
    private boolean sending;
    private boolean answered;
    private boolean done;
    private boolean over;

    /**
     * Creates a write that has not started.
     *
     * @param line is told of the outcome and starts the writes behind it
     * @param image the bindings in stored form; their stamps are ignored
     * @param update whether older bindings are removed
     * @param peers the servers that keep the record, then those that kept it before; the caller reuses the list
     * @param counted how many of them keep it now
     * @param needed how many of these must hold it
     */
    QuorumWrite(
            QuorumWrites home,
            WriteQueue line,
            List<ClientWrite> requests,
            byte[] image,
            boolean update,
            List<Peer> peers,
            int counted,
            int needed) {
        this.home = home;
        this.line = line;
        this.requests = requests;
        this.change = image;
        this.update = update;
        this.counted = counted;
        this.needed = needed;
        this.copies = new ReplicaWrite[peers.size()];
        for (int i = 0; i < copies.length; i++) {
            copies[i] = new ReplicaWrite(this, peers.get(i), i < counted);
        }
    }

    /** Takes a stamp and sends the change to all. */
    void send() {
        round++;
        change = RecordMerge.change(change, home.stamp(), update);
        boolean spare = number(copy -> copy.peer().health() != Peer.Health.DOWN) >= needed;
        sending = true;
        for (ReplicaWrite each : copies) {
            if (spare && home.spares(each.peer())) {
                each.spare();
            } else {
                each.start(true);
            }
        }
        sending = false;
        look();
    }

    private int number(Predicate<ReplicaWrite> test) {
        int number = 0;
        for (int i = 0; i < counted; i++) {
            number += test.test(copies[i]) ? 1 : 0;
        }
        return number;
    }

    /** Advances the clock beyond a stamp that a server knows; returns false if that is too far ahead. */
    boolean seen(long newest) {
        return home.seen(newest);
    }

    /** Decides after a change of a replica's state. */
    void look() {
        if (sending) {
            return;
        }
        if (!answered) {
            decide();
        }
        if (answered && !over) {
            end();
        }
    }

    private void decide() {
        int held = number(copy -> copy.state() == ReplicaWrite.State.HELD);
        if (held >= needed) {
            done = true;
            bring();
            notifyClient(GnrsCount.WRITES_DONE, held);
            return;
        }
        int possible = held + number(copy -> copy.state() == ReplicaWrite.State.OPEN);
        boolean heard = number(ReplicaWrite::fresh) == 0;
        if ((possible < needed || heard) && number(ReplicaWrite::behind) > 0 && round < QuorumLimits.ROUNDS_MAX) {
            home.counts().count(PeerCount.RESTAMPED_WRITES);
            send();
        } else if (possible < needed && !requestSpare() && heard) {
            notifyClient(failure(), held);
        }
    }

    /** Completes a successful write: servers with a later stamp must converge. */
    private void bring() {
        sending = true;
        for (ReplicaWrite each : copies) {
            if (each.behind()) {
                each.start(false);
            }
        }
        sending = false;
    }

    private boolean requestSpare() {
        boolean any = false;
        sending = true;
        for (ReplicaWrite each : copies) {
            if (each.state() == ReplicaWrite.State.SPARED && each.counted()) {
                any = true;
                each.start(true);
            }
        }
        sending = false;
        if (any) {
            look();
        }
        return any;
    }

    private GnrsCount failure() {
        if (number(copy -> copy.code() == PeerWire.BINDINGS_MAX) > 0) {
            return GnrsCount.WRITES_BINDINGS_MAX;
        }
        if (number(copy -> copy.code() == PeerWire.BYTES_MAX) > 0) {
            return GnrsCount.WRITES_RECORD_BYTES_MAX;
        }
        return counted == 1 && copies[0].peer().own() ? GnrsCount.WRITES_STORE_FAILED : GnrsCount.WRITES_QUORUM_FAILED;
    }

    private void notifyClient(GnrsCount result, int held) {
        answered = true;
        home.heard().wrote(change, done && isWhole());
        home.decided(requests, result, held, needed);
        line.told(this);
    }

    /** Returns whether the record is the change and nothing else, by the digests of its holders. */
    private boolean isWhole() {
        long digest = RecordImage.digest(MemorySegment.ofArray(change), 0);
        return number(copy -> copy.state() == ReplicaWrite.State.HELD && copy.digest() != digest) == 0;
    }

    /** Adds a hint for every server that did not confirm, once no response is awaited any more. */
    private void end() {
        for (ReplicaWrite each : copies) {
            if (each.state() == ReplicaWrite.State.OPEN) {
                return;
            }
        }
        over = true;
        for (ReplicaWrite each : copies) {
            if (each.counted() && each.state() != ReplicaWrite.State.HELD && worthHint(each)) {
                home.hint(each.peer(), change);
            }
        }
    }

    /**
     * Returns whether a hint is useful: a write that was refused for its size is not retried, unless the others took
     * it.
     */
    private boolean worthHint(ReplicaWrite copy) {
        return done || copy.state() == ReplicaWrite.State.SPARED || copy.code() == PeerWire.REFUSED;
    }

    QuorumWrites home() {
        return home;
    }

    byte[] change() {
        return change;
    }

    int round() {
        return round;
    }

    boolean answered() {
        return answered;
    }

    boolean done() {
        return done;
    }

    /** Returns the request that takes the change to another server; null if that server cannot take it. */
    @Nullable PeerRequest question(ReplicaWrite copy, boolean strictly) {
        if (copy.peer().descriptor().kind() == PeerDescriptor.Kind.V1) {
            return V1WriteRequest.of(copy, change, update, home.origin());
        }
        return new MergeRequest(copy.peer(), change, strictly) {
            @Override
            public void ended(int code, long newest, long digest) {
                copy.ended(code, newest, digest);
            }

            @Override
            public void silent() {
                copy.silent();
            }
        };
    }
}
