package io.guidepost.middlebox.generator;

/** Numbers of addresses and ports, and the first of each. */
record Flows(
        int sources,
        int destinations,
        int sourcePorts,
        int destinationPorts,
        int source,
        int destination,
        int sourcePort,
        int destinationPort) {
    static final Flows ONE = new Flows(1, 1, 1, 1, 0, 0, 0, 0);

    static Flows of(Traffic traffic) {
        return new Flows(
                traffic.sources(),
                traffic.destinations(),
                traffic.sourcePorts(),
                traffic.destinationPorts(),
                traffic.sourceLow(),
                traffic.destinationLow(),
                traffic.sourcePort(),
                traffic.destinationPort());
    }
}
