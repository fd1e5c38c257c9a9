package io.guidepost.handle.service;

import java.net.InetSocketAddress;

/**
 * A message that came, whole but for what its first bytes say, by whatever transport.
 *
 * @param message envelope and all that follows it, as it came, perhaps encrypted; treated as immutable
 * @param transport how it came
 * @param peer who sent it
 * @param administration whether the interface that it came by takes changes
 */
@SuppressWarnings("ArrayRecordComponent") // One message, handed on.
public record HandleRequest(byte[] message, Transport transport, InetSocketAddress peer, boolean administration) {
    /** The ways in, by their customary names in access logs. */
    public enum Transport {
        /** Datagrams. */
        UDP,
        /** A connection. */
        TCP,
        /** A POST in clear. */
        HTTP,
        /** A POST over TLS. */
        HTTPS
    }
}
