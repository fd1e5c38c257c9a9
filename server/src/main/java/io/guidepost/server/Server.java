package io.guidepost.server;

import io.guidepost.base.AddressText;
import io.guidepost.fleet.CacheInvalidations;
import io.guidepost.gnrs.placement.Placer;
import io.guidepost.handle.record.HandleRecords;
import io.guidepost.packet.ip.Hosts;
import io.guidepost.proximity.ranking.LiveNetwork;
import io.guidepost.server.admin.AdminPort;
import io.guidepost.server.admin.AdminService;
import io.guidepost.server.alto.AltoService;
import io.guidepost.server.alto.ProxidorService;
import io.guidepost.server.config.Configuration;
import io.guidepost.server.config.ConfigurationException;
import io.guidepost.server.config.ConfigurationKeys;
import io.guidepost.server.config.FileCheck;
import io.guidepost.server.config.FleetKeys;
import io.guidepost.server.config.NamesKeys;
import io.guidepost.server.config.StoreConfiguration;
import io.guidepost.server.config.TopologyKeys;
import io.guidepost.server.config.ValueKind;
import io.guidepost.server.dns.DnsService;
import io.guidepost.server.feed.FeedService;
import io.guidepost.server.feed.FeedSettings;
import io.guidepost.server.fleet.FleetService;
import io.guidepost.server.gnrs.GnrsService;
import io.guidepost.server.handle.HandleService;
import io.guidepost.server.handle.ServerIdentity;
import io.guidepost.server.http.ParkedConnection;
import io.guidepost.server.naming.NamesService;
import io.guidepost.server.scaffold.ScaffoldService;
import io.guidepost.server.service.AsyncOpen;
import io.guidepost.server.service.ConditionMonitor;
import io.guidepost.server.service.Endpoint;
import io.guidepost.server.service.HealthCondition;
import io.guidepost.server.service.ReloadReport;
import io.guidepost.server.service.Reloads;
import io.guidepost.server.service.ServerContext;
import io.guidepost.server.service.Service;
import io.guidepost.server.service.WorkerOptions;
import io.guidepost.server.service.Workers;
import io.guidepost.server.takeover.Handover;
import io.guidepost.server.takeover.TakeoverClient;
import io.guidepost.server.takeover.TakeoverServer;
import io.guidepost.server.takeover.UpgradeProcess;
import io.guidepost.server.topology.TopologyService;
import io.guidepost.store.RecordStore;
import io.guidepost.store.StoreLockedException;
import io.guidepost.store.StoreOptions;
import io.guidepost.store.StoreStatus;
import io.guidepost.store.embedded.EmbeddedStore;
import io.guidepost.store.embedded.WarmIndex;
import io.guidepost.web.HttpResponse;
import io.guidepost.web.JsonWriter;
import java.io.IOException;
import java.lang.System.Logger;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A running server: one store, the workers, and its services, which all go through the same steps. Everything of it may be asked
 * by any thread.
 */
public final class Server implements AutoCloseable {
    private static final Logger LOG = System.getLogger(Server.class.getName());

    /** In which the system ends a process that was killed, with some gigabytes of memory. */
    private static final long LOCK_NANOS_MAX = 10_000_000_000L;

    private static final long LOCK_LOOK_NANOS = 5_000_000;

    /** Reads the configuration again, from where it came at the start. */
    @FunctionalInterface
    public interface Source {
        Configuration load() throws ConfigurationException;
    }

    /** Puts records into the store of a server whose doors do not answer yet. */
    @FunctionalInterface
    public interface InitialRecords {
        /** None. */
        InitialRecords NONE = _ -> {};

        void put(Server server) throws IOException;
    }

    private final ServerContext context;
    private final Workers workers;
    private final List<Service> services = new ArrayList<>();
    private final ConditionMonitor conditions = new ConditionMonitor(this::conditions);
    private final AsyncOpen<RecordStore> opening;
    private CacheInvalidations invalidations = CacheInvalidations.NONE;
    private volatile @Nullable TakeoverServer takeovers;
    private volatile @Nullable WarmIndex warm;

