package io.guidepost.server.gnrs;

import io.guidepost.base.Histogram;
import io.guidepost.base.Malformed;
import io.guidepost.base.Prefix;
import io.guidepost.gnrs.GnrsCount;
import io.guidepost.gnrs.GnrsDoor;
import io.guidepost.gnrs.GnrsSettings;
import io.guidepost.gnrs.placement.LivePlacement;
import io.guidepost.gnrs.placement.Placer;
import io.guidepost.gnrs.wire.GnrsParseResult;
import io.guidepost.names.Guid;
import io.guidepost.packet.admission.Admission;
import io.guidepost.packet.handover.InheritedSockets;
import io.guidepost.packet.linux.SystemCall;
import io.guidepost.proximity.ranking.Ranking;
import io.guidepost.server.admin.AdminPort;
import io.guidepost.server.config.Configuration;
import io.guidepost.server.config.ConfigurationException;
import io.guidepost.server.config.ConfigurationKeys;
import io.guidepost.server.config.FileCheck;
import io.guidepost.server.config.KernelCacheOptions;
import io.guidepost.server.config.StoreConfiguration;
import io.guidepost.server.metrics.CounterFamilies;
import io.guidepost.server.metrics.Exposition;
import io.guidepost.server.metrics.WorkerDoors;
import io.guidepost.server.service.Endpoint;
import io.guidepost.server.service.HealthCondition;
import io.guidepost.server.service.ServerContext;
import io.guidepost.server.service.Service;
import io.guidepost.server.service.Staged;
import io.guidepost.server.service.UdpQueue;
import io.guidepost.server.service.UdpService;
import io.guidepost.store.RecordStore;
import io.guidepost.store.StoreOptions;
import io.guidepost.web.HttpResponse;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The GNRS service: a door on each queue, the placement, and this server among the others of its deployment. */
public final class GnrsService implements Service {
    public static final String NAME = "gnrs";

    /** Threads that look-ups wait on the disk with: what a disk does at once, and more would only wait for each other. */
    private static final int ENGINE_THREADS = 4;

    private static final long CLOSE_SECONDS_MAX = 2;

    private static final CounterFamilies<GnrsCount> COUNTERS = new CounterFamilies<>(GnrsCount.class, "guidepost_gnrs_")
            .family("requests", "Messages received, by type. Each ends as a response or a drop.", "type")
            .family("responses", "Responses to clients, by type of the request and code.", "type", "code")
            .family("drops", "Messages dropped without a response, by reason.", "reason")
            .family("bytes", "Bytes of datagrams, by direction.", "direction")
            .family("concatenated_messages", "Messages that followed another one in the same datagram.")
            .family("lookups", "Look-ups answered, by result.", "result")
            .family("lookup_waits", "Look-ups that waited, by what for.", "for")
            .family("cache_hits", "Look-ups answered from the cache of other servers' answers.")
            .family("partial_responses", "Responses that omit bindings or their times.")
            .family("ordered_responses", "Responses whose places were put in order, nearest first.")
            .family("truncated_responses", "Responses truncated by the amplification bound.")
            .family("alias_chains", "Look-ups for which links were followed.")
            .family("alias_chains_cut", "Look-ups whose links were not followed to their end, by reason.", "reason")
            .family("writes", "Writes answered, by outcome.", "outcome");

    /** What there is once the store is open. */
    private record Running(RecordStore store, LivePlacement placement, PeerServers sites) {}

    private final ServerContext context;
    private final UdpService udp;
    private final DeferredObserver observer = new DeferredObserver();
    private final Optional<Supplier<Ranking>> ordering;
    private final ExecutorService engine;
    private final WorkerDoors<GnrsDoor> doors = new WorkerDoors<>();
    private final Optional<KernelCache> cache;

    /** Why there is no cache in the kernel though it is wanted; empty if that is not so. */
    private String cacheTrouble = "";

    private @Nullable Running running;
    private volatile GnrsSettings settings;
    private volatile Map<String, Object> summary = Map.of();

    public GnrsService(ServerContext context) {
        Configuration configuration = context.configuration();
        this.context = context;
        this.settings = settings(configuration);
        this.engine = StoreConfiguration.waiting(configuration, ENGINE_THREADS, "guidepost-engine-");
        this.ordering = context.ordering();
        this.udp = new UdpService(
                NAME,
                "GNRS over UDP",
                configuration.get(ConfigurationKeys.GNRS_LISTEN),
                configuration.get(ConfigurationKeys.GNRS_PORT).intValue(),
                Admission.FAIR_QUEUE,
                this::door);
        this.cache = cache(configuration);
    }

