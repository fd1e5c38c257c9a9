package io.guidepost.server.dns;

import io.guidepost.base.Malformed;
import io.guidepost.dns.DnsContext;
import io.guidepost.dns.DnsCount;
import io.guidepost.dns.DnsDoor;
import io.guidepost.dns.DnsSettings;
import io.guidepost.dns.DnsStreamResponder;
import io.guidepost.dns.EmptyNonTerminals;
import io.guidepost.dns.RemoteNames;
import io.guidepost.dns.transfer.TransferCount;
import io.guidepost.dns.transfer.ZoneJournal;
import io.guidepost.dns.transfer.ZoneTransfers;
import io.guidepost.dns.wire.DnsFault;
import io.guidepost.dns.wire.DnsName;
import io.guidepost.gnrs.placement.Placer;
import io.guidepost.names.Binding;
import io.guidepost.names.Guid;
import io.guidepost.packet.admission.Admission;
import io.guidepost.server.config.Configuration;
import io.guidepost.server.config.ConfigurationException;
import io.guidepost.server.config.ConfigurationKeys;
import io.guidepost.server.config.StoreConfiguration;
import io.guidepost.server.gnrs.GnrsSiteGateway;
import io.guidepost.server.http.HttpServer;
import io.guidepost.server.http.HttpServerSettings;
import io.guidepost.server.metrics.CounterFamilies;
import io.guidepost.server.metrics.Exposition;
import io.guidepost.server.metrics.WorkerDoors;
import io.guidepost.server.service.Endpoint;
import io.guidepost.server.service.ServerContext;
import io.guidepost.server.service.Service;
import io.guidepost.server.service.Staged;
import io.guidepost.server.service.UdpQueue;
import io.guidepost.server.service.UdpService;
import io.guidepost.store.RecordStore;
import io.guidepost.store.StoreOptions;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.foreign.MemorySegment;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Supplier;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/** The DNS service: the names of a zone, by a door on each queue. */
public final class DnsService implements Service {
    public static final String NAME = "dns";

    private static final Logger LOG = System.getLogger(DnsService.class.getName());

    /** The label of metrics for all connections, which have no worker. */
    private static final String TCP = "tcp";

    private static final Path HOST_NAME = Path.of("/proc/sys/kernel/hostname");

    /** Threads that look-ups wait on the disk with, as those of GNRS. */
    private static final int ENGINE_THREADS = 4;

    /** A small store is read before the first request; a large one goes on being read. */
    private static final long FIRST_READ_MILLIS = 1000;

    private static final CounterFamilies<DnsCount> COUNTERS = new CounterFamilies<>(DnsCount.class, "guidepost_dns_")
            .family("requests", "Messages received, by what carried them. Each ends as a response or a drop.", "transport")
            .family("responses", "Responses, by code.", "code")
            .family("drops", "Messages dropped without a response, by reason.", "reason")
            .family("bytes", "Bytes of messages, by direction.", "direction")
            .family("truncated_responses", "Responses with TC, which a client asks for again over TCP, by reason.", "reason")
            .family("ordered_responses", "Responses whose places were put in order, nearest first.")
            .family("client_subnets", "Requests with a client subnet, for which places are put in order.")
            .family("proven_requests", "Requests whose cookie proves the client's address.")
            .family("lookup_waits", "Look-ups that waited, or were not let wait.", "for");

    private static final CounterFamilies<TransferCount> TRANSFERS = new CounterFamilies<>(TransferCount.class, "guidepost_dns_")
            .family("transfers", "Transfers of the zone to secondaries, by what was sent, and why not.", "outcome")
            .family("notifies", "NOTIFY to secondaries.", "outcome");

