package io.guidepost.server.handle;

import io.guidepost.base.AddressText;
import io.guidepost.base.Malformed;
import io.guidepost.handle.Handle;
import io.guidepost.handle.client.RecursiveResolver;
import io.guidepost.handle.door.HandleDoor;
import io.guidepost.handle.door.HandleDoorListener;
import io.guidepost.handle.door.HandleDoorSettings;
import io.guidepost.handle.json.ValueJson;
import io.guidepost.handle.location.Geolocation;
import io.guidepost.handle.location.LocationSelector;
import io.guidepost.handle.operation.AccessControl;
import io.guidepost.handle.operation.Administration;
import io.guidepost.handle.operation.Authenticator;
import io.guidepost.handle.operation.HandleSettings;
import io.guidepost.handle.operation.LocalResolver;
import io.guidepost.handle.operation.RemoteResolver;
import io.guidepost.handle.record.HandleRecord;
import io.guidepost.handle.record.HandleRecords;
import io.guidepost.handle.record.HomedPrefixes;
import io.guidepost.handle.redirector.Redirector;
import io.guidepost.handle.redirector.RedirectorSettings;
import io.guidepost.handle.replication.ReplicationServer;
import io.guidepost.handle.replication.TransactionLog;
import io.guidepost.handle.rest.RestApi;
import io.guidepost.handle.service.CpuQuota;
import io.guidepost.handle.service.HandleProtocolServer;
import io.guidepost.handle.template.NamespaceTemplates;
import io.guidepost.handle.template.TemplateSettings;
import io.guidepost.handle.value.SiteRecord;
import io.guidepost.handle.value.SiteServer;
import io.guidepost.names.Door;
import io.guidepost.packet.admission.Admission;
import io.guidepost.proximity.ranking.Ranking;
import io.guidepost.server.admin.AdminPort;
import io.guidepost.server.admin.AdminService;
import io.guidepost.server.config.Configuration;
import io.guidepost.server.config.ConfigurationException;
import io.guidepost.server.config.ConfigurationKeys;
import io.guidepost.server.config.FileCheck;
import io.guidepost.server.config.HandlePermit;
import io.guidepost.server.handle.connection.ConnectionServices;
import io.guidepost.server.handle.connection.HandleListeners;
import io.guidepost.server.handle.connection.IndexFastPath;
import io.guidepost.server.http.HttpServer;
import io.guidepost.server.http.HttpServerSettings;
import io.guidepost.server.http.tls.TlsCertificates;
import io.guidepost.server.http.tls.TlsContext;
import io.guidepost.server.metrics.Exposition;
import io.guidepost.server.service.Endpoint;
import io.guidepost.server.service.HealthCondition;
import io.guidepost.server.service.ServerContext;
import io.guidepost.server.service.Service;
import io.guidepost.server.service.ServiceHealth;
import io.guidepost.server.service.Staged;
import io.guidepost.server.service.UdpQueue;
import io.guidepost.server.service.UdpService;
import io.guidepost.store.RecordStore;
import io.guidepost.store.StoreOptions;
import io.guidepost.web.HttpHandler;
import io.guidepost.web.HttpRequest;
import io.guidepost.web.HttpResponse;
import io.guidepost.web.JsonWriter;
import io.guidepost.web.RequestParameters;
import java.io.IOException;
import java.lang.System.Logger;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.security.KeyPair;
import java.security.SecureRandom;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The Handle service: one engine behind the doors on the workers' UDP queues and behind the host of connections. */
public final class HandleService implements Service {
    public static final String NAME = "handle";

    /** What the description of the site says of it, when that is made at the first start; also the subject of its certificate. */
    static final String DESCRIPTION = "Guidepost";

    private static final Logger LOG = System.getLogger(HandleService.class.getName());

    /** How often old transactions are looked for. */
    private static final long TRIM_MINUTES = 10;

    /** How often homed prefixes are read that other servers of a fleet change: each reads a list of some sixty parts. */
    private static final long HOMES_SECONDS = 5;

    /** Rejects every task: the connections themselves run what has to wait. */
    private static final Executor REJECTING = call -> {
        throw new RejectedExecutionException();
    };

