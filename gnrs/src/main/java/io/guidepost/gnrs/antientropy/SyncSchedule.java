package io.guidepost.gnrs.antientropy;

import io.guidepost.gnrs.peer.Peer;
import io.guidepost.gnrs.replica.SyncState;

/** The schedule of anti-entropy with one peer. Its thread's alone; shared state is in {@link SyncState}. */
final class SyncSchedule {
    final SyncState partner;

    /** The number of the tables under which the peer was greeted, or timed out; see {@link PeerMonitor}. */
    int greeted = -1;

    /** The time at which the peer is due, as {@link PeerMonitor} has it in its queue. */
    long dueNanos;

    /** Whether it waits for its turn to be greeted. */
    boolean queued = true;

    int silences;
    boolean pinging;
    long pingDueNanos;

    /** Digest requests in flight. */
    int comparing;

    /** Whether a search by syndromes or a scan is looking for differences. */
    boolean sweeping;

    long compareDueNanos;
    int sweeps;
    boolean wasUp;

    int hintsInFlight;
    long hintsDueNanos;

    SyncSchedule(SyncState partner, long nowNanos) {
        this.partner = partner;
        pingDueNanos = nowNanos;
        compareDueNanos = nowNanos;
        hintsDueNanos = nowNanos;
    }

    Peer peer() {
        return partner.peer();
    }

    boolean up() {
        return peer().health() == Peer.Health.UP;
    }
}
