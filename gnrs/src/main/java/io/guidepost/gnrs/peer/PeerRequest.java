package io.guidepost.gnrs.peer;

import java.lang.foreign.MemorySegment;

/** One request to a peer, and the handling of its response. Belongs to one worker, see {@link PeerRequests}. */
public abstract class PeerRequest {
    private final Peer peer;

    /** Set by {@link PeerRequests}. */
    int id;

    /** When it was queued, or sent if it has been; set by {@link PeerRequests}. */
    long sentNanos;

    /** When it times out; set by {@link PeerRequests}. */
    long deadlineNanos;

    /** When it is due next: late, or timed out; set by {@link PeerRequests}. */
    long dueNanos;

    /** Whether it still waits for its response; set by {@link PeerRequests}. */
    boolean open;

    public PeerRequest(Peer peer) {
        this.peer = peer;
    }

    final Peer peer() {
        return peer;
    }

    /**
     * Writes the whole message with the given id, without the seal, and returns its length; 0 if the buffer is too
     * small, or it need not be sent any more.
     */
    public abstract int write(MemorySegment room, long at, int length, int messageId);

    /**
     * Takes a response from the receiver whose header is valid; called once.
     *
     * @param segment holds the whole message
     * @param at where it begins
     * @param length its bytes, without the seal
     * @param rttNanos the round-trip time
     * @return false if it is malformed; it is then dropped, and the request waits on
     */
    public abstract boolean answered(MemorySegment segment, long at, int length, long rttNanos);

    /** Handles lateness: the response takes longer than usual, and is still awaited; called at most once. */
    public void late() {
        // Most requests just wait for their timeout.
    }

    /** Handles a timeout; called once. */
    public abstract void silent();
}
