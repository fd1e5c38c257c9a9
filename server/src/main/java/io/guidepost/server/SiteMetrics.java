package io.guidepost.server;

import io.guidepost.gnrs.site.Peer;
import io.guidepost.gnrs.site.Relay;
import io.guidepost.gnrs.site.SiteCount;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;

/** The other servers as metrics: what was counted by worker, and of the first servers each by itself. */
final class SiteMetrics {
    /** Servers that have samples of their own; a page of more would be of more use to nobody. */
    static final int PEERS_MAX = 100;

    private static final String REST = "all others";
    private static final double NANOS_PER_SECOND = 1e9;

    private SiteMetrics() {}

    /**
     * Writes them.
     *
     * @param relays of each worker
     * @param peers the other servers, in the order of the page
     */
    static void write(Exposition out, Map<Integer, Relay> relays, List<Peer> peers) {
        out.counter("guidepost_site_events", "What was counted of the traffic with other servers, explained below.");
        relays.forEach((worker, relay) -> {
            for (SiteCount name : SiteCount.values()) {
                out.sample(relay.counts().get(name), "worker", worker.toString(), "event", Exposition.name(name));
            }
        });
        out.gauge("guidepost_site_servers", "Other servers of the deployment, by how they answer.");
        for (Peer.Health health : Peer.Health.values()) {
            out.sample(
                    peers.stream().filter(each -> each.health() == health).count(),
                    "health",
                    Exposition.name(health));
        }
        out.gauge("guidepost_site_up", "1 if a server answers; for the others, how many do.");
        samples(out, peers, each -> each.health() == Peer.Health.UP ? 1 : 0, false);
        out.gauge("guidepost_site_round_trip_seconds", "Smoothed round-trip time of a server; for the others, the longest.");
        samples(out, peers, each -> each.rttNanos() / NANOS_PER_SECOND, true);
        out.gauge("guidepost_site_slow_seconds", "What 95 of 100 answers of a server take at most.");
        samples(out, peers, each -> each.slowNanos() / NANOS_PER_SECOND, true);
    }

    /** A sample for each of the first servers, and one for the sum, or the largest, of all others. */
    static void samples(Exposition out, List<Peer> peers, ToDoubleFunction<Peer> value, boolean largest) {
        peers.stream()
                .limit(PEERS_MAX)
                .forEach(each -> out.sample(value.applyAsDouble(each), "site", each.site().name()));
        if (peers.size() > PEERS_MAX) {
            List<Peer> rest = peers.subList(PEERS_MAX, peers.size());
            double number = largest
                    ? rest.stream().mapToDouble(value).max().orElse(0)
                    : rest.stream().mapToDouble(value).sum();
            out.sample(number, "site", REST);
        }
    }
}
