package io.guidepost.dns;

import java.util.List;

/**
 * The operator's settings of a DNS door.
 *
 * @param zone the zone whose names are answered
 * @param servers names of the zone's servers, the first of which is the primary; at least one
 * @param ttlSeconds TTL of records whose places say none
 * @param nsid what clients are told that ask which server answers (RFC 5001)
 */
public record DnsSettings(DnsName zone, List<DnsName> servers, int ttlSeconds, String nsid) {
    /** Copies the list, and checks what several say together. */
    public DnsSettings {
        servers = List.copyOf(servers);
        if (servers.isEmpty()) {
            throw new IllegalArgumentException("a zone has at least one server");
        }
        if (zone.wire().length > DnsLimits.ZONE_BYTES_MAX) {
            throw new IllegalArgumentException("the name of a zone has at most " + (DnsLimits.ZONE_BYTES_MAX - 2) + " characters");
        }
        nsid = nsid.substring(0, Math.min(nsid.length(), DnsLimits.NSID_BYTES_MAX));
    }
}