    private final ServerContext context;
    private final List<InetAddress> listen;
    private final UdpService udp;
    private final DnsListeners connections;
    private final Supplier<Placer> placers;
    private final GnrsSiteGateway sites;
    private final ZoneJournal journal = new ZoneJournal();
    private final EmptyNonTerminals nonTerminals;
    private final SecureRandom random = new SecureRandom();
    private final WorkerDoors<DnsDoor> doors = new WorkerDoors<>();
    private final ExecutorService engine;
    private final ExecutorService network =
            Executors.newThreadPerTaskExecutor(Thread.ofVirtual().name("guidepost-dns-network-", 0).factory());
    private volatile DnsSettings settings;
    private @Nullable Running running;

    /** What there is once the store is open. */
    private record Running(DnsContext context, ZoneTransfers transfers, NotifySender notifies) {}

    /**
     * Takes the ports of connections.
     *
     * @param placers makes placement tests, one for each thread, once the store is open
     * @param gnrs where this server answers GNRS, through which it asks others
     * @throws IOException in one line, if one cannot be had
     */
    public DnsService(ServerContext context, Supplier<Placer> placers, Supplier<List<InetSocketAddress>> gnrs)
            throws ConfigurationException, IOException {
        Configuration configuration = context.configuration();
        this.context = context;
        this.placers = placers;
        this.sites = new GnrsSiteGateway(() -> true, gnrs);
        this.nonTerminals = new EmptyNonTerminals(random.nextLong());
        this.settings = settings(configuration);
        this.engine = StoreConfiguration.waiting(configuration, ENGINE_THREADS, "guidepost-dns-engine-");
        this.listen = configuration.get(ConfigurationKeys.DNS_LISTEN);
        int port = configuration.get(ConfigurationKeys.DNS_PORT).intValue();
        this.udp = new UdpService(NAME, "DNS over UDP", listen, port, Admission.FAIR_QUEUE, this::door);
        this.connections = DnsListeners.open(HttpServerSettings.of(configuration), listen, port);
    }

    private static DnsSettings settings(Configuration configuration) throws ConfigurationException {
        DnsName zone = configuration.get(ConfigurationKeys.DNS_ZONE).orElseThrow();
        List<DnsName> servers = configuration.get(ConfigurationKeys.DNS_NAME_SERVERS);
        try {
            return new DnsSettings(
                    zone,
                    servers.isEmpty() ? List.of(DnsName.parse("ns." + zone)) : servers,
                    configuration.get(ConfigurationKeys.DNS_TTL_SECONDS).intValue(),
                    configuration.get(ConfigurationKeys.DNS_TRANSFER),
                    configuration.get(ConfigurationKeys.DNS_NOTIFY),
                    hostName());
        } catch (Malformed | IllegalArgumentException e) {
            throw configuration.fault(ConfigurationKeys.DNS_ZONE, String.valueOf(e.getMessage()));
        }
    }

    /** Returns what this machine is called: which of several servers it is that answers. */
    private static String hostName() {
        try {
            return Files.readString(HOST_NAME, StandardCharsets.UTF_8).strip();
        } catch (IOException e) {
            return "guidepost";
        }
    }

    @Override
    public List<UdpService> udp() {
        return List.of(udp);
    }

    @Override
    public StoreOptions store(StoreOptions options) {
        return options.withObserver((_, key, before, after) -> {
            nonTerminals.changed(key, before, after);
            journal.changed(key, before, after);
        });
    }

    @Override
    public void prepare(RecordStore store) {
        journal.begin(store.status().sequence(), isTransferred(settings));
        DnsContext shared = new DnsContext(
                () -> settings,
                store,
                journal::serial,
                context.ordering().orElse(null),
                () -> remote(placers.get()),
                nonTerminals,
                engine,
                network,
                DnsContext.CookieSecret.of(random::nextLong));
        ZoneTransfers transfers = new ZoneTransfers(shared, journal);
        InetAddress from = listen.isEmpty() ? new InetSocketAddress(0).getAddress() : listen.getFirst();
        running = new Running(shared, transfers, new NotifySender(() -> settings, journal, from, random, transfers.counts()));
    }

