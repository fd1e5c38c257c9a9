package io.guidepost.gnrs.quorum;

import io.guidepost.gnrs.peer.Peer;
import io.guidepost.gnrs.peer.PeerCount;
import io.guidepost.gnrs.peer.PeerRequest;
import io.guidepost.gnrs.peer.PeerWire;
import org.jspecify.annotations.Nullable;

/**
 * One server's copy of a record that is being written: asks the server to merge the change, asks again if it is silent,
 * and says how that ended. This server's own copy goes through its store. One worker's.
 */
final class ReplicaWrite {
    /** How far it is. */
    enum State {
        /** Waits for the server. */
        OPEN,
        /** Was not asked, because the server is taken to be down and the quorum can be had without it. */
        SPARED,
        /** The server holds the change durably. */
        HELD,
        /** It does not, as far as is known. */
        LOST
    }

    private final QuorumWrite write;
    private final Peer peer;
    private final boolean counted;

    private State state = State.OPEN;
    private int attempts;
    private int code;
    private long digest;
    private boolean strict;
    private @Nullable PeerRequest question;

    /**
     * A copy of a write.
     *
     * @param counted whether it counts towards the quorum
     */
    ReplicaWrite(QuorumWrite write, Peer peer, boolean counted) {
        this.write = write;
        this.peer = peer;
        this.counted = counted;
    }

    Peer peer() {
        return peer;
    }

    boolean counted() {
        return counted;
    }

    State state() {
        return state;
    }

    /** The code of the server's refusal, REFUSED if it was silent. */
    int code() {
        return code;
    }

    /** Digest of the record as the server has it since it answered; 0 if it does not say. */
    long digest() {
        return digest;
    }

    /** Whether the server was asked and may answer at the first time of asking. */
    boolean fresh() {
        return state == State.OPEN && attempts == 1;
    }

    /** Whether the server knows something that is not older, and so did not take the change. */
    boolean behind() {
        return state == State.LOST && code == PeerWire.BEHIND;
    }

    /** Leaves the server alone for now. */
    void spare() {
        reset();
        state = State.SPARED;
    }

    /** Asks the server, whatever was asked of it before. */
    void start(boolean strictly) {
        reset();
        strict = strictly;
        ask();
    }

    private void reset() {
        if (question != null) {
            write.home().questions().close(question);
            question = null;
        }
        state = State.OPEN;
        attempts = 0;
        code = PeerWire.REFUSED;
    }

    private void ask() {
        attempts++;
        if (peer.own()) {
            int round = write.round();
            boolean asked = write.home().own().submit(write.change(), strict, (outcome, newest, there) -> {
                if (round == write.round()) {
                    ended(outcome, newest, there);
                }
            });
            if (!asked) {
                lose(PeerWire.REFUSED);
            }
            return;
        }
        PeerRequest asking = write.question(this, strict);
        if (asking == null || !write.home().questions().ask(asking, patienceNanos())) {
            lose(PeerWire.REFUSED);
            return;
        }
        question = asking;
    }

    private boolean last() {
        return peer.health() == Peer.Health.DOWN || attempts >= write.home().settings().attemptsMax();
    }

    /** How long an answer is waited for: the last time as long as may be, else some of what the server takes. */
    private long patienceNanos() {
        long most = write.home().settings().timeoutMillis() * 1_000_000L;
        long slow = peer.slowNanos();
        return last() || slow == 0 ? most : Math.min(most, Math.max(4 * slow, QuorumLimits.PATIENCE_NANOS_MIN));
    }

    /** The server has answered. */
    void ended(int outcome, long newest, long there) {
        question = null;
        digest = there;
        if (outcome == PeerWire.DONE) {
            state = State.HELD;
            write.look();
        } else if (strict && outcome == PeerWire.BEHIND && !write.told()) {
            lose(write.seen(newest) ? PeerWire.BEHIND : PeerWire.STAMP_AHEAD);
        } else if (strict && write.done() && outcome != PeerWire.REFUSED && outcome != PeerWire.STAMP_AHEAD) {
            // The others hold it: it is written, and this one must come to the same.
            start(false);
        } else {
            lose(outcome);
        }
    }

    /** The server has not answered. */
    void silent() {
        question = null;
        if (last()) {
            lose(PeerWire.REFUSED);
        } else {
            write.home().counts().count(PeerCount.WRITES_SENT_AGAIN);
            ask();
            write.look();
        }
    }

    private void lose(int why) {
        state = State.LOST;
        code = why;
        write.look();
    }
}
