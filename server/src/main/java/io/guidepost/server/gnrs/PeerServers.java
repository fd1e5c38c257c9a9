package io.guidepost.server.gnrs;

import io.guidepost.base.AddressText;
import io.guidepost.base.Counters;
import io.guidepost.gnrs.GnrsSettings;
import io.guidepost.gnrs.PeerGateway;
import io.guidepost.gnrs.peer.Peer;
import io.guidepost.gnrs.peer.PeerBounds;
import io.guidepost.gnrs.peer.PeerCount;
import io.guidepost.gnrs.peer.PeerTable;
import io.guidepost.gnrs.placement.LivePlacement;
import io.guidepost.gnrs.relay.Relay;
import io.guidepost.gnrs.relay.RelayGroup;
import io.guidepost.gnrs.replica.Deployment;
import io.guidepost.gnrs.replica.SyncProgress;
import io.guidepost.names.Guid;
import io.guidepost.server.config.Configuration;
import io.guidepost.server.config.ConfigurationException;
import io.guidepost.server.metrics.Exposition;
import io.guidepost.server.service.HealthCondition;
import io.guidepost.store.HybridClock;
import io.guidepost.store.RecordStore;
import io.guidepost.web.JsonWriter;
import java.io.IOException;
import java.lang.System.Logger;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * This server among the others of its deployment: who they are, and the relays by which its workers ask them. A server
 * that is alone has all of this too, idle, until a reload names others.
 *
 * <p>Other servers know this one by one address, and take questions from there alone. So each worker has one relay,
 * whose datagrams leave by the port of that address ({@link #home}); doors at other ports share it.
 */
final class PeerServers implements AutoCloseable {
    private static final Logger LOG = System.getLogger(PeerServers.class.getName());

    /** How long after the last message without this server's seal that counts as a condition: servers ask each other every few seconds. */
    private static final long SEAL_NANOS = TimeUnit.SECONDS.toNanos(60);

    /** Servers with a condition of their own, of each kind. */
    private static final int CONDITIONS_MAX = 10;

    private final Configuration configuration;
    private final PeerTable peers;
    private final LivePlacement placement;
    private final RecordStore store;
    private final Deployment deployment;
    private final RelayGroup workers;
    private final InetSocketAddress home;
    private final OwnershipEstimate shares = new OwnershipEstimate();
    private final DeferredObserver observer;
    private final Map<Integer, Relay> relays = new ConcurrentSkipListMap<>();
    private Set<InetSocketAddress> own;
    private volatile @Nullable AntiEntropyThread catchUp;

    /** This server first, then by name. */
    private volatile List<Peer> sorted = List.of();

    private long sealDrops;
    private long sealDropNanos;

    /**
     * Prepares what the first tables need; nothing is asked of anyone yet.
     *
     * @param door supplies the operator's settings of the door in force
     * @param observer tells of the changes of the store
     * @param placement the placement of {@code first}, in force
     * @param ports from which others may be asked
     * @param workers how many there are
     */
    PeerServers(
            Configuration configuration,
            Supplier<GnrsSettings> door,
            RecordStore store,
            DeferredObserver observer,
            LivePlacement placement,
            PlacementFiles.Read first,
            List<InetSocketAddress> ports,
            int workers)
            throws ConfigurationException {
        this.configuration = configuration;
        this.placement = placement;
        this.observer = observer;
        this.store = store;
        own = first.own();
        peers = new PeerTable(first.own(), first.kind());
        home = home(door.get(), first, ports);
        HybridClock clock = new HybridClock();
        clock.seen(HybridClock.of(System.currentTimeMillis()));
        deployment = new Deployment(
                PeerConfiguration.of(configuration),
                PeerBounds.defaults(),
                door,
                peers,
                placement,
                store,
                clock,
                workers,
                System::nanoTime,
                BufferedSecureRandom::new);
        this.workers = new RelayGroup(deployment);
        know(first);
    }

    /** The address that other servers know: the advertised one, or what the bindings name, or the first. */
    private static InetSocketAddress home(
            GnrsSettings door, PlacementFiles.Read first, List<InetSocketAddress> ports) {
        Set<InetSocketAddress> bound = first.bound();
        return ports.stream()
                .filter(each -> door.advertised().filter(each::equals).isPresent())
                .findFirst()
                .or(() -> ports.stream().filter(bound::contains).findFirst())
                .or(() -> ports.stream().filter(each -> each.getAddress().isAnyLocalAddress()).findFirst())
                .orElse(ports.getFirst());
    }

    /**
     * The relay of a worker, which its doors at all ports share.
     *
     * @param engine runs what may wait for the disk
     */
    PeerGateway relay(int worker, Runnable wake, Executor engine) {
        return relays.computeIfAbsent(worker, each -> workers.open(wake, engine));
    }

    /** Whether what a relay sends to other servers leaves by this port. */
    boolean isHome(InetSocketAddress port) {
        return port.equals(home);
    }

    /**
     * Starts what brings copies into line, if tables are the first that name other servers. It does nothing until these are
     * in force.
     *
     * @throws IOException if it cannot have its port
     */
    synchronized Optional<AntiEntropyThread> stage(PlacementFiles.Read read) throws IOException {
        return catchUp == null && read.others()
                ? Optional.of(AntiEntropyThread.start(configuration, deployment, home.getAddress()))
                : Optional.empty();
    }

    /** Has what was started bring copies into line, and be told of changes. */
    synchronized void follow(AntiEntropyThread started) {
        observer.set(deployment.observer());
        catchUp = started;
    }

    /** Returns whether there are servers beside this one. */
    boolean others() {
        return peers.others();
    }

    /** Puts tables in force. Those that place as the ones before are not taken for new: nothing would move. */
    synchronized void load(PlacementFiles.Read read, Optional<AntiEntropyThread> started) {
        know(read);
        boolean same = read.placement().fingerprint() == placement.get().fingerprint() && read.own().equals(own);
        if (!same) {
            own = read.own();
            placement.publish(read.placement());
        }
        started.ifPresent(this::follow);
        if (catchUp == null) {
            placement.settle(placement.get());
        }
    }

    private void know(PlacementFiles.Read read) {
        Set<InetSocketAddress> servers = read.placement().servers();
        peers.update(read.sites(), servers, read.kind());
        sorted = peers.all().stream()
                .sorted(Comparator.comparing((Peer each) -> !each.own()).thenComparing(each -> each.descriptor().name()))
                .toList();
        Set<InetSocketAddress> bound = read.bound();
        if (!servers.isEmpty() && bound.isEmpty()) {
            LOG.log(
                    Logger.Level.WARNING,
                    "the AS bindings name {0} servers, and none of them is this one ({1}): it keeps no records and only"
                            + " asks the others. If it should keep some, set gnrs.advertise to the address that the"
                            + " bindings have for it",
                    servers.size(),
                    AddressText.of(home));
        } else if (!bound.isEmpty() && !bound.contains(home) && read.others() && !home.getAddress().isAnyLocalAddress()) {
            LOG.log(
                    Logger.Level.WARNING,
                    "the AS bindings know this server as {0}, but what it asks others leaves from {1}, where they will"
                            + " not take it from: name the first in gnrs.listen or gnrs.advertise",
                    AddressText.of(bound.iterator().next()),
                    AddressText.of(home));
        }
    }

    Map<String, Object> where(Guid guid) {
        return PlacementTrace.json(
                placement.get(), guid, each -> peers.of(each).descriptor().name());
    }

    /** Returns a page of the servers of the deployment. */
    Map<String, Object> json(SitesPage page) {
        Optional<SyncProgress> progress = progress();
        Map<String, Object> json = JsonWriter.object(
                "alone", progress.isEmpty(),
                "catchingUp", progress.map(SyncProgress::catchingUp).orElse(false),
                "counted", progress.map(SyncProgress::counted).orElse(true),
                "moving", progress.map(SyncProgress::moving).orElse(false),
                "handOver", progress.map(SyncProgress::toHandOver).orElse(0L),
                "records", store.status().records(),
                "hintBytes", deployment.hintBytes(),
                "tables", Long.toHexString(placement.get().fingerprint()));
        progress.filter(all -> all.sweepPercent() >= 0).ifPresent(all -> json.put("sweepPercent", all.sweepPercent()));
        page.write(json, sorted, shares.of(placement.get()), progress);
        return json;
    }

    /** Returns what is wrong between this server and the others. */
    synchronized List<HealthCondition> conditions() {
        List<HealthCondition> all = new ArrayList<>();
        long drops = counts(catchUp).values().stream().mapToLong(each -> each.get(PeerCount.DROPS_SEAL)).sum();
        if (drops > sealDrops) {
            sealDrops = drops;
            sealDropNanos = System.nanoTime();
        }
        if (drops > 0 && System.nanoTime() - sealDropNanos < SEAL_NANOS) {
            all.add(new HealthCondition(
                    "peer-seal",
                    drops + " messages of other servers had no seal by this server's key: give all servers the same sites.key-file",
                    true));
        }
        List<String> down = sorted.stream()
                .filter(each -> !each.own() && each.health() == Peer.Health.DOWN)
                .map(Peer::toString)
                .toList();
        add(all, "peer-down", down, " does not answer", " more do not answer");
        progress().ifPresent(line -> {
            List<String> others = line.servers().stream()
                    .filter(SyncProgress.PeerProgress::otherTables)
                    .map(SyncProgress.PeerProgress::name)
                    .toList();
            add(
                    all,
                    "peer-tables",
                    others,
                    " has other tables of prefixes, bindings or replicas: copies cannot be compared",
                    " more have other tables of prefixes, bindings or replicas");
            if (line.catchingUp()) {
                all.add(new HealthCondition("catching-up", "this server may miss writes that its peers have, and asks them", true));
            }
        });
        return all;
    }

    /** Adds a condition for each of some servers, and one for all the rest: thousands would hide everything else. */
    private static void add(List<HealthCondition> all, String name, List<String> servers, String does, String moreDo) {
        servers.stream().limit(CONDITIONS_MAX).forEach(each -> all.add(new HealthCondition(name, each + does, true)));
        if (servers.size() > CONDITIONS_MAX) {
            all.add(new HealthCondition(name, servers.size() - CONDITIONS_MAX + moreDo, true));
        }
    }

    /** Returns where other servers reach the catching up, if there is one. */
    Optional<InetSocketAddress> catchUpAddress() {
        AntiEntropyThread running = catchUp;
        return running == null ? Optional.empty() : Optional.of(running.port().localAddress());
    }

    private Optional<SyncProgress> progress() {
        AntiEntropyThread running = catchUp;
        return running == null ? Optional.empty() : Optional.of(running.catchUp().progress());
    }

    void write(Exposition out) {
        List<Peer> others = sorted.stream().filter(each -> !each.own()).toList();
        AntiEntropyThread running = catchUp;
        PeerMetrics.write(out, counts(running), others);
        PeerMetrics.write(out, Optional.ofNullable(running).map(AntiEntropyThread::port));
        PeerMetrics.write(out, progress(), deployment.hintBytes());
    }

    /** The counters by who counts: the workers, and the catching up. */
    private Map<String, Counters<PeerCount>> counts(@Nullable AntiEntropyThread running) {
        Map<String, Counters<PeerCount>> counts = new LinkedHashMap<>();
        relays.forEach((worker, relay) -> counts.put(worker.toString(), relay.counts()));
        if (running != null) {
            counts.put("sites", running.catchUp().counts());
        }
        return counts;
    }

    @Override
    public void close() {
        AntiEntropyThread running = catchUp;
        if (running != null) {
            running.close();
        }
    }
}
