package io.guidepost.scaffold.metrics;

/** The counters of a gateway. */
public enum FlowCount {
    /** Packets of the local kernel that went into a carriage. */
    PACKETS_SENT,
    /** Those of them that were carried by labels, the others by UDP. */
    PACKETS_SENT_LABELLED,
    /** Errors of routers about packets with labels, of which the local kernel was told. */
    ERRORS_PASSED,
    /** Packets, of both directions, that the kernel has labelled or unlabelled by itself. */
    PACKETS_OFFLOADED,
    /** Those of them that were sealed. */
    PACKETS_SENT_SEALED,
    /** Packets out of a carriage that went to the local kernel. */
    PACKETS_RECEIVED,
    /** Bytes of packets that went into a carriage. */
    BYTES_SENT,
    /** Bytes of packets that went to the local kernel. */
    BYTES_RECEIVED,
    /** Flows that programs of this host began. */
    FLOWS_CONNECTED,
    /** Flows that came to this host's services. */
    FLOWS_SERVED,
    /** Flows that the process before has left, and this one goes on with. */
    FLOWS_TAKEN_UP,
    /** Flows that went on at another instance. */
    FLOWS_RESUMED,
    /** Flows that were reset, as no instance could go on with them. */
    FLOWS_RESET,
    /** Hosts without a flow that were forgotten, as others came. */
    PEERS_FORGOTTEN,
    /** Times that what was agreed with another host was replaced, as one of the two uses another key of the hour. */
    KEYS_CHANGED,
    /** As an own link went down. */
    PATHS_CHANGED_LINK,
    /** As the other host has moved, or was heard from another of its places. */
    PATHS_CHANGED_PEER,
    /** As the path before was silent, and another one was not. */
    PATHS_CHANGED_SILENCE,
    /** Probes of ways. */
    PROBES_SENT,
    /** Segments that were sent again after an outage. */
    SEGMENTS_HELD_SENT,
    /** Flights of unacknowledged segments that are not kept: the kernel sends them again by its own timer. */
    BOUNDS_HELD_FLIGHTS,
    /** Requests that are not repeated, and segments behind a gap or of a next instance that are dropped, as all flows keep 64 MiB. */
    BOUNDS_KEPT_BYTES,
    /** Flows that have asked for the most instances, one after the other, and are reset. */
    BOUNDS_INSTANCES_TRIED,
    /** Flows that stand and do not outlive this process, as the memory for them is full or the disk is. */
    BOUNDS_FLOWS_KEPT,
    /** Packets of the local kernel that are no whole ones of TCP or UDP. */
    DROPS_PACKET,
    /** Packets of the local kernel to an address that stands for nothing. */
    DROPS_ADDRESS,
    /** Packets of the local kernel that are of no flow, and begin none. */
    DROPS_NO_FLOW,
    /** Packets and requests beyond the bound of flows. */
    DROPS_FLOWS_MAX,
    /** Requests of new hosts beyond the bound of a second, as each costs three products. */
    DROPS_ASSOCIATION_RATE,
    /** Requests of new hosts beyond the bound of hosts that have flows. */
    DROPS_PEERS_MAX,
    /** Datagrams that are neither a control message nor a carriage. */
    DROPS_DATAGRAM,
    /** Control messages that are malformed, or of a type that a gateway does not take. */
    DROPS_MALFORMED,
    /** Control messages whose seal is wrong, whose sender is unknown, or that were heard before. */
    DROPS_SEAL,
    /** Control messages that their sender may not send, such as a delegation that is not signed. */
    DROPS_NOT_ALLOWED,
    /** Carriages of a flow that is not known. */
    DROPS_FLOW_UNKNOWN,
    /** Carriages of an epoch that is over: another instance has the flow. */
    DROPS_EPOCH,
    /** Carriages from an address that is not the peer's. */
    DROPS_SOURCE,
    /** Packets in clear of a flow whose packets are sealed. */
    DROPS_CLEAR,
    /** Sealed packets that are not authentic, or were taken before. */
    DROPS_DATA_SEAL,
    /** Bytes of an instance that must not join those of another yet. */
    DROPS_HELD_BACK
}
