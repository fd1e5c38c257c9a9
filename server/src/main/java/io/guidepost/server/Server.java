package io.guidepost.server;

import io.guidepost.alto.AltoSnapshot;
import io.guidepost.base.Malformed;
import io.guidepost.gnrs.GnrsSettings;
import io.guidepost.gnrs.placement.LivePlacement;
import io.guidepost.handle.record.HandleRecords;
import io.guidepost.names.Door;
import io.guidepost.names.Guid;
import io.guidepost.proximity.oracle.OracleConsole;
import io.guidepost.proximity.ranking.LiveNetwork;
import io.guidepost.proximity.ranking.Ranking;
import io.guidepost.server.admin.AdminPort;
import io.guidepost.server.admin.JsonPages;
import io.guidepost.server.alto.AltoHttpService;
import io.guidepost.server.alto.AltoSources;
import io.guidepost.server.config.AddressParsing;
import io.guidepost.server.config.Configuration;
import io.guidepost.server.config.ConfigurationException;
import io.guidepost.server.config.ConfigurationKeys;
import io.guidepost.server.config.Key;
import io.guidepost.server.config.LocatorOrder;
import io.guidepost.server.config.StoreConfiguration;
import io.guidepost.server.config.TopologyKeys;
import io.guidepost.server.config.ValueKind;
import io.guidepost.server.feed.FeedConfiguration;
import io.guidepost.server.feed.Feeds;
import io.guidepost.server.gnrs.GnrsDoors;
import io.guidepost.server.gnrs.PeerServers;
import io.guidepost.server.gnrs.PlacementFiles;
import io.guidepost.server.handle.HandleServices;
import io.guidepost.server.handle.ServerIdentity;
import io.guidepost.server.metrics.Exposition;
import io.guidepost.server.metrics.JvmMetrics;
import io.guidepost.server.metrics.StoreMetrics;
import io.guidepost.server.service.AsyncOpen;
import io.guidepost.server.service.Workers;
import io.guidepost.server.topology.OperatorTopology;
import io.guidepost.server.topology.RankExplanations;
import io.guidepost.server.topology.TopologyFiles;
import io.guidepost.store.RecordStore;
import io.guidepost.store.StoreOptions;
import io.guidepost.store.StoreStatus;
import io.guidepost.store.embedded.EmbeddedStore;
import java.io.IOException;
import java.lang.System.Logger;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A running server: one store, one placement, one topology, the doors on their workers and ports, the admin port.
 * Everything of it may be asked by any thread.
 */
public final class Server implements AutoCloseable {
    private static final Logger LOG = System.getLogger(Server.class.getName());

    /** Reads the configuration again, from where it came at the start. */
    @FunctionalInterface
    public interface Source {
        Configuration load() throws ConfigurationException;
    }

    private final Configuration started;
    private final RecordStore store;
    private final Workers workers;
    private final GnrsDoors doors;
    private final PeerServers sites;
    private final Reloads reloads;
    private final @Nullable HandleServices handles;
    private final OperatorTopology proximity;
    private final @Nullable AltoHttpService altos;
    private final @Nullable AdminPort admin;
    private final OracleConsole console;
    private final Instant since = Instant.now();
    private volatile boolean ready;
    private boolean closed;

    private Server(
            Configuration configuration,
            RecordStore store,
            Workers workers,
            GnrsDoors doors,
            PeerServers sites,
            Reloads reloads,
            @Nullable HandleServices handles,
            OperatorTopology proximity,
            @Nullable AltoHttpService altos,
            @Nullable AdminPort admin) {
        this.started = configuration;
        this.store = store;
        this.workers = workers;
        this.doors = doors;
        this.sites = sites;
        this.reloads = reloads;
        this.handles = handles;
        this.proximity = proximity;
        this.altos = altos;
        this.admin = admin;
        this.console = new OracleConsole(
                proximity.network(), new OracleControls(configuration, proximity, reloads, workers.number()));
    }

