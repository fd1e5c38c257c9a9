package io.guidepost.middlebox.nat;

import io.guidepost.base.ExpiringHashTable;
import java.util.random.RandomGenerator;

/** What a translator remembers; all workers share it. */
final class NatState {
    final NatTable mappings;

    /** Where fragmented packets go: both addresses and identification, to the inside address of their first fragment. */
    final ExpiringHashTable fragments = new ExpiringHashTable(NatLimits.FRAGMENTED);

    /** To which outside addresses a mapping's holder has sent, where that is asked for. */
    final ExpiringHashTable peers;

    NatState(NatSettings settings, RandomGenerator random) {
        this.mappings = new NatTable(settings.portMin(), settings.portMax(), random);
        this.peers = new ExpiringHashTable(settings.filterByAddress() ? NatLimits.PEERS : 8);
    }
}