    private RemoteNames remote(Placer placer) {
        return new RemoteNames() {
            @Override
            public boolean isHere(MemorySegment segment, long offset) {
                return placer.isHere(segment, offset);
            }

            @Override
            public List<Binding> find(Guid guid) throws IOException {
                return sites.find(guid);
            }
        };
    }

    /** Returns whether secondaries may ask for changes, which then are kept. */
    private static boolean isTransferred(DnsSettings settings) {
        return !settings.transfers().isEmpty();
    }

    @Override
    public List<HttpServer> listeners() {
        return List.of(connections.host());
    }

    @Override
    public void start() {
        Thread reader = Thread.ofPlatform().daemon(true).name("guidepost-dns-zone").start(this::readNonTerminals);
        try {
            reader.join(FIRST_READ_MILLIS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        connections.start(running().context, running().transfers);
        running().notifies.follow();
    }

    private void readNonTerminals() {
        if (StoreConfiguration.isShared(context.configuration())) {
            // What other servers write is not told here: each absent name may be above others.
            return;
        }
        try {
            nonTerminals.read(running().context.store());
        } catch (IOException | RuntimeException e) {
            LOG.log(Logger.Level.WARNING, "until the next start absent names are answered as if others stood below: {0}", e.getMessage());
        }
    }

    @Override
    public List<Endpoint> endpoints() {
        List<Endpoint> all = new ArrayList<>(Service.super.endpoints());
        connections.addresses().forEach(each -> all.add(Endpoint.of(NAME, Endpoint.Transport.TCP, each, "DNS over TCP")));
        return all;
    }

    private Running running() {
        Running now = running;
        if (now == null) {
            throw new IllegalStateException("the store is not open yet");
        }
        return now;
    }

    private DnsDoor door(UdpQueue queue) {
        DnsDoor door = new DnsDoor(running().context, queue.wake());
        doors.add(queue.worker(), door);
        return door;
    }

    @Override
    public Staged stage(Configuration next) throws ConfigurationException {
        DnsSettings staged = settings(next);
        HttpServerSettings timeouts = HttpServerSettings.of(next);
        return () -> {
            settings = staged;
            journal.keep(isTransferred(staged));
            running().notifies.follow();
            connections.host().follow(timeouts, null);
        };
    }

    @Override
    public void write(Exposition out) {
        Map<String, ToLongFunction<DnsCount>> counts = new LinkedHashMap<>();
        doors.forEach((worker, all) -> counts.put(worker, CounterFamilies.sum(all.stream().map(DnsDoor::counts).toList())));
        counts.put(TCP, CounterFamilies.sum(connections.responders().stream().map(DnsStreamResponder::counts).toList()));
        COUNTERS.write(out, "worker", counts);
        out.counter("guidepost_dns_malformed", "Requests that are malformed or not supported, by their first fault.");
        doors.writeFaults(out, DnsFault.OK, DnsDoor::faults);
        ToLongFunction<DnsFault> faults =
                CounterFamilies.sum(connections.responders().stream().map(DnsStreamResponder::faults).toList());
        for (DnsFault each : DnsFault.values()) {
            if (each != DnsFault.OK) {
                out.sample(faults.applyAsLong(each), "worker", TCP, "reason", Exposition.name(each));
            }
        }
        TRANSFERS.write(out, running().transfers.counts()::get);
        out.gauge("guidepost_dns_serial", "Serial of the zone.").sample(Integer.toUnsignedLong(journal.serial()));
        out.gauge("guidepost_dns_empty_non_terminals", "Domain names without a record that stand above some that have one.")
                .sample(nonTerminals.size());
        connections.host().write(out, "guidepost_dns_");
    }

    @Override
    public void close() {
        Running now = running;
        if (now != null) {
            now.notifies.close();
        }
        connections.close();
        engine.shutdownNow();
        network.shutdownNow();
        sites.close();
    }
}
