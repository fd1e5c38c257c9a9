package io.guidepost.handle.service;

import io.guidepost.base.SourceNetwork;
import java.net.InetSocketAddress;

/**
 * A request message of any transport; only its first bytes have been checked.
 *
 * @param message its bytes, perhaps encrypted; treated as immutable
 * @param transport it came by
 * @param peer address of the client
 * @param administration whether the interface accepts changes
 */
@SuppressWarnings("ArrayRecordComponent") // One message, handed on.
public record HandleRequest(byte[] message, Transport transport, InetSocketAddress peer, boolean administration) {
    /** The transports, by their usual names in access logs. */
    public enum Transport {
        /** Datagrams. */
        UDP,
        /** A TCP connection. */
        TCP,
        /** A POST in clear. */
        HTTP,
        /** A POST over TLS. */
        HTTPS
    }

    /** Returns the number of the subscriber that sent it, by which quotas are kept; 0 if the address is not resolved. */
    long subscriber() {
        return peer.isUnresolved() ? 0 : SourceNetwork.subscriber(peer.getAddress());
    }

    /**
     * Returns the bytes of the longest error that may answer it while its source is not validated: over UDP the source can be
     * forged, so that an error is no longer than its request.
     */
    int errorBytesMax() {
        return transport == Transport.UDP ? message.length : Integer.MAX_VALUE;
    }
}
