package io.guidepost.gnrs.antientropy;

import io.guidepost.gnrs.peer.Peer;
import io.guidepost.gnrs.replica.SyncState;

/** What the catching up intends with one other server, and when. Its thread's alone; the rest is in {@link SyncState}. */
final class SyncSchedule {
    final SyncState partner;

    /** The tables for which the server has said who it is, or has not answered; see {@link PeerMonitor}. */
    int greeted = -1;

    /** When it is to be looked at, as {@link PeerMonitor} has it in its queue. */
    long dueNanos;

    int silences;
    boolean pinging;
    long pingDueNanos;

    /** Digests that are asked for. */
    int comparing;

    /** Sweeps that look for what differs, now. */
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
