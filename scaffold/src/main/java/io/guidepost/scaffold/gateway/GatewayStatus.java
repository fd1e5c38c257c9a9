package io.guidepost.scaffold.gateway;

import io.guidepost.base.Counters;
import io.guidepost.packet.Port;
import io.guidepost.packet.worker.Worker;
import io.guidepost.scaffold.metrics.FlowTally;
import io.guidepost.scaffold.metrics.MachineLoad;
import java.util.List;

/**
 * How a gateway is, and what it has counted since its start.
 *
 * @param now what there is
 * @param ways the own sockets
 * @param tally of its machine
 * @param zone of its DNS
 * @param ports the TUN device, the own sockets, and the one of DNS
 * @param workers its worker
 */
public record GatewayStatus(
        MachineLoad now,
        List<GatewayWay> ways,
        FlowTally tally,
        Counters<ZoneCount> zone,
        List<Port> ports,
        List<Worker> workers) {}
