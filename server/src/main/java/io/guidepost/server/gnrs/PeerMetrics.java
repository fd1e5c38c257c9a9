package io.guidepost.server.gnrs;

import io.guidepost.base.Counters;
import io.guidepost.gnrs.peer.Peer;
import io.guidepost.gnrs.peer.PeerCount;
import io.guidepost.gnrs.replica.SyncProgress;
import io.guidepost.packet.Port;
import io.guidepost.server.metrics.CounterFamilies;
import io.guidepost.server.metrics.Exposition;
import java.util.LinkedHashMap;
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

    private static final CounterFamilies<PeerCount> COUNTERS = new CounterFamilies<>(PeerCount.class, "guidepost_peer_")
            .family("requests_sent", "Requests sent to peers.")
            .family("requests_failed", "Requests to peers without a response, by reason.", "reason")
            .family("requests_received", "Requests of peers, by type.", "type")
            .family("drops", "Messages between servers dropped, by reason.", "reason")
            .family("fetches_begun", "Fetches of a record from its servers.")
            .family("joined_fetches", "Look-ups that joined a fetch in flight.")
            .family("failed_fetches", "Fetches that failed because too few servers answered.")
            .family("refused_engine_reads", "Local records not read from the engine, as too many reads were in flight.")
            .family("read_repairs", "Records sent to servers whose answers lacked parts of them.")
            .family("cache_evictions", "Cached records evicted before their time, for want of room.")
            .family("handed_over_messages", "Messages handed over to the worker that they are for.")
            .family("invalidations_sent", "FORGET messages sent to peers that may cache a changed record.")
            .family("invalidations_lost", "Changes of which a caching peer may not be told, by reason.", "reason")
            .family("refused_merges", "MERGE requests refused, by reason.", "reason")
            .family("combined_writes", "Writes of clients that were combined with others of the same name.")
            .family("restamped_writes", "Writes that took a later stamp, as a server knew one that was not older.")
            .family("repeated_writes", "Retransmitted write requests that got the earlier response.")
            .family("duplicate_cache_evictions", "Writes dropped from the duplicate-request cache before their time.")
            .family("refused_writes", "Writes refused because too many of the same name waited.")
            .family("retransmissions", "Write requests retransmitted to servers after a timeout.")
            .family("hints_stored", "Changes kept for servers that did not confirm them (hinted handoff).")
            .family("hints_replayed", "Hints that their servers hold now.")
            .family("differences", "Ranges of GUIDs that differed from a peer's, by how their records were found.", "found")
            .family("compared_records", "Records of peers that were compared with the local ones (anti-entropy).")
            .family("replicated_records", "Records exchanged to bring servers into line, by direction.", "direction")
            .family("outdated_records", "Records, or parts, dropped as deleted elsewhere while this server was down.");

    private PeerMetrics() {}

    /**
     * Writes them.
     *
     * @param counts by who counts
     * @param peers the other servers, in the order of the page
     */
    static void write(Exposition out, Map<String, Counters<PeerCount>> counts, List<Peer> peers) {
        Map<String, ToLongFunction<PeerCount>> values = new LinkedHashMap<>();
        counts.forEach((worker, counted) -> values.put(worker, counted::get));
        COUNTERS.write(out, "worker", values);
        out.gauge("guidepost_peers", "Other servers of the deployment, by how they answer.");
        for (Peer.Health health : Peer.Health.values()) {
            out.sample(
                    peers.stream().filter(each -> each.health() == health).count(),
                    "health",
                    Exposition.name(health));
        }
        out.gauge("guidepost_peer_up", "1 if a server answers; for the others, how many do.");
        samples(out, peers, each -> each.health() == Peer.Health.UP ? 1 : 0, false);
        out.gauge("guidepost_peer_round_trip_seconds", "Smoothed round-trip time of a server; for the others, the longest.");
        samples(out, peers, each -> each.rttNanos() / NANOS_PER_SECOND, true);
        out.gauge("guidepost_peer_slow_seconds", "What 95 of 100 answers of a server take at most.");
        samples(out, peers, each -> each.slowNanos() / NANOS_PER_SECOND, true);
    }

    /** Writes how far catching up is; zeros where there are no peers. */
    static void write(Exposition out, Optional<SyncProgress> progress, long hintBytes) {
        out.gauge("guidepost_peer_hint_bytes", "Memory of changes that wait for servers that did not confirm them.")
                .sample(hintBytes);
        out.gauge("guidepost_peer_hints", "Those changes, of all servers.")
                .sample(sum(progress, SyncProgress.PeerProgress::hintsWaiting));
        out.gauge("guidepost_peer_ranges_differing", "Ranges of GUIDs in which another server has something else, of all.")
                .sample(sum(progress, SyncProgress.PeerProgress::rangesDiffering));
        out.gauge("guidepost_peer_records_to_hand_over", "Records that other servers keep now and have not taken over.")
                .sample(progress.map(SyncProgress::toHandOver).orElse(0L));
        out.gauge("guidepost_peer_catching_up", "1 while this server may miss something that others have.")
                .sample(progress.map(SyncProgress::catchingUp).orElse(false) ? 1 : 0);
    }

    /** Writes how much the port of anti-entropy received and sent; zeros where there is none. */
    static void write(Exposition out, Optional<Port> port) {
        out.counter("guidepost_peer_anti_entropy_bytes", "Bytes of datagrams that the port of anti-entropy received and sent.")
                .sample(port.map(each -> each.rx(0).statistics().bytes()).orElse(0L), "direction", "in")
                .sample(port.map(each -> each.tx(0).statistics().bytes()).orElse(0L), "direction", "out");
    }

    private static long sum(Optional<SyncProgress> progress, ToLongFunction<SyncProgress.PeerProgress> number) {
        return progress.stream().flatMap(each -> each.servers().stream()).mapToLong(number).sum();
    }

    /** A sample for each of the first servers, and one for the sum, or the largest, of all others. */
    static void samples(Exposition out, List<Peer> peers, ToDoubleFunction<Peer> value, boolean largest) {
        peers.stream()
                .limit(PEERS_MAX)
                .forEach(each -> out.sample(value.applyAsDouble(each), "peer", each.descriptor().name()));
        if (peers.size() > PEERS_MAX) {
            List<Peer> rest = peers.subList(PEERS_MAX, peers.size());
            double number = largest
                    ? rest.stream().mapToDouble(value).max().orElse(0)
                    : rest.stream().mapToDouble(value).sum();
            out.sample(number, "peer", REST);
        }
    }
}
