package io.guidepost.server.gnrs;

import io.guidepost.base.AddressText;
import io.guidepost.base.Malformed;
import io.guidepost.gnrs.peer.Peer;
import io.guidepost.gnrs.replica.SyncProgress;
import io.guidepost.server.config.ValueKind;
import io.guidepost.web.JsonWriter;
import io.guidepost.web.RequestParameters;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * The page {@code GET /sites?limit=&after=&health=}: what is counted of all servers of the deployment, and rows of some of them.
 *
 * @param limit rows at most, 1 to 10000
 * @param after the name behind which rows begin; empty for the first, which is this server
 * @param health of the servers that have rows; empty for any
 */
record SitesPage(int limit, String after, Optional<Peer.Health> health) {
    /** More would be megabytes of JSON; other rows are those behind {@code next}. */
    private static final int LIMIT_MAX = 10_000;

    private static final int LIMIT_USUAL = 100;

    /** Servers that do not answer whose names stand on every page. */
    private static final int NAMED_MAX = 10;

    private static final int PARAMETERS_MAX = 8;

    /**
     * Parses the query of a request.
     *
     * @throws Malformed if a parameter is none of these, or out of its range
     */
    static SitesPage of(String query) throws Malformed {
        RequestParameters asked = RequestParameters.of(query, PARAMETERS_MAX);
        String wanted = asked.first("health", "");
        Optional<Peer.Health> health = Arrays.stream(Peer.Health.values())
                .filter(each -> ValueKind.dashed(each).equals(wanted))
                .findFirst();
        if (!wanted.isEmpty() && health.isEmpty()) {
            String known = Arrays.stream(Peer.Health.values()).map(ValueKind::dashed).collect(Collectors.joining(", "));
            throw new Malformed("health is one of " + known + ", not '" + wanted + "'", 0);
        }
        return new SitesPage((int) asked.integer("limit", 1, LIMIT_MAX, LIMIT_USUAL), asked.first("after", ""), health);
    }

    /**
     * Adds what it shows to a page.
     *
     * @param peers this server first, then by name
     * @param kept the share of all GUIDs that servers keep
     */
    void write(Map<String, Object> page, List<Peer> peers, Map<InetSocketAddress, Double> kept, Optional<SyncProgress> progress) {
        Map<InetSocketAddress, SyncProgress.PeerProgress> lines = new HashMap<>();
        long hints = 0;
        long otherTables = 0;
        for (SyncProgress.PeerProgress each : progress.map(SyncProgress::servers).orElse(List.of())) {
            lines.put(each.address(), each);
            hints += each.hintsWaiting();
            otherTables += each.otherTables() ? 1 : 0;
        }
        Map<Peer.Health, Integer> counts = new EnumMap<>(Peer.Health.class);
        // All others come behind this server, whatever its name is.
        boolean behindOwn = peers.stream().anyMatch(each -> each.own() && each.descriptor().name().equals(after));
        List<String> silent = new ArrayList<>();
        List<Object> rows = new ArrayList<>();
        String next = "";
        String last = "";
        for (Peer each : peers) {
            String name = each.descriptor().name();
            if (!each.own()) {
                Peer.Health how = each.health();
                counts.merge(how, 1, Integer::sum);
                if (how == Peer.Health.DOWN && silent.size() < NAMED_MAX) {
                    silent.add(name);
                }
            }
            if (!isShown(each, behindOwn)) {
                continue;
            }
            if (rows.size() < limit) {
                InetSocketAddress address = each.descriptor().address();
                rows.add(row(each, kept.getOrDefault(address, 0.0), Optional.ofNullable(lines.get(address))));
                last = name;
            } else {
                next = last;
            }
        }
        Map<String, Object> numbers = JsonWriter.object("all", peers.size());
        for (Peer.Health each : Peer.Health.values()) {
            numbers.put(ValueKind.dashed(each), counts.getOrDefault(each, 0));
        }
        numbers.put("otherTables", otherTables);
        page.put("counts", numbers);
        page.put("hints", hints);
        page.put("silent", silent);
        page.put("next", next);
        page.put("servers", rows);
    }

    private boolean isShown(Peer peer, boolean behindOwn) {
        boolean follows = after.isEmpty() || peer.descriptor().name().compareTo(after) > 0;
        if (peer.own()) {
            return health.isEmpty() && (after.isEmpty() || behindOwn && follows);
        }
        return (health.isEmpty() || health.get() == peer.health()) && (behindOwn || follows);
    }

    private static Map<String, Object> row(Peer peer, double share, Optional<SyncProgress.PeerProgress> line) {
        Map<String, Object> row = JsonWriter.object(
                "name", peer.descriptor().name(),
                "address", AddressText.of(peer.descriptor().address()),
                "kind", ValueKind.dashed(peer.descriptor().kind()),
                "own", peer.own(),
                "sharePercent", Math.round(1000 * share) / 10.0,
                "health", peer.own() ? "here" : ValueKind.dashed(peer.health()),
                "roundTripMicros", peer.rttNanos() / 1000,
                "slowMicros", peer.slowNanos() / 1000);
        if (!peer.own() && peer.rttNanos() > 0) {
            row.put("answeredMillisAgo", (System.nanoTime() - peer.answeredAtNanos()) / 1_000_000);
        }
        line.ifPresent(each -> progress(row, each));
        return row;
    }

    private static void progress(Map<String, Object> row, SyncProgress.PeerProgress line) {
        row.put("hints", line.hintsWaiting());
        row.put("rangesDiffering", line.rangesDiffering());
        row.put("recordsShared", line.recordsShared());
        row.put("recordsPushed", line.recordsPushed());
        row.put("recordsPulled", line.recordsPulled());
        row.put("catchingUp", line.catchingUp());
        row.put("skewMillis", line.skewMillis());
        row.put("tables", line.comparedMillisAgo() < 0 && !line.otherTables() ? "" : line.otherTables() ? "other" : "same");
        if (line.comparedMillisAgo() >= 0) {
            row.put("comparedMillisAgo", line.comparedMillisAgo());
        }
    }
}