    private final Configuration configuration;
    private final List<InetAddress> listen;
    private final HandleListeners host;
    private final HandleDerivations derived;
    private final List<UdpService> udp;
    private final Optional<Supplier<Ranking>> ordering;
    private final SecureRandom random = new SecureRandom();
    private final RedirectorSettings pages;
    private final LocationSelector locations;
    private final ExecutorService calls =
            Executors.newThreadPerTaskExecutor(Thread.ofVirtual().name("handle-udp-", 0).factory());
    private final List<HandleDoor> doors = new CopyOnWriteArrayList<>();
    private final CountDownLatch closed = new CountDownLatch(1);
    private @Nullable RecursiveResolver others;
    private @Nullable Web web;
    private @Nullable Running running;
    private volatile boolean ownHomed;

    /** What there is once the store is open. */
    private record Running(
            HandleSettings settings,
            HandleRecords records,
            HomedPrefixes homes,
            Administration administration,
            Authenticator identities,
            AccessControl rights,
            LocalResolver resolution,
            HandleProtocolServer service,
            NamespaceTemplates templates,
            CpuQuota effort,
            HandleAccessCounters accesses,
            @Nullable AccessLog log,
            ServerIdentity identity,
            HandleMirrors mirrors) {}

    /** What there is once connections are let in: what is answered over HTTP besides messages. */
    private record Web(RestApi rest, Redirector browsers) implements HttpHandler {
        @Override
        public @Nullable HttpResponse atOnce(HttpRequest request) {
            return of(request).atOnce(request);
        }

        @Override
        public HttpResponse answer(HttpRequest request) {
            return of(request).answer(request);
        }

        /** JSON below /api, and pages for browsers. */
        private HttpHandler of(HttpRequest request) {
            String path = request.path();
            return path.startsWith("/api/") || path.equals("/api") ? rest : browsers;
        }
    }

    /**
     * Takes the ports of connections.
     *
     * @throws IOException in one line, if one cannot be had
     */
    public HandleService(ServerContext context) throws ConfigurationException, IOException {
        this.configuration = context.configuration();
        this.ordering = context.ordering();
        this.listen = configuration.get(ConfigurationKeys.HANDLE_LISTEN);
        this.derived = HandleDerivations.of(configuration);
        this.pages = HandleConfiguration.pages(configuration);
        this.locations = locations(configuration);
        int udpPort = configuration.get(ConfigurationKeys.HANDLE_UDP_PORT).intValue();
        this.udp = udpPort < 0
                ? List.of()
                : List.of(new UdpService(NAME, "handles over UDP", listen, udpPort, Admission.FAIR_QUEUE, this::door));
        this.host = HandleListeners.open(
                HttpServerSettings.of(configuration),
                listen,
                configuration.get(ConfigurationKeys.HANDLE_TCP_PORT).intValue(),
                configuration.get(ConfigurationKeys.HANDLE_HTTP_PORT).intValue());
    }

    /** Reads its files, as a start does, but those of the server's own folder that a start makes. */
    public static void check(FileCheck files) {
        HandleConfiguration.check(files);
        HandleMirrors.check(files);
    }

    @Override
    public List<UdpService> udp() {
        return udp;
    }

    @Override
    public StoreOptions store(StoreOptions options) {
        return derived.with(options);
    }

    /** Says who this server is, and makes the engine. */
    @Override
    public List<HttpServer> listeners() {
        return List.of(host.host());
    }