    /**
     * Starts a server; it answers when this returns.
     *
     * @param configuration its settings
     * @param source reads them again at a reload
     * @throws ConfigurationException if the settings contradict each other or this machine
     * @throws IOException in one line, if a port, a file or the store cannot be had
     */
    @SuppressWarnings("MustBeClosedChecker")
    public static Server start(Configuration configuration, Source source) throws ConfigurationException, IOException {
        List<InetAddress> addresses = AddressParsing.listen(configuration);
        // What waits for the kernel and what waits for the disk wait side by side.
        DeferredObserver observer = new DeferredObserver();
        HandleServices handles = configuration.get(ConfigurationKeys.HANDLE_ENABLED) ? HandleServices.open(configuration) : null;
        StoreOptions options = StoreConfiguration.of(configuration).withObserver(observer);
        StoreOptions derived = handles == null ? options : options.withDerivation(handles.derivation());
        AsyncOpen<RecordStore> opening = AsyncOpen.of(() -> EmbeddedStore.open(derived));
        Workers workers = null;
        PeerServers sites = null;
        AdminPort admin = null;
        OperatorTopology proximity = new OperatorTopology();
        AltoHttpService altos = null;
        try {
            workers = Workers.open(configuration, addresses);
            if (handles != null) {
                workers.openHandle(configuration, AddressParsing.handleListen(configuration));
            }
            if (configuration.get(ConfigurationKeys.PROXIDOR_ENABLED)) {
                workers.openProxidor(configuration, proximity.rankings());
            }
            altos = configuration.get(TopologyKeys.ALTO_ENABLED) ? AltoHttpService.open(configuration, proximity.network()) : null;
            admin = configuration.get(ConfigurationKeys.ADMIN_ENABLED) ? bindAdmin(configuration) : null;
            proximity.load(TopologyFiles.read(configuration));
            proximity.open(FeedConfiguration.settings(configuration));
            Optional<AltoSnapshot> maps = AltoSources.read(configuration);
            PlacementFiles.Read first = PlacementFiles.read(configuration, workers.addresses());
            LivePlacement placement = new LivePlacement(first.placement());
            RecordStore store = opening.get();
            GnrsSettings settings = GnrsDoors.settings(configuration);
            sites = new PeerServers(configuration, settings, store, observer, placement, first, workers);
            GnrsDoors doors = new GnrsDoors(settings, store, placement, sites,
                    ordering(configuration, ConfigurationKeys.GNRS_ORDER, proximity));
            Reloads reloads =
                    new Reloads(configuration, source, sites, proximity, altos, handles, workers.addresses(), first);
            if (handles != null) {
                handles.prepare(store, workers.handleAddresses());
            }
            Server server = new Server(
                    configuration, store, workers, doors, sites, reloads, handles, proximity, altos, admin);
            sites.start();
            workers.start(configuration, doors::make, handles == null ? Server::noDoor : handles::make);
            if (handles != null) {
                handles.start(ordering(configuration, ConfigurationKeys.HANDLE_ORDER, proximity));
            }
            if (altos != null) {
                altos.start(maps);
            }
            server.ready = true;
            if (admin != null) {
                server.pages(admin);
                admin.start();
            }
            LOG.log(Logger.Level.INFO, "Guidepost {0} answers GNRS at {1}", BuildInfo.VERSION, server.gnrsText());
            return server;
        } catch (ConfigurationException | IOException | RuntimeException e) {
            if (sites != null) {
                sites.close();
            }
            if (workers != null) {
                workers.close();
            }
            if (handles != null) {
                handles.close();
            }
            if (altos != null) {
                altos.close();
            }
            proximity.close();
            if (admin != null) {
                admin.close();
            }
            opening.abandon();
            throw e;
        }
    }

    private static Door noDoor(int worker, InetSocketAddress port, Runnable wake) {
        throw new IllegalStateException("handles are not answered here");
    }

    private static Optional<Supplier<Ranking>> ordering(Configuration configuration, Key<LocatorOrder> key, OperatorTopology proximity) {
        return configuration.get(key) == LocatorOrder.NEAREST ? Optional.of(proximity.rankings()) : Optional.empty();
    }

    private static AdminPort bindAdmin(Configuration configuration) throws ConfigurationException, IOException {
        InetSocketAddress address = AddressParsing.admin(configuration);
        try {
            return AdminPort.bind(address, token(configuration));
        } catch (BindException e) {
            throw new IOException(
                    "admin port " + text(address) + " cannot be had (" + e.getMessage()
                            + "): stop what has it (ss -ltnp), or set admin.port or admin.enabled",
                    e);
        }
    }

    private static Optional<String> token(Configuration configuration) throws ConfigurationException {
        Path file = configuration.get(ConfigurationKeys.ADMIN_TOKEN);
        try {
            if (file.toString().isEmpty()) {
                return Optional.empty();
            }
            String token = Files.readString(file).lines().findFirst().orElse("").strip();
            if (token.isEmpty()) {
                throw AddressParsing.fault(configuration, ConfigurationKeys.ADMIN_TOKEN, "its first line is empty: write a token there");
            }
            return Optional.of(token);
        } catch (IOException e) {
            throw AddressParsing.fault(configuration, ConfigurationKeys.ADMIN_TOKEN, "cannot be read (" + e.getMessage() + ")");
        }
    }

