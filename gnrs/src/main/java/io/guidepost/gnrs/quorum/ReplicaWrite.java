package io.guidepost.gnrs.quorum;

import io.guidepost.gnrs.peer.Peer;
import io.guidepost.gnrs.peer.PeerCount;
import io.guidepost.gnrs.peer.PeerRequest;
import io.guidepost.gnrs.peer.PeerWire;
import org.jspecify.annotations.Nullable;

/**
 * The write of one replica of a record: sends the change to the server, retransmits it on silence, and reports the
 * outcome. The local replica goes through this server's store. Belongs to one worker.
 */
final class ReplicaWrite {
    enum State {
        /** Waiting for the server. */
        OPEN,
        /** Not sent, because the server is taken to be down and the quorum can be had without it. */
        SPARED,
        /** The server holds the change durably. */
        HELD,
        /** The server does not hold it, as far as is known. */
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
     * Creates the write of one replica.
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

    /** Returns the code of the server's refusal, REFUSED if it was silent. */
    int code() {
        return code;
    }

    /** Returns the digest of the record as the server has it after its response; 0 if unknown. */
    long digest() {
        return digest;
    }

    /** Returns whether the first transmission may still be answered. */
    boolean fresh() {
        return state == State.OPEN && attempts == 1;
    }

    /** Returns whether the server knows a stamp that is not older, and so did not take the change. */
    boolean behind() {
        return state == State.LOST && code == PeerWire.BEHIND;
    }

    void spare() {
        reset();
        state = State.SPARED;
    }

    /** Sends the change, whatever was sent before. */
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
        if (asking == null || !write.home().questions().ask(asking, timeoutNanos())) {
            lose(PeerWire.REFUSED);
            return;
        }
        question = asking;
    }

    private boolean last() {
        return peer.health() == Peer.Health.DOWN || attempts >= write.home().settings().attemptsMax();
    }

    /**
     * Returns the retransmission timeout: the full timeout for the last transmission, else a multiple of the peer's
     * round-trip time.
     */
    private long timeoutNanos() {
        long most = write.home().settings().timeoutMillis() * 1_000_000L;
        long slow = peer.slowNanos();
        return last() || slow == 0 ? most : Math.min(most, Math.max(4 * slow, QuorumLimits.PATIENCE_NANOS_MIN));
    }

    void ended(int outcome, long newest, long there) {
        question = null;
        digest = there;
        if (outcome == PeerWire.DONE) {
            state = State.HELD;
            write.look();
        } else if (strict && outcome == PeerWire.BEHIND && !write.answered()) {
            lose(write.seen(newest) ? PeerWire.BEHIND : PeerWire.STAMP_AHEAD);
        } else if (strict && write.done() && outcome != PeerWire.REFUSED && outcome != PeerWire.STAMP_AHEAD) {
            // The others hold it: it is written, and this replica must converge.
            start(false);
        } else {
            lose(outcome);
        }
    }

    void silent() {
        question = null;
        if (last()) {
            lose(PeerWire.REFUSED);
        } else {
            write.home().counts().count(PeerCount.RETRANSMISSIONS);
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
