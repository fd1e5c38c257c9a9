package io.guidepost.middlebox.nat;

import io.guidepost.base.ExpiringHashTable;
import java.util.random.RandomGenerator;

/** The state of a translator, shared by all workers. */
final class NatState {
    final NatTable mappings;

    final TcpTracking connections = new TcpTracking();

    final RefusalNotice ports;

    final RefusalNotice hosts;

    /** Fragmented packets: from both addresses and identification to the inside address of the first fragment. */
    final ExpiringHashTable fragments = new ExpiringHashTable(NatLimits.FRAGMENTED);

    /** Outside addresses that a mapping has sent to, for address-dependent filtering. */
    final ExpiringHashTable peers;

    NatState(NatSettings settings, RandomGenerator random) {
        this.mappings = new NatTable(settings.portMin(), settings.portMax(), settings.hostMappingsMax(), random);
        this.ports = new RefusalNotice("every port from " + settings.portMin() + " to " + settings.portMax() + " is in use");
        this.hosts = new RefusalNotice("an inside host has its " + settings.hostMappingsMax() + " mappings");
        this.peers = new ExpiringHashTable(settings.filterByAddress() ? NatLimits.PEERS : 8);
    }
}
