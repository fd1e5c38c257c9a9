package io.guidepost.server.admin;

import io.guidepost.base.AddressText;
import io.guidepost.server.BuildInfo;
import io.guidepost.server.config.Configuration;
import io.guidepost.server.config.ConfigurationException;
import io.guidepost.server.config.ConfigurationKeys;
import io.guidepost.server.console.Console;
import io.guidepost.server.gnrs.GnrsService;
import io.guidepost.server.http.HttpServer;
import io.guidepost.server.http.epoll.ConnectionTransport;
import io.guidepost.server.http.tls.TlsCertificates;
import io.guidepost.server.http.tls.TlsContext;
import io.guidepost.server.metrics.Exposition;
import io.guidepost.server.metrics.JvmMetrics;
import io.guidepost.server.metrics.StoreMetrics;
import io.guidepost.server.service.ConditionMonitor;
import io.guidepost.server.service.Endpoint;
import io.guidepost.server.service.HealthCondition;
import io.guidepost.server.service.Reloads;
import io.guidepost.server.service.ServerContext;
import io.guidepost.server.service.Service;
import io.guidepost.server.service.Staged;
import io.guidepost.store.RecordStore;
import io.guidepost.store.StoreStatus;
import io.guidepost.web.HttpResponse;
import io.guidepost.web.JsonWriter;
import java.io.IOException;
import java.lang.System.Logger;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The admin port: how the server is, what it counted, reload and backup; and the pages of each service. */
public final class AdminService implements Service {
    public static final String NAME = "admin";

    private static final Logger LOG = System.getLogger(AdminService.class.getName());

