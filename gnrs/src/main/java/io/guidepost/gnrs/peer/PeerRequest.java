package io.guidepost.gnrs.peer;

import java.lang.foreign.MemorySegment;

/** One question to another server, and what is done with the answer. Belongs to one worker, see {@link PeerRequests}. */
public abstract class PeerRequest {
    private final Peer peer;

    /** Set by {@link PeerRequests}. */
    int id;

    /** When it was asked, or sent if it has been; set by {@link PeerRequests}. */
    long sentNanos;

    /** Until when an answer is waited for; set by {@link PeerRequests}. */
    long deadlineNanos;

    /** When something is to be done about it next: it is late, or given up; set by {@link PeerRequests}. */
    long dueNanos;

    /** Whether its answer is still waited for; set by {@link PeerRequests}. */
    boolean open;

    public PeerRequest(Peer peer) {
        this.peer = peer;
    }

    /** Whom it is for. */
    final Peer peer() {
        return peer;
    }

    /**
     * Writes the whole message with the given id, without the seal, and returns its length; 0 if the room is too small,
     * or it need not be sent any more.
     */
    public abstract int write(MemorySegment room, long at, int length, int messageId);

    /**
     * An answer came from where the question went, and its header fits; called once.
     *
     * @param segment holds the whole message
     * @param at where it begins
     * @param length its bytes, without the seal
     * @param rttNanos how long it took
     * @return false if it is malformed; it is then dropped, and the question waits on
     */
    public abstract boolean answered(MemorySegment segment, long at, int length, long rttNanos);

    /** No answer came as soon as one mostly does; called at most once, the answer is still waited for. */
    public void late() {
        // Most questions are as patient as they may be.
    }

    /** No answer came in time; called once. */
    public abstract void silent();
}