    /** Until when a lock of the store may be that of a process that was killed. */
    private volatile long patientNanos = System.nanoTime();
    private boolean closed;

    private Server(ServerContext context, Workers workers) {
        this.context = context;
        this.workers = workers;
        this.opening = new AsyncOpen<>(this::openStore);
    }

    /**
     * Reads all files that a configuration names, as a start would, but takes no port, opens no store and writes nothing.
     *
     * @throws ConfigurationException with what is wrong in any of them
     */
    public static void check(Configuration configuration) throws ConfigurationException {
        FileCheck files = new FileCheck(configuration);
        TopologyService.check(files);
        FeedService.check(files);
        if (configuration.get(ConfigurationKeys.GNRS_ENABLED)) {
            GnrsService.check(files);
        }
        if (StoreConfiguration.isShared(configuration)) {
            files.read(FleetKeys.LOGIN_FILE, () -> StoreConfiguration.fleet(configuration));
        }
        if (configuration.get(ConfigurationKeys.HANDLE_ENABLED)) {
            HandleService.check(files);
        }
        if (configuration.get(TopologyKeys.ALTO_ENABLED)) {
            AltoService.check(files);
        }
        if (configuration.get(NamesKeys.NAMES_ENABLED)) {
            NamesService.check(files);
        }
        if (configuration.get(ConfigurationKeys.SCAFFOLD_ENABLED)) {
            ScaffoldService.check(files);
        }
        if (configuration.get(ConfigurationKeys.ADMIN_PORT) >= 0) {
            files.read(ConfigurationKeys.ADMIN_TOKEN, () -> AdminService.token(configuration));
        }
        files.finish();
    }

    /**
     * Starts a server; it answers when this returns.
     *
     * @param configuration its settings
     * @param source reads them again at a reload
     * @throws ConfigurationException if the settings contradict each other or this machine
     * @throws IOException in one line, if a port, a file or the store cannot be had
     */
    public static Server start(Configuration configuration, Source source) throws ConfigurationException, IOException {
        return start(configuration, source, InitialRecords.NONE);
    }

    /** The same with records that are there when the first door answers. */
    public static Server start(Configuration configuration, Source source, InitialRecords records)
            throws ConfigurationException, IOException {
        return start(configuration, source, Hosts::open, null, records);
    }

    /**
     * Starts a server that takes over from another process: that one serves until this one has all but the store, and goes on if this
     * one fails.
     *
     * @throws IOException in one line, if it cannot be started, or the other does not hand over
     */
    public static Server takeOver(Configuration configuration, Source source, TakeoverClient other)
            throws ConfigurationException, IOException {
        return start(configuration, source, Hosts::open, other, InitialRecords.NONE);
    }

    /** The same with another way to open hosts on ports of frames. */
    static Server start(Configuration configuration, Source source, Workers.HostOpener opener)
            throws ConfigurationException, IOException {
        return start(configuration, source, opener, null, InitialRecords.NONE);
    }

    private static Server start(
            Configuration configuration,
            Source source,
            Workers.HostOpener opener,
            @Nullable TakeoverClient before,
            InitialRecords records)
            throws ConfigurationException, IOException {
        ServerContext context = new ServerContext(
                configuration, WorkerOptions.number(configuration), new LiveNetwork(), new Reloads(configuration, source));
        Server server = new Server(context, new Workers(configuration));
        try {
            server.run(opener, before, records);
            return server;
        } catch (ConfigurationException | IOException | RuntimeException e) {
            server.close();
            throw e;
        }
    }

