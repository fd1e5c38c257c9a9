package io.guidepost.gnrs.placement;

import io.guidepost.base.Addresses;
import io.guidepost.proximity.PrefixTable;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.List;

/**
 * DMap as in its paper (Vu et al., "DMap: A Shared Hosting Scheme for Dynamic Identifier to Locator Mappings in the
 * Global Internet", ICDCS 2012): longest-prefix match. The AS of an address is that of the longest prefix that contains
 * it. An address in a hole is hashed again, see {@link GuidHashes}, up to M hashes in all. If the last one still lies
 * in a hole, the deputy is taken: the AS that announces the address at the least XOR distance from that last one.
 *
 * <p>An AS without a server can keep nothing, so for placement its prefixes count as not announced: the enclosing
 * prefix takes their addresses, or they are holes. So every GUID has K replicas as soon as one AS has a server.
 *
 * @param servers the number of the server for each class of the table
 */
record LongestPrefixResolver(PrefixTable table, int hashesMax, int[] servers) implements AsResolver {
    /** Takes a table all of whose ASes have a server, and which has at least one IPv4 prefix. */
    static LongestPrefixResolver of(PrefixTable table, int hashesMax, ServerIndex servers) {
        int[] numbers = new int[table.classes() + 1];
        numbers[PrefixTable.NONE] = UNBOUND;
        for (int i = 1; i < numbers.length; i++) {
            numbers[i] = servers.number(table.value(i));
        }
        return new LongestPrefixResolver(table, hashesMax, numbers);
    }

    @Override
    public int server(int address, GuidHashes hashes) {
        int found = table.findIpv4(address);
        return servers[found != PrefixTable.NONE ? found : fromHole(address, hashes)];
    }

    private int fromHole(int hole, GuidHashes hashes) {
        int address = hole;
        for (int i = 1; i < hashesMax; i++) {
            address = hashes.again(address);
            int found = table.findIpv4(address);
            if (found != PrefixTable.NONE) {
                return found;
            }
        }
        return table.findIpv4(table.nearestIpv4(address));
    }

    @Override
    public Replica explain(int number, int first, GuidHashes hashes, ServerIndex known) {
        List<InetAddress> hashed = new ArrayList<>();
        int address = first;
        hashed.add(Addresses.ofIpv4(address));
        while (table.findIpv4(address) == PrefixTable.NONE && hashed.size() < hashesMax) {
            address = hashes.again(address);
            hashed.add(Addresses.ofIpv4(address));
        }
        boolean deputy = table.findIpv4(address) == PrefixTable.NONE;
        int chosen = deputy ? table.nearestIpv4(address) : address;
        int found = table.findIpv4(chosen);
        String block = table.longest(Addresses.IPV4_HIGH, Addresses.ipv4Low(chosen)).orElseThrow().toString();
        int server = servers[found];
        return new Replica(
                number, hashed, block, deputy, table.value(found), known.server(server), known.isHere(server));
    }
}