    @Override
    public void prepare(RecordStore store) throws ConfigurationException, IOException {
        List<InetSocketAddress> datagrams = udp.stream().flatMap(each -> each.addresses().stream()).toList();
        Path folder = configuration.get(ConfigurationKeys.HANDLE_FOLDER).toAbsolutePath();
        ServerIdentity identity = new ServerIdentity(folder, HandleConfiguration.passphrase(configuration), random);
        KeyPair keys = identity.keys();
        InetAddress address = HandleConfiguration.advertised(configuration, listen);
        SiteRecord site = identity.site(
                keys,
                key -> HandleConfiguration.site(
                        configuration, key, address, datagrams, host.tcpAddresses(), host.httpAddresses()));
        HandleSettings settings = HandleConfiguration.settings(configuration, site, keys);
        AccessLog.Form form = configuration.get(ConfigurationKeys.HANDLE_ACCESS_LOG);
        AccessLog log = form == AccessLog.Form.OFF
                ? null
                : new AccessLog(
                        folder.resolve("logs"),
                        form,
                        configuration.get(ConfigurationKeys.HANDLE_ACCESS_LOG_ROTATION),
                        configuration.get(ConfigurationKeys.HANDLE_ACCESS_LOG_BYTES));
        HandleAccessCounters accesses = new HandleAccessCounters(log);
        InstantSource clock = InstantSource.system();
        HandleRecords records = new HandleRecords(store, settings.caseSensitive());
        HomedPrefixes homes = derived.shared() ? HomedPrefixes.unread(store) : new HomedPrefixes(store);
        derived.open(store);
        HandleMirrors mirrors =
                HandleMirrors.of(configuration, settings, records, homes, derived.transactions(), random);
        if (derived.shared()) {
            readHomes(homes, settings);
        } else if (!HandleMirrors.wanted(configuration)) {
            homeOwn(homes, settings);
        }
        others = HandleConfiguration.others(configuration).orElse(null);
        RemoteResolver remote = others == null ? RemoteResolver.NONE : others;
        NamespaceTemplates templates =
                new NamespaceTemplates(records, remote, HandleConfiguration.templates(configuration), derived.namespaces());
        AccessControl rights = new AccessControl(settings, records, remote);
        Authenticator identities = new Authenticator(settings, records, remote);
        Administration administration = new Administration(settings, records, homes, rights, random);
        LocalResolver resolution = new LocalResolver(settings, records, homes, rights, remote, templates, clock);
        CpuQuota effort = new CpuQuota(clock, Runtime.getRuntime().availableProcessors());
        HandleProtocolServer service = new HandleProtocolServer(
                settings,
                resolution,
                administration,
                rights,
                identities,
                new ReplicationServer(records, homes, derived.transactions()),
                accesses,
                effort,
                clock,
                random);
        running = new Running(
                settings,
                records,
                homes,
                administration,
                identities,
                rights,
                resolution,
                service,
                templates,
                effort,
                accesses,
                log,
                identity,
                mirrors);
    }

    private static void homeOwn(HomedPrefixes homes, HandleSettings settings) throws IOException {
        for (Handle each : settings.autoHomed()) {
            homes.home(each);
        }
    }

    /** Reads which prefixes the servers of a fleet have homed; returns why that cannot be done, or nothing. */
    private String readHomes(HomedPrefixes homes, HandleSettings settings) {
        try {
            homes.reread();
            if (!ownHomed) {
                homeOwn(homes, settings);
                ownHomed = true;
            }
            return "";
        } catch (IOException e) {
            return String.valueOf(e.getMessage());
        }
    }

    private Running running() {
        Running now = running;
        if (now == null) {
            throw new IllegalStateException("the store is not open yet");
        }
        return now;
    }

    private Door door(UdpQueue queue) {
        HandleDoor door = door(HandleConfiguration.door(configuration), calls, queue.wake(), true);
        doors.add(door);
        return door;
    }

    private HandleDoor door(HandleDoorSettings settings, Executor executor, Runnable wake, boolean watched) {
        Running now = running();
        return new HandleDoor(
                now.settings(),
                settings,
                now.records(),
                now.homes(),
                now.templates(),
                now.service(),
                executor,
                wake,
                random.nextLong(),
                watched ? now.accesses().watch() : HandleDoorListener.NONE);
    }

    private ConnectionServices.Quick quick() {
        return new IndexFastPath(
                door(new HandleDoorSettings(true, 1, 0), REJECTING, () -> {}, false), running().service()::on, InstantSource.system());
    }

