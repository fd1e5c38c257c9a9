package io.guidepost.scaffold.flow;

import io.guidepost.names.Guid;
import io.guidepost.scaffold.key.Delegation;

/**
 * An instance of an object that this host offers.
 *
 * @param name the object's, below the zone; empty if it has none
 * @param delegation that the object's key lets this host serve it
 * @param instance GUID of the instance
 * @param protocol number of TCP or UDP
 * @param port where its program listens, and clients find it
 * @param repeatable whether the owner says that requests may be repeated at another instance
 * @param priority lower ones are taken first, 0 to 255
 * @param weight its share among those of its priority, 1 to 65,535
 */
public record LocalService(
        String name,
        Delegation delegation,
        Guid instance,
        int protocol,
        int port,
        boolean repeatable,
        int priority,
        int weight) {
    /** Creates an instance of an object, whose GUID follows from the delegation and from where it listens. */
    public LocalService(
            String name, Delegation delegation, int protocol, int port, boolean repeatable, int priority, int weight) {
        this(name, delegation, delegation.instance(protocol, port), protocol, port, repeatable, priority, weight);
    }

    /** Returns the object that is served. */
    public Guid object() {
        return delegation.object();
    }

    /** Returns the protocol and the port in the three bytes that stand on the wire. */
    byte[] protocolAndPort() {
        return protocolAndPort(protocol, port);
    }

    static byte[] protocolAndPort(int protocol, int port) {
        return new byte[] {(byte) protocol, (byte) (port >>> 8), (byte) port};
    }

    /** Returns priority, weight and flags in the word that stands on the wire. */
    int word(int flags) {
        return priority << 24 | weight << 8 | flags;
    }
}