    private void pages(AdminPort port) {
        port.get("/metrics", body -> new AdminPort.Answer(200, Exposition.CONTENT_TYPE, metrics()))
                .get("/status", body -> AdminPort.Answer.json(200, status()))
                .get("/live", body -> AdminPort.Answer.json(200, JsonPages.object("live", true)))
                .get("/ready", body -> AdminPort.Answer.json(isReady() ? 200 : 503, readiness()))
                .get("/health", body -> health())
                .get("/sites", body -> AdminPort.Answer.json(200, sites.json()))
                .get("/where", this::where)
                .getGuarded("/topology", body -> AdminPort.Answer.json(200, proximity.json()))
                .getGuarded("/feeds", body -> AdminPort.Answer.json(200, proximity.feedsJson()))
                .getGuarded("/oracle", this::complete)
                .post("/oracle", this::execute)
                .getGuarded("/rank", query -> RankExplanations.page(proximity.rankings().get(), query))
                .post("/reload", body -> reloads.run().answer())
                .post("/backup", this::backup)
                .post("/redump", body -> redump());
    }

    /** Whether all doors answer; ALTO does when its first maps are made. */
    private boolean isReady() {
        return ready && (altos == null || altos.isReady());
    }

    private Map<String, Object> readiness() {
        HandleServices answered = handles;
        return answered == null
                ? JsonPages.object("ready", isReady())
                : JsonPages.object("ready", isReady(), "writable", store.status().writable(), "prefixes", answered.homed());
    }

    private AdminPort.Answer health() {
        StoreStatus now = store.status();
        boolean well = ready && now.writable();
        return AdminPort.Answer.json(
                well ? 200 : 503,
                JsonPages.object(
                        "status", well ? "ok" : "failing",
                        "answering", ready,
                        "writable", now.writable(),
                        "trouble", now.trouble(),
                        "warming", now.warming(),
                        "prefixes", handles == null ? List.of() : handles.homed(),
                        "lastReload", reloads.last().text()));
    }

    private AdminPort.Answer where(String query) {
        try {
            if (query.startsWith("guid=")) {
                return AdminPort.Answer.json(200, sites.where(Guid.parse(query.substring("guid=".length()))));
            }
        } catch (Malformed e) {
            return AdminPort.Answer.json(400, JsonPages.object("error", String.valueOf(e.getMessage())));
        }
        return AdminPort.Answer.json(400, JsonPages.object("error", "say which: /where?guid= and 40 hexadecimal digits"));
    }

    private AdminPort.Answer execute(String line) {
        OracleConsole.Answer answer = console.execute(line.strip());
        return new AdminPort.Answer(answer.error() == 0 ? 200 : 422, "text/plain; charset=utf-8", answer.text());
    }

    private AdminPort.Answer complete(String query) {
        return query.startsWith("complete=")
                ? AdminPort.Answer.json(
                        200,
                        console.complete(URLDecoder.decode(query.substring("complete=".length()), StandardCharsets.UTF_8)))
                : AdminPort.Answer.json(400, JsonPages.object("error", "say what is to be completed: /oracle?complete=LINE"));
    }

    private AdminPort.Answer redump() {
        int sources = handles == null ? 0 : handles.redump();
        return sources == 0
                ? AdminPort.Answer.json(
                        409,
                        JsonPages.object(
                                "error",
                                "this server follows no other: set handle.mirror-site or handle.replication-primaries"))
                : AdminPort.Answer.json(200, JsonPages.object("sources", sources));
    }

    private AdminPort.Answer backup(String body) throws IOException {
        Path folder = Path.of(body.strip());
        if (body.isBlank() || !folder.isAbsolute()) {
            return AdminPort.Answer.json(400, JsonPages.object("error", "send the absolute path of a new folder as body"));
        }
        long begun = System.nanoTime();
        try {
            store.backup(folder);
        } catch (IOException e) {
            LOG.log(Logger.Level.WARNING, "backup to {0} failed: {1}", folder, e.getMessage());
            return AdminPort.Answer.json(500, JsonPages.object("error", String.valueOf(e.getMessage())));
        }
        long millis = (System.nanoTime() - begun) / 1_000_000;
        LOG.log(Logger.Level.INFO, "backup written to {0} in {1} ms", folder, millis);
        return AdminPort.Answer.json(200, JsonPages.object("folder", folder.toString(), "millis", millis));
    }