    private Optional<KernelCache> cache(Configuration configuration) {
        String wanted = configuration.get(ConfigurationKeys.GNRS_KERNEL_CACHE);
        if (!wanted.isEmpty() && StoreConfiguration.isShared(configuration)) {
            cacheTrouble = "other servers of the fleet change records too, and cannot clear what this kernel has of them";
        } else if (!wanted.isEmpty()) {
            try {
                KernelCacheOptions options = KernelCacheOptions.of(wanted);
                return Optional.of(new KernelCache(options, ordering.isPresent(), new SecureRandom().nextLong()));
            } catch (IOException | Malformed e) {
                cacheTrouble = String.valueOf(e.getMessage());
            }
        }
        return Optional.empty();
    }

    /** Before the first write: what another process has left in the kernel, even one that was killed, answers no more. */
    @Override
    public void takeAlone() {
        int inherited = InheritedSockets.take(InheritedSockets.Kind.XDP, InheritedSockets.ANYWHERE);
        if (cache.isPresent()) {
            List<InetAddress> listen = context.configuration().get(ConfigurationKeys.GNRS_LISTEN);
            cache.get().start(new KernelCache.Sockets(listen, udp.number(), settings.advertised()), inherited, () -> settings);
        } else if (inherited >= 0) {
            SystemCall.close(inherited);
        }
    }

    @Override
    public OptionalInt programLink() {
        return cache.map(KernelCache::link).orElse(OptionalInt.empty());
    }

    public static GnrsSettings settings(Configuration configuration) {
        return settings(configuration, configuration.get(ConfigurationKeys.GNRS_ADVERTISE));
    }

    private static GnrsSettings settings(Configuration configuration, Optional<InetSocketAddress> advertised) {
        return new GnrsSettings(
                configuration.get(ConfigurationKeys.GNRS_BINDINGS_MAX).intValue(),
                configuration.get(ConfigurationKeys.GNRS_ANSWER_BYTES_MAX).intValue(),
                configuration.get(ConfigurationKeys.GNRS_AMPLIFICATION).intValue(),
                configuration.get(ConfigurationKeys.GNRS_TRUSTED),
                writers(configuration),
                configuration.get(ConfigurationKeys.GNRS_WRITER_NAMES_MAX),
                configuration.get(ConfigurationKeys.GNRS_WRITER_BYTES_MAX),
                configuration.get(ConfigurationKeys.GNRS_TTL_MILLIS),
                configuration.get(ConfigurationKeys.GNRS_EXPIRY_MILLIS),
                GnrsSettings.defaults().writesInFlightMax(),
                GnrsSettings.defaults().lookupsDeferredMax(),
                advertised);
    }

    /** Says who may write, in one line for people. */
    public static String writersText(Configuration configuration) {
        if (!configuration.get(ConfigurationKeys.GNRS_ENABLED)) {
            return "GNRS is not answered (" + ConfigurationKeys.GNRS_ENABLED.name() + ")";
        }
        List<Prefix> writers = writers(configuration);
        return "GNRS writes: " + (writers.isEmpty()
                ? "taken from no client (" + ConfigurationKeys.GNRS_READ_ONLY.name() + ")"
                : "taken from " + writers.stream().map(Prefix::toString).collect(Collectors.joining(", ")) + " ("
                        + ConfigurationKeys.GNRS_WRITERS.name() + ")");
    }

    /** Returns the sources that may write; none of a server that is read-only. */
    private static List<Prefix> writers(Configuration configuration) {
        return configuration.get(ConfigurationKeys.GNRS_READ_ONLY) ? List.of() : configuration.get(ConfigurationKeys.GNRS_WRITERS);
    }

    /** Reads its files, as {@link #prepare} does. */
    public static void check(FileCheck files) {
        files.read(ConfigurationKeys.PLACEMENT_PREFIXES, () -> PlacementFiles.read(files.configuration(), List.of()));
        files.read(ConfigurationKeys.SITES_KEY_FILE, () -> PeerConfiguration.of(files.configuration()));
    }

    @Override
    public List<UdpService> udp() {
        return List.of(udp);
    }

    @Override
    public List<Endpoint> endpoints() {
        List<Endpoint> all = new ArrayList<>(udp.endpoints());
        Running now = running;
        Optional.ofNullable(now).flatMap(each -> each.sites.catchUpAddress()).ifPresent(
                each -> all.add(Endpoint.of("sites", Endpoint.Transport.UDP, each, "copies of other sites")));
        return all;
    }

    @Override
    public StoreOptions store(StoreOptions options) {
        StoreOptions observed = options.withObserver(observer);
        return cache.map(observed::withObserver).orElse(observed);
    }

