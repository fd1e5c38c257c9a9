package io.guidepost.lab.simulation;

import io.guidepost.gnrs.GnrsSettings;
import io.guidepost.gnrs.PeerGateway;
import io.guidepost.gnrs.peer.PeerBounds;
import io.guidepost.gnrs.peer.ReplicationSettings;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The defects of a deployment that is sabotaged: servers get other arguments than the invariants believe, their parts are
 * wrapped, and datagrams between hosts are changed. Without sabotage all of it is as it should be.
 */
final class InjectedDefects {
    /** Changes a datagram before it leaves. */
    @FunctionalInterface
    interface Tampering {
        /** Returns the datagram that leaves; null if none does. */
        SimulatedNetwork.@Nullable Datagram of(SimulatedNetwork.Datagram datagram);
    }

    /** Corrupts a disk. */
    @FunctionalInterface
    interface Distortion {
        /** Returns the form that is written in place of the correct one. */
        byte @Nullable [] distorted(byte @Nullable [] current, byte @Nullable [] next);
    }

    /** The settings that servers run with. */
    UnaryOperator<ReplicationSettings> settings = right -> right;

    /** The bounds that servers run with. */
    UnaryOperator<PeerBounds> bounds = right -> right;

    /** The settings that doors run with. */
    UnaryOperator<GnrsSettings> door = right -> right;

    /** What a server's door sees of its peers. */
    UnaryOperator<PeerGateway> gateway = right -> right;

    /** What becomes of a datagram. */
    Tampering tampering = right -> right;

    /** What each disk writes. */
    Distortion distortion = (current, next) -> next;
}
