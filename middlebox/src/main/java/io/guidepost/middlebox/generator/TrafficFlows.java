package io.guidepost.middlebox.generator;

/** Numbers of generated addresses and ports, and the first of each. */
record TrafficFlows(
        int sources,
        int destinations,
        int sourcePorts,
        int destinationPorts,
        int source,
        int destination,
        int sourcePort,
        int destinationPort) {
    static final TrafficFlows ONE = new TrafficFlows(1, 1, 1, 1, 0, 0, 0, 0);

    static TrafficFlows of(TrafficProfile traffic) {
        return new TrafficFlows(
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