    @Override
    public void prepare(RecordStore store) throws ConfigurationException, IOException {
        Configuration configuration = context.configuration();
        PlacementFiles.Read first = PlacementFiles.read(configuration, udp.addresses());
        summary = first.summary();
        LivePlacement placement = new LivePlacement(first.placement());
        PeerServers sites = new PeerServers(
                configuration, () -> settings, store, observer, placement, first, udp.homes(), context.workers());
        running = new Running(store, placement, sites);
        sites.stage(first).ifPresent(sites::follow);
        cache.ifPresent(each -> each.alone(!sites.others()));
    }

    private Running running() {
        Running now = running;
        if (now == null) {
            throw new IllegalStateException("the store is not open yet");
        }
        return now;
    }

    /** Returns a new placement test, for one thread. */
    public Placer placer() {
        return running().placement.placer();
    }

    private GnrsDoor door(UdpQueue queue) {
        long secret = new SecureRandom().nextLong();
        Running now = running();
        GnrsDoor door = new GnrsDoor(
                () -> settings,
                now.placement.placer(),
                now.store,
                queue.wake(),
                engine,
                System::nanoTime,
                secret,
                now.sites.relay(queue.worker(), queue.wake(), engine));
        if (!now.sites.isHome(queue.address())) {
            door.leaveSendingToOthers();
        }
        ordering.ifPresent(door::nearestFirst);
        cache.ifPresent(door::fills);
        doors.add(queue.worker(), door);
        return door;
    }

    @Override
    public Staged stage(Configuration next) throws ConfigurationException, IOException {
        PlacementFiles.Read read = PlacementFiles.read(next, udp.addresses());
        GnrsSettings staged = settings(next, settings.advertised());
        PeerServers sites = running().sites;
        Optional<AntiEntropyThread> started = sites.stage(read);
        return new Staged() {
            @Override
            public void apply() {
                settings = staged;
                cache.ifPresent(each -> each.alone(false));
                sites.load(read, started);
                cache.ifPresent(each -> each.alone(!sites.others()));
                summary = read.summary();
            }

            @Override
            public void discard() {
                started.ifPresent(AntiEntropyThread::close);
            }
        };
    }

    @Override
    public List<HealthCondition> conditions() {
        List<HealthCondition> all = new ArrayList<>(running().sites.conditions());
        String trouble = cache.map(KernelCache::trouble).orElse(cacheTrouble);
        if (!trouble.isEmpty()) {
            all.add(new HealthCondition("kernel-cache", "no look-up is answered in the kernel: " + trouble, true));
        }
        return all;
    }

    @Override
    public Map<String, Object> summary() {
        return summary;
    }

    @Override
    public void pages(AdminPort port) {
        port.get("/sites", this::sites).get("/where", this::where);
    }

    private HttpResponse sites(String query) {
        try {
            return AdminPort.json(200, running().sites.json(SitesPage.of(query)));
        } catch (Malformed e) {
            return AdminPort.error(400, e.reason());
        }
    }

    private HttpResponse where(String query) {
        try {
            if (query.startsWith("guid=")) {
                return AdminPort.json(200, running().sites.where(Guid.parse(query.substring("guid=".length()))));
            }
        } catch (Malformed e) {
            return AdminPort.error(400, String.valueOf(e.getMessage()));
        }
        return AdminPort.error(400, "say which: /where?guid= and 40 hexadecimal digits");
    }

    /** The process that serves next puts a program of its own in the place of this one's. */
    @Override
    public void giveUp() {
        cache.ifPresent(KernelCache::close);
    }

    @Override
    public void stop() {
        cache.ifPresent(KernelCache::close);
    }

    /** Ends the synchronisation with other servers, and the look-ups that wait for the disk. */
    @Override
    public void close() {
        cache.ifPresent(KernelCache::close);
        if (running != null) {
            running.sites.close();
        }
        engine.shutdownNow();
        try {
            engine.awaitTermination(CLOSE_SECONDS_MAX, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void write(Exposition out) {
        doors.write(out, COUNTERS, GnrsDoor::counts);
        out.counter("guidepost_gnrs_malformed", "Malformed messages dropped, by their first fault.");
        doors.writeFaults(out, GnrsParseResult.OK, GnrsDoor::malformed);
        out.histogram("guidepost_gnrs_write_seconds", "Time of writes from the worker to the disk and back.");
        doors.forEach((worker, all) -> {
            long[] buckets = Histogram.doubling().counts();
            all.forEach(door -> Arrays.setAll(buckets, i -> buckets[i] + door.writeLatencies().count(i)));
            long nanos = all.stream().mapToLong(door -> door.writeLatencies().sum()).sum();
            out.doubling(buckets, 1e-9, nanos / 1e9, "worker", worker);
        });
        KernelCache.write(out, cache);
        running().sites.write(out);
    }
}
