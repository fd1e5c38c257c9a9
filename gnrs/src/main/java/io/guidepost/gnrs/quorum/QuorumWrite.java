package io.guidepost.gnrs.quorum;

import io.guidepost.gnrs.GnrsCount;
import io.guidepost.gnrs.peer.Peer;
import io.guidepost.gnrs.peer.PeerCount;
import io.guidepost.gnrs.peer.PeerDescriptor;
import io.guidepost.gnrs.peer.PeerRequest;
import io.guidepost.gnrs.peer.PeerWire;
import io.guidepost.store.RecordImage;
import io.guidepost.store.RecordMerge;
import java.lang.foreign.MemorySegment;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One change on its way to all servers that keep a record. One worker's.
 *
 * <pre>
 *            take a stamp, send the change to all, strictly ◄──────────────────────────────────┐
 *                 │                                                                            │
 *                 │ an answer                                                                  │
 *                 ▼                                                                            │
 *   held by a quorum ─── yes ──► told DONE; who was BEHIND is sent it again, not strictly      │
 *                 │ no                                                                         │
 *   still possible, or not all heard once ─── yes ──► wait                                     │
 *                 │ no                                                                         │
 *   some BEHIND: they know something that is not older ─── yes ──► at most ROUNDS_MAX times ───┘
 *                 │ no
 *   servers spared ──── yes ──► ask them
 *                 │ no
 *   not all heard, or silent once ─── yes ──► wait, to say how many hold it
 *                 │ no
 *                 ▼
 *             told FAILED
 * </pre>
 *
 * A quorum that took it strictly is enough: one of them holds whatever was acknowledged before, and was not BEHIND. So
 * none is told DONE that is taken for older than what was DONE before it began.
 *
 * <p>Whatever was told, the rest goes on: servers that did not confirm are asked again, and at the end get a hint. So a
 * write that FAILED may still take effect; but none that was DONE is ever undone by what was older.
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
    private boolean told;
    private boolean done;
    private boolean over;

    /**
     * A write that is not under way yet.
     *
     * @param line tells what waits behind it when it was told
     * @param image the bindings in stored form; their stamps are not looked at
     * @param update whether what is older is taken away
     * @param peers the servers that keep the record, then those that kept it before; the list is the caller's again afterwards
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

    private interface Test {
        boolean of(ReplicaWrite copy);
    }

    private int number(Test test) {
        int number = 0;
        for (int i = 0; i < counted; i++) {
            number += test.of(copies[i]) ? 1 : 0;
        }
        return number;
    }

    /** Sees to it that the next stamp is later than one that a server knows; false if that is too far ahead. */
    boolean seen(long newest) {
        return home.seen(newest);
    }

    /** Something is known of a copy: sees what that comes to. */
    void look() {
        if (sending) {
            return;
        }
        if (!told) {
            decide();
        }
        if (told && !over) {
            end();
        }
    }

    private void decide() {
        int held = number(copy -> copy.state() == ReplicaWrite.State.HELD);
        if (held >= needed) {
            done = true;
            bring();
            tell(GnrsCount.WRITES_DONE, held);
            return;
        }
        int possible = held + number(copy -> copy.state() == ReplicaWrite.State.OPEN);
        boolean heard = number(ReplicaWrite::fresh) == 0;
        if ((possible < needed || heard) && number(ReplicaWrite::behind) > 0 && round < QuorumLimits.ROUNDS_MAX) {
            home.counts().count(PeerCount.WRITES_BEHIND);
            send();
        } else if (possible < needed && !askSpared() && heard) {
            tell(failure(), held);
        }
    }

    /** It is written: servers that know something later must come to the same. */
    private void bring() {
        sending = true;
        for (ReplicaWrite each : copies) {
            if (each.behind()) {
                each.start(false);
            }
        }
        sending = false;
    }

    private boolean askSpared() {
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
        return counted == 1 && copies[0].peer().own() ? GnrsCount.WRITES_STORE_FAILED : GnrsCount.WRITES_QUORUM;
    }

    private void tell(GnrsCount result, int held) {
        told = true;
        home.heard().wrote(change, done && isWhole());
        home.decided(requests, result, held, needed);
        line.told(this);
    }

    /** Whether the record is the change and nothing else, as those say who hold it. */
    private boolean isWhole() {
        long digest = RecordImage.digest(MemorySegment.ofArray(change), 0);
        return number(copy -> copy.state() == ReplicaWrite.State.HELD && copy.digest() != digest) == 0;
    }

    /** When nobody is waited for any more, whoever did not confirm gets a hint. */
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

    /** A write that was refused for its size is not brought by the back door, unless the others took it. */
    private boolean worthHint(ReplicaWrite copy) {
        return done || copy.state() == ReplicaWrite.State.SPARED || copy.code() == PeerWire.REFUSED;
    }

    QuorumWrites home() {
        return home;
    }

    /** What is sent. */
    byte[] change() {
        return change;
    }

    /** How many stamps it has taken. */
    int round() {
        return round;
    }

    /** Whether those who asked were told. */
    boolean told() {
        return told;
    }

    /** Whether they were told that it is done. */
    boolean done() {
        return done;
    }

    /** The question that takes the change to another server; null if that server cannot take it. */
    @Nullable PeerRequest question(ReplicaWrite copy, boolean strictly) {
        return copy.peer().descriptor().kind() == PeerDescriptor.Kind.GUIDEPOST
                ? new MergeRequest(copy, change, strictly)
                : V1WriteRequest.of(copy, change, update, home.origin());
    }
}
