package io.guidepost.dns;

import io.guidepost.base.Prefix;
import io.guidepost.dns.wire.DnsLimits;
import io.guidepost.dns.wire.DnsName;
import java.net.InetSocketAddress;
import java.util.List;

/**
 * The operator's settings of a DNS door.
 *
 * @param zone the zone whose names are answered
 * @param servers names of the zone's servers, the first of which is the primary; at least one
 * @param ttlSeconds TTL of records whose places say none
 * @param transfers networks of secondaries, which may transfer the zone
 * @param notified secondaries that are told of changes
 * @param nsid what clients are told that ask which server answers (RFC 5001)
 */
public record DnsSettings(
        DnsName zone, List<DnsName> servers, int ttlSeconds, List<Prefix> transfers, List<InetSocketAddress> notified, String nsid) {
    /** Copies the lists, and checks what several say together. */
    public DnsSettings {
        servers = List.copyOf(servers);
        transfers = List.copyOf(transfers);
        notified = List.copyOf(notified);
        if (servers.isEmpty()) {
            throw new IllegalArgumentException("a zone has at least one server");
        }
        if (zone.wire().length > DnsLimits.ZONE_BYTES_MAX) {
            throw new IllegalArgumentException("the name of a zone has at most " + (DnsLimits.ZONE_BYTES_MAX - 2) + " characters");
        }
        nsid = nsid.substring(0, Math.min(nsid.length(), DnsLimits.NSID_BYTES_MAX));
    }

    /** Returns whether an address may transfer the zone. */
    public boolean mayTransfer(long high, long low) {
        return transfers.stream().anyMatch(each -> each.contains(high, low));
    }
}
