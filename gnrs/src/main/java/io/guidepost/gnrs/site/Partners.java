package io.guidepost.gnrs.site;

import java.net.InetSocketAddress;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** The other servers as far as bringing copies into line goes; as many as {@link Peers} knows. Any thread may ask. */
final class Partners {
    private final Map<InetSocketAddress, Partner> partners = new ConcurrentHashMap<>();

    /** What is known of a server; it may be another object for the same server after the membership has changed. */
    @SuppressWarnings("ReferenceEquality") // Another object is another kind or name.
    Partner of(Peer peer) {
        Partner partner = partners.get(peer.address());
        if (partner == null) {
            partner = partners.computeIfAbsent(peer.address(), address -> new Partner(peer));
        }
        if (partner.peer() != peer) {
            partner.peer(peer);
        }
        return partner;
    }
}