    /** The table of services, in the order in which they go through their steps. */
    private void makeServices() throws ConfigurationException, IOException {
        Configuration configuration = context.configuration();
        if (StoreConfiguration.isShared(configuration)) {
            FleetService fleet = FleetService.of(configuration);
            services.add(fleet);
            invalidations = fleet.invalidations();
        }
        FeedService feeds = new FeedService(FeedSettings.of(configuration), context.network());
        services.add(new TopologyService(context, feeds));
        services.add(feeds);
        GnrsService gnrs = configuration.get(ConfigurationKeys.GNRS_ENABLED) ? new GnrsService(context) : null;
        if (gnrs != null) {
            services.add(gnrs);
        }
        if (configuration.get(ConfigurationKeys.HANDLE_ENABLED)) {
            services.add(new HandleService(context));
        }
        if (configuration.get(ConfigurationKeys.PROXIDOR_ENABLED)) {
            services.add(new ProxidorService(configuration, context.network()::current));
        }
        if (configuration.get(ConfigurationKeys.SCAFFOLD_ENABLED)) {
            services.add(new ScaffoldService(context));
        }
        if (configuration.get(ConfigurationKeys.DNS_ENABLED)) {
            services.add(new DnsService(context, gnrs == null ? () -> Placer.EVERYTHING_HERE : gnrs::placer, this::gnrsAddresses));
        }
        if (configuration.get(TopologyKeys.ALTO_ENABLED)) {
            services.add(new AltoService(configuration, context.network()));
        }
        if (configuration.get(NamesKeys.NAMES_ENABLED)) {
            services.add(new NamesService(context, this::gnrsAddresses));
        }
        if (configuration.get(ConfigurationKeys.ADMIN_PORT) >= 0) {
            services.add(new AdminService(context, services, conditions, workers::write, workers::busiest, this::upgrade));
        }
    }

    private void run(Workers.HostOpener opener, @Nullable TakeoverClient before, InitialRecords records)
            throws ConfigurationException, IOException {
        makeServices();
        if (before == null) {
            // What waits for the kernel and what waits for the disk wait side by side.
            opening.begin();
        }
        workers.open(services.stream().flatMap(each -> each.udp().stream()).toList());
        for (Service each : services) {
            each.bind();
        }
        if (before == null) {
            takeAlone(opener);
        } else {
            warm = warmIndex();
            before.prepared();
            patientNanos = System.nanoTime() + (before.isAlone() ? LOCK_NANOS_MAX : 0);
            opening.begin();
        }
        RecordStore store = opening.get();
        warm = null;
        // What answers at ports of frames must know them; else there is a way back for longer.
        boolean frames = !context.configuration().get(ConfigurationKeys.PACKET_PORTS).isEmpty();
        if (before != null && frames) {
            before.opened();
            takeAlone(opener);
        }
        for (Service each : services) {
            each.prepare(store);
        }
        if (before != null && !frames) {
            before.opened();
            takeAlone(opener);
        }
        records.put(this);
        workers.start();
        context.reloads().started(services);
        for (Service each : services) {
            each.start();
        }
        conditions.start();
        if (before != null) {
            before.serving(this::adopt);
        }
        LOG.log(Logger.Level.INFO, "Guidepost {0} answers {1}", BuildInfo.VERSION, endpointsText());
    }

    private void takeAlone(Workers.HostOpener opener) throws IOException {
        workers.openHosts(opener);
        for (Service each : services) {
            each.takeAlone();
        }
    }

    private boolean adopt(ParkedConnection connection) {
        return services.stream().flatMap(each -> each.listeners().stream()).anyMatch(each -> each.adopt(connection));
    }

    /**
     * Lets another process take over from this one, by a socket in the folder of the store, and {@code guidepost upgrade} start one. Not
     * where the store is a cluster: the others of the fleet answer while this server is replaced.
     *
     * @throws IOException in one line, if that socket cannot be had
     */
    public void letTakeOver(TakeoverServer.Listener listener) throws IOException {
        if (opening.opened() instanceof EmbeddedStore store) {
            takeovers = new TakeoverServer(folder(), this::token, new Handover(services, workers, store), listener);
        }
    }

    private Optional<String> token() {
        try {
            return AdminService.token(context.configuration());
        } catch (ConfigurationException e) {
            // It cannot be read any more: no process can show it.
            return Optional.of(e.toString());
        }
    }

