package io.guidepost.gnrs.peer;

import java.net.InetSocketAddress;

/**
 * A server of the deployment, as the membership file and the AS bindings name it.
 *
 * @param name what people call it
 * @param address where it answers GNRS: its identity
 * @param kind what it understands
 */
public record PeerDescriptor(String name, InetSocketAddress address, Kind kind) {
    /** What a server understands. */
    public enum Kind {
        /** Guidepost: records travel with their versions, see {@link PeerWire}. */
        GUIDEPOST,
        /** A server of the first protocol version, such as MobilityFirst's: relayed INSERT and LOOKUP, nothing more. */
        V1
    }
}
