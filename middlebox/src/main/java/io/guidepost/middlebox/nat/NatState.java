package io.guidepost.middlebox.nat;

import io.guidepost.base.ExpiringHashTable;
import java.util.random.RandomGenerator;

/** The state of a translator, shared by all workers. */
final class NatState {
    final NatTable mappings;

    final TcpTracking connections;

    final RefusalNotice ports;

    final RefusalNotice destinations;

    final RefusalNotice hosts;

    final RefusalNotice table;

    /** Fragmented packets: from both addresses and identification to the inside address of the first fragment. */
    final ExpiringHashTable fragments = new ExpiringHashTable(NatLimits.FRAGMENTED);

    /** Outside addresses that a mapping has sent to, for address-dependent filtering. */
    final ExpiringHashTable peers;

    NatState(NatSettings settings, RandomGenerator random) {
        this.mappings = new NatTable(
                settings.portMin(),
                settings.portMax(),
                settings.endpointIndependent(),
                NatLimits.SHARED_MAPPINGS,
                settings.hostMappingsMax(),
                random);
        this.connections = new TcpTracking(mappings.capacity(NatProtocol.TCP));
        String noPort = "no port from " + settings.portMin() + " to " + settings.portMax() + " was found free";
        this.ports = new RefusalNotice(NatCount.PORTS_EXHAUSTED, noPort);
        this.destinations = new RefusalNotice(NatCount.DESTINATION_EXHAUSTED, noPort + " to a destination");
        this.hosts = new RefusalNotice(
                NatCount.HOST_EXHAUSTED, "an inside host has its " + settings.hostMappingsMax() + " mappings");
        this.table = new RefusalNotice(
                NatCount.TABLE_EXHAUSTED, "a protocol that shares ports has its " + NatLimits.SHARED_MAPPINGS + " mappings");
        this.peers = new ExpiringHashTable(settings.filterByAddress() ? NatLimits.PEERS : 8);
    }

    /** Returns what tells of a refusal of {@link NatTable#add}. */
    RefusalNotice notice(NatProtocol protocol, int refusal) {
        return switch (refusal) {
            case NatTable.HOST_FULL -> hosts;
            case NatTable.TABLE_FULL -> table;
            default -> mappings.shares(protocol) ? destinations : ports;
        };
    }

    /** Tells the log which flows are refused. */
    void look(long nowMillis) {
        ports.look(nowMillis);
        destinations.look(nowMillis);
        hosts.look(nowMillis);
        table.look(nowMillis);
    }
}
