package io.guidepost.server.alto;

import io.guidepost.alto.AltoSnapshot;
import io.guidepost.alto.map.TopologyMapBuilder;
import io.guidepost.alto.service.AltoDispatcher;
import io.guidepost.alto.service.CrossOrigin;
import io.guidepost.base.AddressText;
import io.guidepost.base.Addresses;
import io.guidepost.base.Prefix;
import io.guidepost.proximity.ranking.LiveNetwork;
import io.guidepost.server.config.Configuration;
import io.guidepost.server.config.ConfigurationException;
import io.guidepost.server.config.ConfigurationKeys;
import io.guidepost.server.config.FileCheck;
import io.guidepost.server.config.Key;
import io.guidepost.server.config.TopologyKeys;
import io.guidepost.server.http.HttpServer;
import io.guidepost.server.http.HttpServerSettings;
import io.guidepost.server.http.RequestHandler;
import io.guidepost.server.http.tls.GeneratedCertificate;
import io.guidepost.server.http.tls.TlsCertificates;
import io.guidepost.server.http.tls.TlsContext;
import io.guidepost.server.metrics.Exposition;
import io.guidepost.server.service.Endpoint;
import io.guidepost.server.service.Service;
import io.guidepost.server.service.ServiceHealth;
import io.guidepost.server.service.Staged;
import io.guidepost.web.HttpRequest;
import io.guidepost.web.HttpResponse;
import java.io.IOException;
import java.lang.System.Logger;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The ALTO service: which clients may ask, what they are told, and the host of its port. */
public final class AltoService implements Service {
    public static final String NAME = "alto";

    private static final Logger LOG = System.getLogger(AltoService.class.getName());
    private static final int FORBIDDEN = 403;

    /** Lists of endpoints as long as this are answered at once: some microseconds of work, and not worth compressing. */
    private static final int QUICK_BYTES_MAX = 8 << 10;

    /** Longer ones, for who does not take compressed answers. */
    private static final int QUICK_PLAIN_BYTES_MAX = 16 << 10;

    /** Keys whose change makes all maps and resources anew. */
    private static final Set<Key<?>> MAPPED = Set.of(
            TopologyKeys.ALTO_METRICS,
            TopologyKeys.ALTO_CALENDARS,
            TopologyKeys.ALTO_PID_NAMES,
            TopologyKeys.ALTO_TELLS,
            TopologyKeys.ALTO_VIEWS);

    private final Configuration configuration;
    private final HttpServer host;
    private final List<InetAddress> listen;
    private final List<InetSocketAddress> addresses;
    private final AltoPublisher telling;
    private final AltoMetrics metrics;

    private volatile List<Prefix> allowed;
    private volatile Configuration inForce;
    private Optional<AltoSnapshot> files = Optional.empty();

    /**
     * Takes the port.
     *
     * @param network what is told of, where there are no files
     * @throws IOException in one line, if it cannot be had, or the key of the names of PIDs cannot
     */
    public AltoService(Configuration configuration, LiveNetwork network) throws IOException {
        this.configuration = configuration;
        this.inForce = configuration;
        this.allowed = configuration.get(TopologyKeys.ALTO_ALLOW);
        this.telling = new AltoPublisher(
                network, AltoSources.settings(configuration), configuration.get(TopologyKeys.ALTO_VIEWS));
        this.listen = configuration.get(TopologyKeys.ALTO_LISTEN);
        this.host = new HttpServer(HttpServerSettings.of(configuration), NAME);
        this.metrics = new AltoMetrics(host, telling);
        try {
            this.addresses = host.listen(
                    listen, configuration.get(TopologyKeys.ALTO_HTTP_PORT).intValue(), "alto.http-port");
        } catch (IOException e) {
            host.close();
            throw e;
        }
    }

    @Override
    public void bind() throws ConfigurationException, IOException {
        files = AltoSources.read(configuration);
    }

    @Override
    public List<HttpServer> listeners() {
        return List.of(host);
    }

    /** Tells what there is, and lets connections in as soon as it can; until then they wait. */
    @Override
    public void start() throws ConfigurationException, IOException {
        TlsContext tls = tls(configuration);
        telling.start(files, () -> {
            host.start(new Telling(), tls);
            LOG.log(Logger.Level.INFO, "ALTO is answered over HTTP at {0}",
                    addresses.stream().map(AddressText::of).collect(Collectors.joining(", ")));
        });
    }

