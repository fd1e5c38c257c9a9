package io.guidepost.gnrs.replica;

import io.guidepost.gnrs.peer.Peer;
import io.guidepost.gnrs.peer.PeerTable;
import java.net.InetSocketAddress;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** The synchronisation states of all peers; as many as {@link PeerTable} knows. Any thread may call. */
public final class SyncStates {
    private final Map<InetSocketAddress, SyncState> partners = new ConcurrentHashMap<>();

    /**
     * Returns the state of a peer, which may be another object for the same server after the membership has changed.
     */
    @SuppressWarnings("ReferenceEquality") // Another object is another kind or name.
    public SyncState of(Peer peer) {
        SyncState partner = partners.get(peer.address());
        if (partner == null) {
            partner = partners.computeIfAbsent(peer.address(), address -> new SyncState(peer));
        }
        if (partner.peer() != peer) {
            partner.peer(peer);
        }
        return partner;
    }

    /** Returns whether this server is in line with a peer, see {@link SyncState#inLine}. */
    public boolean inLine(Peer peer) {
        SyncState partner = partners.get(peer.address());
        return partner != null && partner.inLine();
    }
}
