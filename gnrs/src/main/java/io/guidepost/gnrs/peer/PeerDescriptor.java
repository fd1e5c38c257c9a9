package io.guidepost.gnrs.peer;

import java.net.InetSocketAddress;

/**
 * A server of the deployment, as the membership file and the AS bindings describe it.
 *
 * @param name its name for operators
 * @param address its GNRS address: its identity
 * @param kind the protocol that it speaks
 */
public record PeerDescriptor(String name, InetSocketAddress address, Kind kind) {
    /** The protocol that a server speaks. */
    public enum Kind {
        /** Guidepost: records travel with their versions, see {@link PeerWire}. */
        GUIDEPOST,
        /** A server of the first protocol version, such as MobilityFirst's: relayed INSERT and LOOKUP, nothing more. */
        V1
    }
}
