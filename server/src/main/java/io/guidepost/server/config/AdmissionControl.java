package io.guidepost.server.config;

import io.guidepost.packet.admission.Admission;

/** How much admission control stands in front of the services over UDP. */
public enum AdmissionControl {
    /** The policy of each service, and sockets of their own for networks that flood. */
    FLOOD_SOCKETS,
    /** The policy of each service. */
    FAIR,
    /** None: datagrams are answered in the order in which they come. */
    OFF;

    /** Returns what stands in front of a service with this policy. */
    public Admission of(Admission policy) {
        return switch (this) {
            case FLOOD_SOCKETS -> policy;
            case FAIR -> policy.withFloodSockets(false);
            case OFF -> Admission.NONE;
        };
    }
}