    @Override
    public void start() throws ConfigurationException, IOException {
        Running now = running();
        Web answered = web(now, InstantSource.system());
        web = answered;
        host.start(
                new ConnectionServices(now.service(), this::quick, answered, now.accesses()),
                tls(configuration),
                own(now, false));
        if (derived.shared()) {
            Thread.ofVirtual().name("handle-homes").start(() -> follow(now));
        } else {
            Thread.ofVirtual().name("handle-trim").start(this::trim);
        }
        Thread.ofVirtual().name("handle-index").start(() -> complete(now));
        now.mirrors().start();
        LOG.log(
                Logger.Level.INFO,
                "handles are answered over TCP at {0}, over HTTP at {1}",
                texts(host.tcpAddresses()),
                texts(host.httpAddresses()));
    }

    /** Sees to it that records which are older than the index are found by it too. */
    private void complete(Running now) {
        try {
            do {
                // A cluster may be away at the start.
            } while (!isComplete(now) && derived.shared() && !closed.await(HOMES_SECONDS, TimeUnit.SECONDS));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private boolean isComplete(Running now) {
        try {
            long records = derived.index().complete(now.records().store());
            if (records > 0) {
                LOG.log(Logger.Level.INFO, "values of {0} records were indexed for searches", records);
            }
            return true;
        } catch (IOException | RuntimeException e) {
            LOG.log(
                    derived.shared() ? Logger.Level.DEBUG : Logger.Level.WARNING,
                    "searches may miss handles until the next start: {0}",
                    e.getMessage());
            return false;
        }
    }

    /** Reads from time to time which prefixes other servers have homed, until the server ends. */
    private void follow(Running now) {
        boolean told = false;
        try {
            while (!closed.await(now.homes().isRead() ? HOMES_SECONDS : 1, TimeUnit.SECONDS)) {
                String trouble = readHomes(now.homes(), now.settings());
                if (!trouble.isEmpty() && !told) {
                    LOG.log(Logger.Level.WARNING, "prefixes that other servers home are not seen: {0}", trouble);
                }
                told = !trouble.isEmpty();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Forgets old transactions from time to time, until the server ends. */
    private void trim() {
        try {
            while (!closed.await(TRIM_MINUTES, TimeUnit.MINUTES)) {
                derived.transactions().trim(TransactionLog.Retention.USUAL, System.currentTimeMillis());
            }
        } catch (IOException e) {
            LOG.log(Logger.Level.WARNING, "old transactions are kept until the next start: {0}", e.getMessage());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static String texts(List<InetSocketAddress> addresses) {
        return String.join(", ", addresses.stream().map(AddressText::of).toList());
    }

    @Override
    public Staged stage(Configuration next) throws ConfigurationException, IOException {
        TlsContext tls = tls(next);
        HttpServerSettings connections = HttpServerSettings.of(next);
        RedirectorSettings nextPages = HandleConfiguration.pages(next);
        LocationSelector nextLocations = locations(next);
        TemplateSettings templates = HandleConfiguration.templates(next);
        return () -> {
            Running now = running();
            host.follow(connections, tls);
            now.rights().administrators(HandleConfiguration.administrators(next));
            now.templates().follow(templates);
            if (web != null) {
                web.browsers().follow(nextLocations, nextPages);
            }
            if (now.log() != null) {
                // Programs that rotate logs have moved its file.
                now.log().reopen();
            }
        };
    }

    /**
     * TLS as a configuration wants it, or else with the server's own key; null if there is none of the right kind. The files
     * are read anew.
     *
     * @throws IOException in one line, if they cannot be used
     */
    private @Nullable TlsContext tls(Configuration wanted) throws ConfigurationException, IOException {
        Optional<TlsContext> named = TlsCertificates.of(wanted, clientCertificates());
        if (named.isPresent()) {
            return named.get();
        }
        TlsContext own = own(running(), clientCertificates());
        if (own == null) {
            LOG.log(
                    Logger.Level.WARNING,
                    "TLS is not spoken, as the server's key is for DSA: set http.tls-certificate and http.tls-key");
        }
        return own;
    }

    private boolean clientCertificates() {
        return HandleConfiguration.permits(configuration, HandlePermit.CLIENT_CERTIFICATES);
    }

    private @Nullable TlsContext own(Running now, boolean clients) throws IOException {
        KeyPair keys = now.settings().keys();
        if (!keys.getPublic().getAlgorithm().equals("RSA")) {
            return null;
        }
        List<InetAddress> addresses = now.settings().site().servers().stream()
                .map(SiteServer::inetAddress)
                .distinct()
                .toList();
        return now.identity().tls(keys, DESCRIPTION, addresses, clients);
    }

    private LocationSelector locations(Configuration wanted) throws ConfigurationException, IOException {
        Geolocation countries = HandleConfiguration.countries(wanted);
        return new LocationSelector(
                ordering.<Geolocation>map(each -> new NearestGeography(countries, each)).orElse(countries), random);
    }

    private Web web(Running now, InstantSource clock) {
        RestApi rest = new RestApi(
                now.settings(),
                now.resolution(),
                now.administration(),
                now.identities(),
                now.records(),
                now.homes(),
                derived.index(),
                now.effort(),
                clock,
                random,
                now.accesses());
        return new Web(rest, new Redirector(now.resolution(), locations, pages, clock));
    }

    @Override
    public List<Endpoint> endpoints() {
        List<Endpoint> all = new ArrayList<>(Service.super.endpoints());
        host.tcpAddresses().forEach(each -> all.add(Endpoint.of(NAME, Endpoint.Transport.TCP, each, "handles over TCP")));
        host.httpAddresses().forEach(each -> all.add(Endpoint.of(
                NAME, Endpoint.Transport.HTTP, each, "handles over HTTP and HTTPS: messages, /api, pages for browsers")));
        return all;
    }

    @Override
    public List<HealthCondition> conditions() {
        List<HealthCondition> all = new ArrayList<>(running().mirrors().conditions());
        if (!running().homes().isRead()) {
            all.add(new HealthCondition("prefixes-unread", HomedPrefixes.UNREAD + ": handles are answered as errors", false));
        }
        return all;
    }

    /** Tells the prefix handles that are at home here. */
    @Override
    public ServiceHealth health() {
        return new ServiceHealth(true, Map.of("prefixes", List.copyOf(running().homes().all())));
    }

    /** The records of handles, for tools in the server's own process. */
    public HandleRecords records() {
        return running().records();
    }

    /** Who this server is. */
    public ServerIdentity identity() {
        return running().identity();
    }

    @Override
    public void pages(AdminPort port) {
        port.post("/redump", _ -> redump()).get("/handle", this::handle);
    }

    /** The values of a handle that all may read, as {@code /api/handles} has them. */
    private HttpResponse handle(String query) throws IOException {
        try {
            Handle asked = Handle.parse(RequestParameters.of(query, 1).first("name", ""));
            Optional<HandleRecord> found = records().find(asked);
            return found.map(record -> HttpResponse.of(200, "application/json", JsonWriter.bytes(out -> ValueJson.write(
                            record.values().stream().filter(each -> each.permissions().publicRead()).toList(), out))))
                    .orElseGet(() -> AdminPort.error(404, "there is no handle " + asked));
        } catch (Malformed e) {
            return AdminPort.error(400, String.valueOf(e.getMessage()));
        }
    }

    private HttpResponse redump() {
        int sources = running().mirrors().redump();
        return sources == 0 ? AdminService.followsNone() : AdminPort.json(200, JsonWriter.object("sources", sources));
    }

    @Override
    public void write(Exposition out) {
        Running now = running();
        new HandleMetrics(
                        host,
                        now.accesses(),
                        now.log(),
                        now.service(),
                        derived.places().counts(),
                        doors,
                        now.homes().all().size())
                .write(out);
        Web answered = web;
        if (answered != null) {
            HandleMetrics.writeWeb(out, answered.rest(), answered.browsers(), now.templates());
        }
        now.mirrors().write(out);
    }

    /** Ends what waits. */
    @Override
    public void close() {
        closed.countDown();
        host.close();
        calls.shutdownNow();
        Running now = running;
        if (now != null) {
            now.mirrors().close();
        }
        if (others != null) {
            others.close();
        }
        if (now != null && now.log() != null) {
            now.log().close();
        }
    }
}
