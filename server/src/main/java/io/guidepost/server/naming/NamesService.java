package io.guidepost.server.naming;

import io.guidepost.base.AddressText;
import io.guidepost.naming.NameDirectory;
import io.guidepost.naming.NameIndex;
import io.guidepost.naming.NameSettings;
import io.guidepost.naming.NamesApi;
import io.guidepost.naming.WriterTokens;
import io.guidepost.server.config.Configuration;
import io.guidepost.server.config.ConfigurationException;
import io.guidepost.server.config.ConfigurationKeys;
import io.guidepost.server.config.FileCheck;
import io.guidepost.server.config.LocatorOrder;
import io.guidepost.server.config.NamesKeys;
import io.guidepost.server.config.StoreConfiguration;
import io.guidepost.server.config.TopologyKeys;
import io.guidepost.server.gnrs.GnrsSiteGateway;
import io.guidepost.server.http.HttpServer;
import io.guidepost.server.http.HttpServerSettings;
import io.guidepost.server.http.RequestHandler;
import io.guidepost.server.http.tls.GeneratedCertificate;
import io.guidepost.server.http.tls.TlsCertificates;
import io.guidepost.server.http.tls.TlsContext;
import io.guidepost.server.metrics.Exposition;
import io.guidepost.server.service.Endpoint;
import io.guidepost.server.service.ServerContext;
import io.guidepost.server.service.Service;
import io.guidepost.server.service.Staged;
import io.guidepost.store.RecordStore;
import io.guidepost.store.StoreOptions;
import io.guidepost.web.DeferredReply;
import io.guidepost.web.HttpRequest;
import io.guidepost.web.HttpResponse;
import java.io.IOException;
import java.lang.System.Logger;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The names service: the API of {@code naming} on the shared HTTP stack. */
public final class NamesService implements Service {
    public static final String NAME = "names";

    private static final Logger LOG = System.getLogger(NamesService.class.getName());

    private final ServerContext context;
    private final GnrsSiteGateway sites;
    private final HttpServer host;
    private final List<InetAddress> listen;
    private final List<InetSocketAddress> addresses;
    private final NameDirectory names;
    private final NamesMetrics metrics;
    private final List<Thread> threads = new ArrayList<>();

    /** Whether the records are in a cluster, which other servers change too: it lists names by itself, and tells no changes. */
    private final boolean shared;

    private volatile Configuration inForce;
    private @Nullable RecordStore store;

    /**
     * Takes the port, and reads the file of tokens.
     *
     * @param gnrs where this server answers GNRS
     * @throws IOException in one line, if one cannot be had
     */
    public NamesService(ServerContext context, Supplier<List<InetSocketAddress>> gnrs) throws ConfigurationException, IOException {
        Configuration configuration = context.configuration();
        this.context = context;
        this.inForce = configuration;
        this.shared = StoreConfiguration.isShared(configuration);
        this.sites = new GnrsSiteGateway(
                () -> inForce.get(ConfigurationKeys.GNRS_ENABLED)
                        && !inForce.get(ConfigurationKeys.PLACEMENT_BINDINGS).toString().isEmpty(),
                gnrs);
        this.names = new NameDirectory(
                settings(configuration), configuration.get(NamesKeys.NAMES_HISTORY_BYTES), System::nanoTime);
        this.listen = configuration.get(NamesKeys.NAMES_LISTEN);
        this.host = new HttpServer(HttpServerSettings.of(configuration), NAME);
        this.metrics = new NamesMetrics(host, names);
        try {
            this.addresses = host.listen(listen, configuration.get(NamesKeys.NAMES_HTTP_PORT).intValue(), "names.http-port");
        } catch (IOException e) {
            host.close();
            throw e;
        }
    }

    private static NameSettings settings(Configuration configuration) throws ConfigurationException {
        return new NameSettings(
                configuration.get(NamesKeys.NAMES_READERS),
                configuration.get(NamesKeys.NAMES_WRITERS),
                tokens(configuration),
                configuration.get(TopologyKeys.PROXIMITY_ORDER) == LocatorOrder.NEAREST);
    }

    private static WriterTokens tokens(Configuration configuration) throws ConfigurationException {
        Path file = configuration.get(NamesKeys.NAMES_TOKENS);
        if (file.toString().isEmpty()) {
            return WriterTokens.NONE;
        }
        try {
            return WriterTokens.read(file);
        } catch (IOException e) {
            throw configuration.fault(NamesKeys.NAMES_TOKENS, String.valueOf(e.getMessage()));
        }
    }

