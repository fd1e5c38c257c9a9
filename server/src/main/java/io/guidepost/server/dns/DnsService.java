package io.guidepost.server.dns;

import io.guidepost.base.Malformed;
import io.guidepost.dns.DnsContext;
import io.guidepost.dns.DnsCount;
import io.guidepost.dns.DnsDoor;
import io.guidepost.dns.DnsFault;
import io.guidepost.dns.DnsName;
import io.guidepost.dns.DnsSettings;
import io.guidepost.dns.DnsStreamResponder;
import io.guidepost.dns.NameMapping;
import io.guidepost.dns.ZoneSerial;
import io.guidepost.gnrs.placement.Placer;
import io.guidepost.packet.admission.Admission;
import io.guidepost.server.config.Configuration;
import io.guidepost.server.config.ConfigurationException;
import io.guidepost.server.config.ConfigurationKeys;
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
import java.net.InetAddress;
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

    /** The label of metrics for all connections, which have no worker. */
    private static final String TCP = "tcp";

    private static final Path HOST_NAME = Path.of("/proc/sys/kernel/hostname");

    /** Threads that look-ups wait on the disk with, as those of GNRS. */
    private static final int ENGINE_THREADS = 4;

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

    private final ServerContext context;
    private final UdpService udp;
    private final DnsListeners connections;
    private final Supplier<Placer> placers;
    private final ZoneSerial serial = new ZoneSerial();
    private final WorkerDoors<DnsDoor> doors = new WorkerDoors<>();
    private final ExecutorService engine = Executors.newFixedThreadPool(
            ENGINE_THREADS, Thread.ofPlatform().daemon(true).name("guidepost-dns-engine-", 0).factory());
    private volatile DnsSettings settings;
    private @Nullable DnsContext shared;

    /**
     * Takes the ports of connections.
     *
     * @param placers makes placement tests, one for each thread, once the store is open
     * @throws IOException in one line, if one cannot be had
     */
    public DnsService(ServerContext context, Supplier<Placer> placers) throws ConfigurationException, IOException {
        Configuration configuration = context.configuration();
        this.context = context;
        this.placers = placers;
        this.settings = settings(configuration);
        List<InetAddress> listen = configuration.get(ConfigurationKeys.DNS_LISTEN);
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
        return options.withDerivation(serial);
    }

    @Override
    public void prepare(RecordStore store) {
        serial.begin(store.status().sequence());
        SecureRandom random = new SecureRandom();
        shared = new DnsContext(
                () -> settings,
                store,
                serial::get,
                NameMapping.WORDS,
                context.ordering().orElse(null),
                () -> placers.get()::isHere,
                engine,
                DnsContext.CookieSecret.of(random::nextLong));
    }

    @Override
    public List<HttpServer> listeners() {
        return List.of(connections.host());
    }

    @Override
    public void start() {
        connections.start(shared());
    }

    @Override
    public List<Endpoint> endpoints() {
        List<Endpoint> all = new ArrayList<>(Service.super.endpoints());
        connections.addresses().forEach(each -> all.add(Endpoint.of(NAME, Endpoint.Transport.TCP, each, "DNS over TCP")));
        return all;
    }

    private DnsContext shared() {
        DnsContext now = shared;
        if (now == null) {
            throw new IllegalStateException("the store is not open yet");
        }
        return now;
    }

    private DnsDoor door(UdpQueue queue) {
        DnsDoor door = new DnsDoor(shared(), queue.wake());
        doors.add(queue.worker(), door);
        return door;
    }

    @Override
    public Staged stage(Configuration next) throws ConfigurationException {
        DnsSettings staged = settings(next);
        HttpServerSettings timeouts = HttpServerSettings.of(next);
        return () -> {
            settings = staged;
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
        connections.host().write(out, "guidepost_dns_");
    }

    @Override
    public void close() {
        connections.close();
        engine.shutdownNow();
    }
}
