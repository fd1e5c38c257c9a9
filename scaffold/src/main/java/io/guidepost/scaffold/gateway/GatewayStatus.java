package io.guidepost.scaffold.gateway;

import io.guidepost.base.Counters;
import io.guidepost.packet.Port;
import io.guidepost.packet.worker.Worker;
import io.guidepost.scaffold.flow.FlowMachine;
import io.guidepost.scaffold.flow.FlowTally;
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
        FlowMachine.MachineLoad now,
        List<GatewayWay> ways,
        FlowTally tally,
        Counters<ZoneCount> zone,
        List<Port> ports,
        List<Worker> workers) {}