    private static final Pattern BACKUP_NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,99}");

    private final Configuration configuration;
    private final Reloads reloads;
    private final int workers;
    private final List<Service> services;
    private final ConditionMonitor conditions;
    private final Consumer<Exposition> workerMetrics;
    private final Supplier<Map<String, Object>> busiest;
    private final AdminPort.Page upgrade;
    private final Instant since = Instant.now();
    private @Nullable AdminPort port;
    private @Nullable TlsContext tls;
    private @Nullable RecordStore store;
    private volatile @Nullable Console console;

    /**
     * Makes it.
     *
     * @param services of the server, complete when this is started
     * @param conditions of all of them
     * @param workerMetrics writes what ports and workers counted
     * @param busiest who is, over datagrams
     * @param upgrade starts another process in place of this one
     */
    public AdminService(
            ServerContext context,
            List<Service> services,
            ConditionMonitor conditions,
            Consumer<Exposition> workerMetrics,
            Supplier<Map<String, Object>> busiest,
            AdminPort.Page upgrade) {
        this.configuration = context.configuration();
        this.reloads = context.reloads();
        this.workers = context.workers();
        this.services = services;
        this.conditions = conditions;
        this.workerMetrics = workerMetrics;
        this.busiest = busiest;
        this.upgrade = upgrade;
    }

    @Override
    public void bind() throws ConfigurationException, IOException {
        InetSocketAddress address = new InetSocketAddress(
                configuration.get(ConfigurationKeys.ADMIN_ADDRESS), configuration.get(ConfigurationKeys.ADMIN_PORT).intValue());
        port = AdminPort.bind(
                ConnectionTransport.of(configuration.get(ConfigurationKeys.SERVER_BACK_END)),
                address,
                new AuditLog(storeFolder()),
                token(configuration));
        tls = tls(configuration);
    }

    @Override
    public void takeAlone() throws IOException {
        Path socket = configuration.get(ConfigurationKeys.ADMIN_SOCKET);
        if (!socket.toString().isEmpty()) {
            Objects.requireNonNull(port).listen(socket);
        }
    }

    @Override
    public void giveUp() {
        Objects.requireNonNull(port).giveUp();
    }

    @Override
    public List<HttpServer> listeners() {
        return List.of(Objects.requireNonNull(port).listener());
    }

    /** Returns TLS for an address that other machines reach; null for loopback, where plain HTTP is spoken. */
    private @Nullable TlsContext tls(Configuration wanted) throws ConfigurationException {
        boolean local = configuration.get(ConfigurationKeys.ADMIN_ADDRESS).isLoopbackAddress();
        return local ? null : TlsCertificates.modern(wanted).orElse(null);
    }

    /** Returns the token that changes need; empty if they need none. */
    public static Optional<String> token(Configuration configuration) throws ConfigurationException {
        try {
            return token(configuration.get(ConfigurationKeys.ADMIN_TOKEN));
        } catch (IOException e) {
            throw configuration.fault(ConfigurationKeys.ADMIN_TOKEN, String.valueOf(e.getMessage()));
        }
    }

    /**
     * Returns the token of a file; none if the path is empty.
     *
     * @throws IOException that says in one line what is wrong with it
     */
    public static Optional<String> token(Path file) throws IOException {
        if (file.toString().isEmpty()) {
            return Optional.empty();
        }
        String token;
        try {
            token = Files.readString(file).lines().findFirst().orElse("").strip();
        } catch (IOException e) {
            throw new IOException("cannot be read (" + e.getMessage() + ")", e);
        }
        if (token.isEmpty()) {
            throw new IOException("its first line is empty: write a token there");
        }
        return Optional.of(token);
    }

    @Override
    public Staged stage(Configuration next) throws ConfigurationException {
        Optional<String> token = token(next);
        TlsContext nextTls = tls(next);
        return () -> {
            Objects.requireNonNull(port).token(token);
            Objects.requireNonNull(port).follow(nextTls);
        };
    }

    @Override
    public void prepare(RecordStore records) {
        store = records;
    }

    @Override
    public void start() {
        AdminPort bound = port;
        RecordStore records = store;
        if (bound == null || records == null) {
            throw new IllegalStateException("the store is not open yet");
        }
        bound.get("/metrics", _ -> HttpResponse.of(200, Exposition.CONTENT_TYPE, metrics(records)))
                .get("/status", _ -> AdminPort.json(200, status(records)))
                .getGuarded("/busiest", _ -> AdminPort.json(200, busiest.get()))
                .get("/live", _ -> AdminPort.json(200, JsonWriter.object("live", true)))
                .get("/ready", _ -> readiness(records))
                .get("/health", _ -> health(records))
                .post("/reload", _ -> reloads.run(services).answer())
                .post("/backup", name -> backup(records, name.strip()))
                .post(AdminPort.UPGRADE, upgrade)
                .post("/redump", _ -> followsNone());
        services.forEach(each -> each.pages(bound));
        Console made = new Console(
                bound, configuration, records, () -> metrics(records), () -> conditions.look().toString(), gnrsAddress());
        made.addPages();
        console = made;
        bound.start(tls);
    }

    private Optional<InetSocketAddress> gnrsAddress() {
        return services.stream()
                .flatMap(each -> each.endpoints().stream())
                .filter(each -> each.service().equals(GnrsService.NAME) && each.port().isEmpty())
                .map(Endpoint::address)
                .findFirst();
    }

    private HttpResponse readiness(RecordStore records) {
        boolean ready = services.stream().allMatch(each -> each.health().ready())
                && conditions.look().stream().allMatch(HealthCondition::ready);
        Map<String, Object> told = JsonWriter.object("ready", ready, "writable", records.status().writable());
        services.forEach(each -> told.putAll(each.health().facts()));
        return AdminPort.json(ready ? 200 : 503, told);
    }

    private HttpResponse health(RecordStore records) {
        StoreStatus now = records.status();
        List<HealthCondition> reasons = conditions.look();
        Map<String, Object> told = JsonWriter.object(
                "status", !now.writable() ? "failing" : reasons.isEmpty() ? "ok" : "degraded",
                "reasons", reasons.stream()
                        .map(each -> JsonWriter.object("condition", each.name(), "detail", each.detail(), "ready", each.ready()))
                        .toList(),
                "answering", true,
                "writable", now.writable(),
                "trouble", now.trouble(),
                "warming", now.warming(),
                "prefixes", List.of(),
                "lastReload", reloads.last().text());
        services.forEach(each -> told.putAll(each.health().facts()));
        return AdminPort.json(now.writable() ? 200 : 503, told);
    }

    private Map<String, Object> status(RecordStore records) {
        List<Endpoint> endpoints = services.stream().flatMap(each -> each.endpoints().stream()).toList();
        return JsonWriter.object(
                "version", BuildInfo.VERSION,
                "pid", ProcessHandle.current().pid(),
                "upSeconds", Duration.between(since, Instant.now()).toSeconds(),
                "gnrs", endpoints.stream()
                        .filter(each -> each.service().equals(GnrsService.NAME))
                        .map(each -> AddressText.of(each.address()))
                        .toList(),
                "endpoints", endpoints.stream().map(Endpoint::json).toList(),
                "workers", workers,
                "store", StoreMetrics.json(records.status()),
                "placement", reloads.last().placement(),
                "reload", reloads.last().text());
    }

    private String metrics(RecordStore records) {
        Exposition out = new Exposition();
        out.info("guidepost_build", "Which Guidepost this is.")
                .sample(1, "version", BuildInfo.VERSION, "java", Runtime.version().toString());
        workerMetrics.accept(out);
        services.forEach(each -> each.write(out));
        StoreMetrics.write(out, records.status());
        StoreMetrics.write(out, storeFolder());
        reloads.write(out);
        conditions.write(out);
        JvmMetrics.write(out);
        Optional.ofNullable(console).ifPresent(each -> each.write(out));
        return out.finish();
    }

    private Path storeFolder() {
        return configuration.get(ConfigurationKeys.STORE_FOLDER);
    }

    private HttpResponse backup(RecordStore records, String name) {
        if (!BACKUP_NAME.matcher(name).matches()) {
            return AdminPort.error(
                    400,
                    "'" + name + "' is no name of a backup: write letters, digits, '.', '_' and '-', the first a letter or digit, 100 at"
                            + " most; it is made in " + ConfigurationKeys.ADMIN_BACKUP_FOLDER.name());
        }
        Path all = configuration.get(ConfigurationKeys.ADMIN_BACKUP_FOLDER).toAbsolutePath();
        Path folder = all.resolve(name);
        long begun = System.nanoTime();
        try {
            Files.createDirectories(all);
            records.backup(folder);
            StoreMetrics.backedUp(storeFolder());
        } catch (IOException e) {
            LOG.log(Logger.Level.WARNING, "backup to {0} failed: {1}", folder, e.getMessage());
            return AdminPort.error(500, String.valueOf(e.getMessage()));
        }
        long millis = (System.nanoTime() - begun) / 1_000_000;
        LOG.log(Logger.Level.INFO, "backup written to {0} in {1} ms", folder, millis);
        return AdminPort.json(200, JsonWriter.object("folder", folder.toString(), "millis", millis));
    }

    /** Says that there is nothing to fetch again. */
    public static HttpResponse followsNone() {
        return AdminPort.error(409, "this server follows no other: set handle.mirror-site or handle.replication-primaries");
    }

    @Override
    public List<Endpoint> endpoints() {
        AdminPort bound = port;
        return bound == null
                ? List.of()
                : List.of(Endpoint.of(
                        NAME,
                        Endpoint.Transport.HTTP,
                        bound.address(),
                        "HTTP: /ui/ /metrics /health /status /sites /topology"));
    }

    @Override
    public void stop() {
        if (console != null) {
            console.close();
        }
        if (port != null) {
            port.close();
        }
    }
}