    /** Is ready when the first maps are made. */
    @Override
    public ServiceHealth health() {
        return new ServiceHealth(telling.isReady(), Map.of());
    }

    /** Reads its files, as {@link #bind} and {@link #start} do. */
    public static void check(FileCheck files) {
        files.read(TopologyKeys.ALTO_MAP_FILES, () -> AltoSources.read(files.configuration()));
        files.read(ConfigurationKeys.HTTP_TLS_CERTIFICATE, () -> TlsCertificates.of(files.configuration(), false));
    }

    private TlsContext tls(Configuration wanted) throws ConfigurationException, IOException {
        return GeneratedCertificate.unlessNamed(wanted, configuration.get(TopologyKeys.ALTO_FOLDER), listen, false);
    }

    @Override
    public Staged stage(Configuration next) throws ConfigurationException, IOException {
        Optional<AltoSnapshot> read = AltoSources.read(next);
        List<Prefix> clients = next.get(TopologyKeys.ALTO_ALLOW);
        TopologyMapBuilder.Settings settings = AltoSources.settings(next);
        boolean others = inForce.changed(next).stream().anyMatch(MAPPED::contains);
        TlsContext tls = tls(next);
        HttpServerSettings connections = HttpServerSettings.of(next);
        return () -> {
            inForce = next;
            if (others) {
                telling.change(settings, next.get(TopologyKeys.ALTO_VIEWS));
            }
            telling.load(read);
            allowed = clients;
            host.follow(connections, tls);
        };
    }

    private final class Telling implements RequestHandler {
        /** Finds the edition that answers a request; empty if the client may not ask, or there is nothing to publish. */
        private Optional<AltoPublisher.Edition> edition(HttpRequest request) {
            InetAddress address = request.peer().getAddress();
            long high = Addresses.high(address);
            long low = Addresses.low(address);
            return allowed.stream().anyMatch(each -> each.contains(high, low)) ? telling.edition(high, low) : Optional.empty();
        }

        @Override
        public @Nullable HttpResponse atOnce(HttpRequest request) {
            int length = request.body().length;
            boolean quick = length > 0
                    && (length <= QUICK_BYTES_MAX
                            || length <= QUICK_PLAIN_BYTES_MAX && request.header("accept-encoding").isEmpty());
            HttpResponse answer =
                    quick ? edition(request).map(each -> each.service().atOnce(request)).orElse(null) : null;
            return answer == null ? null : readable(request, answer);
        }

        /** Pages of other origins read what everyone may: elsewhere the client's address is its credential, and not theirs. */
        private HttpResponse readable(HttpRequest request, HttpResponse answer) {
            boolean everyone = allowed.stream().anyMatch(each -> each.length() == 0);
            return everyone && inForce.get(TopologyKeys.ALTO_VIEWS).isEmpty() ? CrossOrigin.readable(request, answer) : answer;
        }

        @Override
        public boolean lasts(HttpRequest request) {
            return edition(request)
                    .filter(each -> each.streams().lasts(request) || each.tips().lasts(request))
                    .isPresent();
        }

        @Override
        public HttpResponse answer(HttpRequest request) {
            HttpResponse answer = readable(request, edition(request)
                    .map(each -> each.service().answer(request))
                    .orElseGet(() -> AltoDispatcher.fault(FORBIDDEN, "your address is not in alto.allow")));
            boolean viewed = !inForce.get(TopologyKeys.ALTO_VIEWS).isEmpty();
            return viewed && !answer.has("Cache-Control") ? answer.with("Cache-Control", "private") : answer;
        }

        @Override
        public HttpResponse busy(HttpRequest request) {
            metrics.add(503);
            return AltoDispatcher.fault(503, "the server is too busy").with("Retry-After", "1");
        }

        @Override
        public HttpResponse failed(HttpRequest request) {
            return AltoDispatcher.fault(500, "the server failed");
        }

        @Override
        public void answered(HttpRequest request, int status, long nanos) {
            metrics.add(status);
        }
    }

    @Override
    public List<Endpoint> endpoints() {
        return addresses.stream()
                .map(each -> Endpoint.of(NAME, Endpoint.Transport.HTTP, each, "ALTO over HTTP and HTTPS"))
                .toList();
    }

    @Override
    public void write(Exposition out) {
        metrics.write(out);
    }

    @Override
    public void close() {
        telling.close();
        host.close();
    }
}