    /** Reads its files, as a start does. */
    public static void check(FileCheck files) {
        files.read(NamesKeys.NAMES_TOKENS, () -> tokens(files.configuration()));
        files.read(ConfigurationKeys.HTTP_TLS_CERTIFICATE, () -> TlsCertificates.of(files.configuration(), false));
    }

    @Override
    public StoreOptions store(StoreOptions options) {
        return shared ? options : names.store(options);
    }

    @Override
    public List<HttpServer> listeners() {
        return List.of(host);
    }

    @Override
    public void prepare(RecordStore records) throws IOException {
        names.open(records, sites, context.network()::current, InstantSource.system(), new SecureRandom());
        store = records;
    }

    @Override
    public void start() throws ConfigurationException, IOException {
        if (!shared) {
            threads.add(Thread.ofPlatform().daemon(true).name("guidepost-names-watch").start(names::tell));
            threads.add(Thread.ofVirtual().name("names-leases").start(names::expire));
            threads.add(Thread.ofVirtual().name("names-index").start(this::complete));
        }
        host.start(new ApiHandler(new NamesApi(names)), tls(context.configuration(), names.settings()));
        LOG.log(Logger.Level.INFO, "names are answered over HTTP at {0}",
                addresses.stream().map(AddressText::of).collect(Collectors.joining(", ")));
    }

    /** Sees to it that names which are older than the index are listed. */
    private void complete() {
        RecordStore records = store;
        try {
            long found = records == null ? 0 : NameIndex.complete(records);
            if (found > 0) {
                LOG.log(Logger.Level.INFO, "{0} names are in lists now", found);
            }
        } catch (IOException | RuntimeException e) {
            LOG.log(Logger.Level.WARNING, "lists may miss names until the next start: {0}", e.getMessage());
        }
    }

    private TlsContext tls(Configuration wanted, NameSettings settings) throws ConfigurationException, IOException {
        Path own = context.configuration().get(NamesKeys.NAMES_FOLDER);
        return GeneratedCertificate.unlessNamed(wanted, own, listen, settings.tokens().haveCertificates());
    }

    @Override
    public Staged stage(Configuration next) throws ConfigurationException, IOException {
        NameSettings settings = settings(next);
        TlsContext tls = tls(next, settings);
        HttpServerSettings connections = HttpServerSettings.of(next);
        return () -> {
            inForce = next;
            names.follow(settings);
            host.follow(connections, tls);
        };
    }

    private final class ApiHandler implements RequestHandler {
        private final NamesApi api;

        ApiHandler(NamesApi api) {
            this.api = api;
        }

        @Override
        public @Nullable HttpResponse atOnce(HttpRequest request) {
            return api.atOnce(request);
        }

        @Override
        public boolean begin(HttpRequest request, DeferredReply reply) {
            return api.begin(request, reply);
        }

        @Override
        public boolean lasts(HttpRequest request) {
            return NamesApi.watches(request);
        }

        @Override
        public HttpResponse answer(HttpRequest request) {
            return api.answer(request);
        }

        @Override
        public HttpResponse busy(HttpRequest request) {
            return NamesApi.busy(NamesApi.watches(request)
                    ? "as many watchers as http.requests-max permits are there already"
                    : "the server is too busy");
        }

        @Override
        public HttpResponse failed(HttpRequest request) {
            return NamesApi.failed();
        }

        @Override
        public void answered(HttpRequest request, int status, long nanos) {
            metrics.add(status);
        }
    }

    @Override
    public List<Endpoint> endpoints() {
        return addresses.stream()
                .map(each -> Endpoint.of(NAME, Endpoint.Transport.HTTP, each, "names over HTTP and HTTPS: /v1/openapi.json"))
                .toList();
    }

    @Override
    public Map<String, Object> summary() {
        return Map.of("names.tokens", names.settings().tokens().size());
    }

    @Override
    public void write(Exposition out) {
        metrics.write(out);
    }

    @Override
    public void stop() {
        threads.forEach(Thread::interrupt);
    }

    @Override
    public void close() {
        stop();
        host.close();
        sites.close();
    }
}