    private HttpResponse upgrade(String seconds) throws IOException {
        TakeoverServer takeover = takeovers;
        if (takeover == null) {
            return AdminPort.error(409, "this server is not upgraded so: it is a demonstration, of a fleet, or part of another program");
        }
        if (!seconds.matches("[0-9]{1,4}")) {
            return AdminPort.error(400, "say how many seconds the new process has, such as 60");
        }
        long begun = System.nanoTime();
        TakeoverServer.Outcome outcome = takeover.upgrade(UpgradeProcess.command(), Duration.ofSeconds(Long.parseLong(seconds)));
        return outcome.done()
                ? AdminPort.json(200, JsonWriter.object(
                        "process", outcome.process(),
                        "heldMillis", outcome.heldMillis(),
                        "millis", (System.nanoTime() - begun) / 1_000_000))
                : AdminPort.error(500, outcome.reason());
    }

    private List<HealthCondition> conditions() {
        List<HealthCondition> all = new ArrayList<>();
        StoreStatus store = opening.opened().status();
        if (!store.writable()) {
            // Other servers of a fleet may reach the cluster: what balances among them leaves this one out.
            boolean shared = StoreConfiguration.isShared(context.configuration());
            all.add(new HealthCondition(shared ? "cluster-away" : "store-refuses-writes", store.trouble(), !shared));
        }
        if (!store.damage().isEmpty()) {
            all.add(new HealthCondition("store-damaged", "names there are answered as failures: " + store.damage(), false));
        }
        if (!context.reloads().last().done()) {
            all.add(new HealthCondition("reload-refused", context.reloads().last().text(), true));
        }
        TakeoverServer takeover = takeovers;
        if (takeover != null && !takeover.failure().isEmpty()) {
            all.add(new HealthCondition("upgrade-failed", takeover.failure(), true));
        }
        services.forEach(each -> all.addAll(each.conditions()));
        return all;
    }

    @SuppressWarnings("MustBeClosedChecker") // What is opened is closed by close().
    private RecordStore openStore() throws ConfigurationException, IOException {
        StoreOptions options = storeOptions();
        while (true) {
            try {
                return StoreConfiguration.open(context.configuration(), options, warm, invalidations);
            } catch (StoreLockedException e) {
                if (System.nanoTime() - patientNanos >= 0) {
                    throw e;
                }
                LockSupport.parkNanos(LOCK_LOOK_NANOS);
            }
        }
    }

    private StoreOptions storeOptions() {
        StoreOptions options = StoreConfiguration.of(context.configuration());
        for (Service each : services) {
            options = each.store(options);
        }
        return options;
    }

    /** Reads the index while another process has the store. */
    private @Nullable WarmIndex warmIndex() {
        try {
            return WarmIndex.read(storeOptions());
        } catch (IOException e) {
            LOG.log(Logger.Level.INFO, "the index is read when the store is open: {0}", e.getMessage());
            return null;
        }
    }

    /** Reads the configuration and the files that it names again, as {@code guidepost reload} does. */
    public ReloadReport reload() {
        return context.reloads().run(services);
    }

    /** Returns whether each worker has looked at its queues since the last call of this. */
    public boolean workersTurn() {
        return workers.haveTurned();
    }

    /** Returns whether all services answer; ALTO does some time after the others, when its first maps are made. */
    public boolean isReady() {
        return services.stream().allMatch(each -> each.health().ready());
    }

    /** Returns where all services are reached, those on ports of frames among them. */
    public List<Endpoint> endpoints() {
        return services.stream().flatMap(each -> each.endpoints().stream()).toList();
    }

    private String endpointsText() {
        return endpoints().stream()
                .map(each -> each.service() + " at " + AddressText.of(each.address()))
                .distinct()
                .collect(Collectors.joining(", "));
    }

    private List<InetSocketAddress> addresses(String service, Endpoint.Transport transport) {
        return endpoints().stream()
                .filter(each -> each.service().equals(service) && each.transport() == transport)
                .map(Endpoint::address)
                .toList();
    }

    private <T extends Service> Optional<T> service(Class<T> type) {
        return services.stream().filter(type::isInstance).map(type::cast).findFirst();
    }

