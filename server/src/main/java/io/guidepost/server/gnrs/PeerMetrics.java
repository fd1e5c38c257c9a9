package io.guidepost.server.gnrs;

import io.guidepost.base.Counters;
import io.guidepost.gnrs.peer.Peer;
import io.guidepost.gnrs.peer.PeerCount;
import io.guidepost.gnrs.replica.SyncProgress;
import io.guidepost.server.metrics.Exposition;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.ToDoubleFunction;
import java.util.function.ToLongFunction;

/** The other servers as metrics: what was counted by worker, and of the first servers each by itself. */
final class PeerMetrics {
    /** Servers that have samples of their own; a longer page would help no operator. */
    static final int PEERS_MAX = 100;

    private static final String REST = "all others";
    private static final double NANOS_PER_SECOND = 1e9;

    private PeerMetrics() {}

    /**
     * Writes them.
     *
     * @param counts by who counts
     * @param peers the other servers, in the order of the page
     */
    static void write(Exposition out, Map<String, Counters<PeerCount>> counts, List<Peer> peers) {
        out.counter("guidepost_site_events", "What was counted of the traffic with other servers, explained below.");
        counts.forEach((worker, counted) -> {
            for (PeerCount name : PeerCount.values()) {
                out.sample(counted.get(name), "worker", worker, "event", Exposition.name(name));
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

    /** Writes how far catching up is; zeros where there are no peers. */
    static void write(Exposition out, Optional<SyncProgress> progress, long hintBytes) {
        out.gauge("guidepost_site_hint_bytes", "Memory of changes that wait for servers that did not confirm them.")
                .sample(hintBytes);
        out.gauge("guidepost_site_hints", "Those changes, of all servers.")
                .sample(sum(progress, SyncProgress.Server::hintsWaiting));
        out.gauge("guidepost_site_ranges_differing", "Ranges of GUIDs in which another server has something else, of all.")
                .sample(sum(progress, SyncProgress.Server::rangesDiffering));
        out.counter("guidepost_site_records_pushed", "Records sent to bring other servers into line.")
                .sample(sum(progress, SyncProgress.Server::recordsPushed));
        out.counter("guidepost_site_records_pulled", "Records taken from other servers to come into line.")
                .sample(sum(progress, SyncProgress.Server::recordsPulled));
        out.gauge("guidepost_site_records_to_hand_over", "Records that other servers keep now and have not taken over.")
                .sample(progress.map(SyncProgress::toHandOver).orElse(0L));
        out.gauge("guidepost_site_catching_up", "1 while this server may miss something that others have.")
                .sample(progress.map(SyncProgress::catchingUp).orElse(false) ? 1 : 0);
    }

    private static long sum(Optional<SyncProgress> progress, ToLongFunction<SyncProgress.Server> number) {
        return progress.stream().flatMap(each -> each.servers().stream()).mapToLong(number).sum();
    }

    /** A sample for each of the first servers, and one for the sum, or the largest, of all others. */
    static void samples(Exposition out, List<Peer> peers, ToDoubleFunction<Peer> value, boolean largest) {
        peers.stream()
                .limit(PEERS_MAX)
                .forEach(each -> out.sample(value.applyAsDouble(each), "site", each.descriptor().name()));
        if (peers.size() > PEERS_MAX) {
            List<Peer> rest = peers.subList(PEERS_MAX, peers.size());
            double number = largest
                    ? rest.stream().mapToDouble(value).max().orElse(0)
                    : rest.stream().mapToDouble(value).sum();
            out.sample(number, "site", REST);
        }
    }
}
