package io.guidepost.scaffold.object;

import io.guidepost.base.Malformed;
import io.guidepost.base.Prefix;
import io.guidepost.names.Guid;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * The hosts that an object router takes requests from.
 *
 * @param hosts by their GUIDs
 * @param networks by the addresses that they send from
 */
public record AllowedHosts(Set<Guid> hosts, List<Prefix> networks) {
    /** Copies both. */
    public AllowedHosts {
        hosts = Set.copyOf(hosts);
        networks = List.copyOf(networks);
    }

    /**
     * Parses GUIDs of 40 hexadecimal digits, addresses, and prefixes such as {@code 10.0.0.0/8}.
     *
     * @throws Malformed if a text is none of these
     */
    public static AllowedHosts parse(List<String> texts) throws Malformed {
        Set<Guid> hosts = new HashSet<>();
        List<Prefix> networks = new ArrayList<>();
        for (String each : texts) {
            try {
                if (each.length() == 2 * Guid.BYTES && each.indexOf(':') < 0) {
                    hosts.add(Guid.parse(each));
                } else {
                    networks.add(Prefix.parseOrAddress(each));
                }
            } catch (Malformed e) {
                throw new Malformed("'" + each + "' is none of: a GUID of 40 hexadecimal digits, an address, a prefix: " + e.reason(), 0);
            }
        }
        return new AllowedHosts(hosts, networks);
    }

    /** Returns whether requests of a host that sends from an address are taken. */
    public boolean contains(Guid host, long high, long low) {
        for (int i = 0; i < networks.size(); i++) {
            if (networks.get(i).contains(high, low)) {
                return true;
            }
        }
        return hosts.contains(host);
    }
}