    /** Returns where GNRS is answered; empty if it is not. */
    public List<InetSocketAddress> gnrsAddresses() {
        return addresses(GnrsService.NAME, Endpoint.Transport.UDP);
    }

    /** Returns where lists of addresses are ranked over UDP; empty if they are not. */
    public List<InetSocketAddress> proxidorAddresses() {
        return addresses(ProxidorService.NAME, Endpoint.Transport.UDP);
    }

    /** Returns where names are answered over DNS, by datagrams; empty if they are not. */
    public List<InetSocketAddress> dnsAddresses() {
        return addresses(DnsService.NAME, Endpoint.Transport.UDP);
    }

    /** Returns where hosts reach the object router over UDP; empty if this is none. */
    public List<InetSocketAddress> scaffoldAddresses() {
        return addresses(ScaffoldService.NAME, Endpoint.Transport.UDP);
    }

    /** Returns where handles are answered over UDP; empty if they are not. */
    public List<InetSocketAddress> handleUdpAddresses() {
        return addresses(HandleService.NAME, Endpoint.Transport.UDP);
    }

    /** Returns where handles are answered over TCP; empty if they are not. */
    public List<InetSocketAddress> handleTcpAddresses() {
        return addresses(HandleService.NAME, Endpoint.Transport.TCP);
    }

    /** Returns where handles are answered over HTTP and HTTPS, on one port; empty if they are not. */
    public List<InetSocketAddress> handleHttpAddresses() {
        return addresses(HandleService.NAME, Endpoint.Transport.HTTP);
    }

    /** Returns where ALTO is answered over HTTP and HTTPS, on one port; empty if it is not. */
    public List<InetSocketAddress> altoAddresses() {
        return addresses(AltoService.NAME, Endpoint.Transport.HTTP);
    }

    /** Returns where names are answered over HTTP and HTTPS, on one port; empty if they are not. */
    public List<InetSocketAddress> namesAddresses() {
        return addresses(NamesService.NAME, Endpoint.Transport.HTTP);
    }

    /** Returns where the admin port is; empty if there is none. */
    public Optional<InetSocketAddress> adminAddress() {
        return addresses(AdminService.NAME, Endpoint.Transport.HTTP).stream().findFirst();
    }

    /** Returns where routers tell over BGP; empty if they do not. */
    public Optional<InetSocketAddress> bgpAddress() {
        return service(FeedService.class).flatMap(FeedService::bgpAddress);
    }

    /** Returns the topology, for tools that run in the server's process. */
    public LiveNetwork network() {
        return context.network();
    }

    /** Returns the records of handles, for tools that run in the server's process; empty if handles are not answered. */
    public Optional<HandleRecords> handleRecords() {
        return service(HandleService.class).map(HandleService::records);
    }

    /** Returns what the server is among servers of handles; empty if handles are not answered. */
    public Optional<ServerIdentity> handleIdentity() {
        return service(HandleService.class).map(HandleService::identity);
    }

    /** Returns the folder of the records. */
    public Path folder() {
        return context.configuration().get(ConfigurationKeys.STORE_FOLDER);
    }

    /** Returns when writes are acknowledged. */
    public String durability() {
        return ValueKind.dashed(context.configuration().get(ConfigurationKeys.STORE_DURABILITY));
    }

    /** Says who may write over GNRS, in one line for people. */
    public String writers() {
        return GnrsService.writersText(context.configuration());
    }

    /** Returns the records, for tools that run in the server's process. */
    public RecordStore store() {
        return opening.opened();
    }

    /** Ends it: no more questions are taken, the writes taken are finished, the store is closed. */
    @Override
    public synchronized void close() {
        if (closed) {
            return;
        }
        closed = true;
        Optional.ofNullable(takeovers).ifPresent(TakeoverServer::close);
        conditions.close();
        services.forEach(Service::stop);
        workers.close();
        services.reversed().forEach(Service::close);
        opening.close();
        LOG.log(Logger.Level.INFO, "Guidepost has ended");
    }
}