    private String metrics() {
        Exposition out = new Exposition();
        out.info("guidepost_build", "Which Guidepost this is.")
                .sample(1, "version", BuildInfo.VERSION, "java", Runtime.version().toString());
        workers.write(out);
        doors.write(out);
        sites.write(out);
        if (handles != null) {
            handles.write(out);
        }
        proximity.write(out);
        if (altos != null) {
            altos.write(out);
        }
        StoreMetrics.write(out, store.status());
        reloads.write(out);
        JvmMetrics.write(out);
        return out.finish();
    }

    private Map<String, Object> status() {
        return JsonPages.object(
                "version", BuildInfo.VERSION,
                "pid", ProcessHandle.current().pid(),
                "upSeconds", Duration.between(since, Instant.now()).toSeconds(),
                "gnrs", gnrsAddresses().stream().map(Server::text).toList(),
                "workers", workers.number(),
                "store", StoreMetrics.json(store.status()),
                "placement", reloads.last().placement(),
                "reload", reloads.last().text());
    }

    /** Reads the configuration and the files that it names again, as {@code guidepost reload} does. */
    public ReloadReport reload() {
        return reloads.run();
    }

    /** Where GNRS is answered. */
    public List<InetSocketAddress> gnrsAddresses() {
        return workers.addresses();
    }

    /** Where lists of addresses are ranked over UDP; empty if they are not. */
    public List<InetSocketAddress> proxidorAddresses() {
        return workers.proxidorAddresses();
    }

    /** Where handles are answered over UDP; empty if they are not. */
    public List<InetSocketAddress> handleUdpAddresses() {
        return workers.handleAddresses();
    }

    /** Where handles are answered over TCP; empty if they are not. */
    public List<InetSocketAddress> handleTcpAddresses() {
        return handles == null ? List.of() : handles.tcpAddresses();
    }

    /** Where handles are answered over HTTP and HTTPS, on one port; empty if they are not. */
    public List<InetSocketAddress> handleHttpAddresses() {
        return handles == null ? List.of() : handles.httpAddresses();
    }

    /** Where ALTO is answered over HTTP and HTTPS, on one port; empty if it is not. */
    public List<InetSocketAddress> altoAddresses() {
        return altos == null ? List.of() : altos.addresses();
    }

    /** Where routers tell over BGP; empty if they do not. */
    public Optional<InetSocketAddress> bgpAddress() {
        return proximity.feeds().flatMap(Feeds::bgpAddress);
    }

    /** The topology, for tools that run in the server's process. */
    public LiveNetwork network() {
        return proximity.network();
    }

    /** The records of handles, for tools that run in the server's process; empty if handles are not answered. */
    public Optional<HandleRecords> handleRecords() {
        return Optional.ofNullable(handles).map(HandleServices::records);
    }

    /** Who the server is among servers of handles; empty if handles are not answered. */
    public Optional<ServerIdentity> handleIdentity() {
        return Optional.ofNullable(handles).map(HandleServices::identity);
    }

    /** Names of the ports of frames that it answers on, without the kernel's sockets. */
    public List<String> framePorts() {
        return workers.framePorts();
    }

    private String gnrsText() {
        return String.join(", ", gnrsAddresses().stream().map(Server::text).toList());
    }

    /** Where the admin port is; empty if there is none. */
    public Optional<InetSocketAddress> adminAddress() {
        return Optional.ofNullable(admin).map(AdminPort::address);
    }

    /** The folder of the records. */
    public Path folder() {
        return started.get(ConfigurationKeys.STORE_FOLDER);
    }

    /** When writes are acknowledged. */
    public String durability() {
        return ValueKind.dashed(started.get(ConfigurationKeys.STORE_DURABILITY));
    }

    /** The records, for tools that run in the server's process. */
    public RecordStore store() {
        return store;
    }

    /** An address as people write it: brackets around IPv6. */
    public static String text(InetSocketAddress address) {
        String host = compressed(address.getAddress().getHostAddress());
        return (host.indexOf(':') < 0 ? host : "[" + host + "]") + ":" + address.getPort();
    }

    /** IPv6 with its first run of zeros left out (RFC 5952); IPv4 as it is. */
    private static String compressed(String host) {
        return host.replaceFirst("(^|:)0(:0)+(:|$)", "::");
    }

    /** Ends it: no more questions are taken, the writes taken are finished, the store is closed. */
    @Override
    public synchronized void close() {
        if (closed) {
            return;
        }
        closed = true;
        ready = false;
        if (admin != null) {
            admin.close();
        }
        sites.close();
        if (handles != null) {
            handles.close();
        }
        if (altos != null) {
            altos.close();
        }
        workers.close();
        proximity.close();
        doors.close();
        store.close();
        LOG.log(Logger.Level.INFO, "Guidepost has ended");
    }
}
