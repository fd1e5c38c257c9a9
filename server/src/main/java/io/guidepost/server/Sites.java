package io.guidepost.server;

import io.guidepost.base.Counters;
import io.guidepost.gnrs.GnrsSettings;
import io.guidepost.gnrs.LivePlacement;
import io.guidepost.gnrs.Relays;
import io.guidepost.gnrs.site.CatchUpProgress;
import io.guidepost.gnrs.site.Deployment;
import io.guidepost.gnrs.site.Peer;
import io.guidepost.gnrs.site.Peers;
import io.guidepost.gnrs.site.Relay;
import io.guidepost.gnrs.site.SiteCount;
import io.guidepost.names.Guid;
import io.guidepost.store.HybridClock;
import io.guidepost.store.RecordStore;
import java.io.IOException;
import java.lang.System.Logger;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * This server among the others of its deployment: who they are, and the relays by which its workers ask them. A server
 * that is alone has all of this too, idle, until a reload names others.
 *
 * <p>Other servers know this one by one address, and take questions from there alone. So each worker has one relay,
 * whose datagrams leave by the port of that address ({@link #home}); doors at other ports share it.
 */
final class Sites implements AutoCloseable {
    private static final Logger LOG = System.getLogger(Sites.class.getName());

    private final Configuration configuration;
    private final Peers peers;
    private final LivePlacement placement;
    private final RecordStore store;
    private final Deployment deployment;
    private final InetSocketAddress home;
    private final Shares shares = new Shares();
    private final LateObserver observer;
    private final Map<Integer, Relay> relays = new ConcurrentSkipListMap<>();
    private Set<InetSocketAddress> own;
    private volatile @Nullable CatchUpThread catchUp;

    /**
     * Prepares what the first tables need; nothing is asked of anyone yet.
     *
     * @param door what the operator said of the door
     * @param observer tells of the changes of the store
     * @param placement the placement of {@code first}, in force
     */
    Sites(
            Configuration configuration,
            GnrsSettings door,
            RecordStore store,
            LateObserver observer,
            LivePlacement placement,
            Placements.Read first,
            Workers workers)
            throws ConfigurationException {
        this.configuration = configuration;
        this.placement = placement;
        this.observer = observer;
        this.store = store;
        own = first.own();
        peers = new Peers(first.own(), first.kind());
        home = home(door, first, workers);
        HybridClock clock = new HybridClock();
        clock.seen(HybridClock.of(System.currentTimeMillis()));
        deployment = new Deployment(
                SiteOptions.of(configuration),
                door,
                peers,
                placement,
                store,
                clock,
                workers.number(),
                System::nanoTime,
                SecureNumbers::new);
        know(first);
    }

    /** The address that other servers know: the advertised one, or what the bindings name, or the first. */
    private static InetSocketAddress home(GnrsSettings door, Placements.Read first, Workers workers) {
        Collection<InetSocketAddress> ports = workers.homes();
        Set<InetSocketAddress> bound = first.bound();
        return ports.stream()
                .filter(each -> door.advertised().filter(each::equals).isPresent())
                .findFirst()
                .or(() -> ports.stream().filter(bound::contains).findFirst())
                .or(() -> ports.stream().filter(each -> each.getAddress().isAnyLocalAddress()).findFirst())
                .orElse(workers.homes().getFirst());
    }

    /**
     * The relays of a worker's door at a port.
     *
     * @param engine runs what may wait for the disk
     */
    Relays relays(int worker, InetSocketAddress port, Runnable wake, Executor engine) {
        Relay relay = relays.computeIfAbsent(worker, each -> deployment.relay(wake, engine));
        return port.equals(home) ? relay : new SharedRelays(relay);
    }

    /** Starts to bring copies into line, if there are other servers; else it is for a reload to do so. */
    synchronized void start() throws IOException {
        if (catchUp == null && peers.all().stream().anyMatch(each -> !each.own())) {
            observer.set(deployment.observer());
            catchUp = CatchUpThread.start(configuration, deployment, home.getAddress());
        }
    }

    /** Puts tables in force. Those that place as the ones before are not taken for new: nothing would move. */
    synchronized void load(Placements.Read read) throws IOException {
        know(read);
        boolean same = read.placement().fingerprint() == placement.get().fingerprint() && read.own().equals(own);
        if (!same) {
            own = read.own();
            placement.publish(read.placement());
        }
        start();
        if (catchUp == null) {
            placement.settle(placement.get());
        }
    }

    private void know(Placements.Read read) {
        Set<InetSocketAddress> servers = read.placement().servers();
        peers.know(read.sites(), servers, read.kind());
        Set<InetSocketAddress> bound = read.bound();
        if (!servers.isEmpty() && bound.isEmpty()) {
            LOG.log(
                    Logger.Level.WARNING,
                    "the AS bindings name {0} servers, and none of them is this one ({1}): it keeps no records and only"
                            + " asks the others. If it should keep some, set gnrs.advertise to the address that the"
                            + " bindings have for it",
                    servers.size(),
                    Server.text(home));
        } else if (read.others() && !bound.contains(home) && !home.getAddress().isAnyLocalAddress()) {
            LOG.log(
                    Logger.Level.WARNING,
                    "the AS bindings know this server as {0}, but what it asks others leaves from {1}, where they will"
                            + " not take it from: name the first in gnrs.listen or gnrs.advertise",
                    Server.text(bound.iterator().next()),
                    Server.text(home));
        }
    }

    /** The servers of the deployment, this one among them. */
    Peers peers() {
        return peers;
    }

    /** Where a GUID is placed, and why. */
    Map<String, Object> where(Guid guid) {
        return Whereabouts.json(
                placement.get(), guid, each -> peers.of(each).site().name());
    }

    /** What is known of every server. */
    Map<String, Object> json() {
        Map<InetSocketAddress, Double> kept = shares.of(placement.get());
        Optional<CatchUpProgress> progress = progress();
        Map<InetSocketAddress, CatchUpProgress.Server> lines = new HashMap<>();
        progress.ifPresent(all -> all.servers().forEach(each -> lines.put(each.address(), each)));
        List<Object> rows = new ArrayList<>();
        for (Peer each : sorted()) {
            rows.add(row(each, kept.getOrDefault(each.site().address(), 0.0), lines.get(each.site().address())));
        }
        Map<String, Object> json = Json.object(
                "alone", progress.isEmpty(),
                "catchingUp", progress.map(CatchUpProgress::catchingUp).orElse(false),
                "counted", progress.map(CatchUpProgress::counted).orElse(true),
                "moving", progress.map(CatchUpProgress::moving).orElse(false),
                "handOver", progress.map(CatchUpProgress::toHandOver).orElse(0L),
                "records", store.status().records(),
                "hintBytes", deployment.hintBytes(),
                "tables", Long.toHexString(placement.get().fingerprint()));
        progress.filter(all -> all.sweepPercent() >= 0).ifPresent(all -> json.put("sweepPercent", all.sweepPercent()));
        json.put("servers", rows);
        return json;
    }

    private static Map<String, Object> row(Peer peer, double share, CatchUpProgress.@Nullable Server line) {
        Map<String, Object> row = Json.object(
                "name", peer.site().name(),
                "address", Server.text(peer.site().address()),
                "kind", Kind.dashed(peer.site().kind()),
                "own", peer.own(),
                "sharePercent", Math.round(1000 * share) / 10.0,
                "health", peer.own() ? "here" : Kind.dashed(peer.health()),
                "roundTripMicros", peer.rttNanos() / 1000,
                "slowMicros", peer.slowNanos() / 1000);
        if (line != null) {
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
        return row;
    }

    private Optional<CatchUpProgress> progress() {
        CatchUpThread running = catchUp;
        return running == null ? Optional.empty() : Optional.of(running.catchUp().progress());
    }

    void write(Exposition out) {
        List<Peer> others = sorted().stream().filter(each -> !each.own()).toList();
        CatchUpThread running = catchUp;
        SiteMetrics.write(out, counts(running), others);
        SiteMetrics.write(out, progress(), deployment.hintBytes());
    }

    /** The counters by who counts: the workers, and the catching up. */
    private Map<String, Counters<SiteCount>> counts(@Nullable CatchUpThread running) {
        Map<String, Counters<SiteCount>> counts = new LinkedHashMap<>();
        relays.forEach((worker, relay) -> counts.put(worker.toString(), relay.counts()));
        if (running != null) {
            counts.put("sites", running.catchUp().counts());
        }
        return counts;
    }

    /** This server first, then by name. */
    private List<Peer> sorted() {
        return peers.all().stream()
                .sorted(Comparator.comparing((Peer each) -> !each.own()).thenComparing(each -> each.site().name()))
                .toList();
    }

    @Override
    public void close() {
        CatchUpThread running = catchUp;
        if (running != null) {
            running.close();
        }
    }
}
