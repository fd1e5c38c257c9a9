package io.guidepost.server;

import io.guidepost.alto.AltoService;
import io.guidepost.alto.Information;
import io.guidepost.packet.Addresses;
import io.guidepost.proximity.Prefix;
import io.guidepost.proximity.ranking.LiveNetwork;
import io.guidepost.server.web.Answers;
import io.guidepost.server.web.Certificates;
import io.guidepost.server.web.Host;
import io.guidepost.server.web.HostSettings;
import io.guidepost.server.web.OwnCertificate;
import io.guidepost.web.HttpRequest;
import io.guidepost.web.HttpResponse;
import io.netty.handler.ssl.SslContext;
import java.io.IOException;
import java.lang.System.Logger;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The ALTO door of a server: who may ask, what is told, and the host of its port. The port is had first. */
final class Altos implements AutoCloseable {
    private static final Logger LOG = System.getLogger(Altos.class.getName());
    private static final int FORBIDDEN = 403;

    /** Lists of endpoints as long as this are answered at once: some microseconds of work, and not worth compressing. */
    private static final int QUICK_BYTES_MAX = 8 << 10;

    /** Longer ones, for who does not take compressed answers. */
    private static final int QUICK_PLAIN_BYTES_MAX = 16 << 10;

    private final Configuration configuration;
    private final Host host;
    private final List<InetAddress> listen;
    private final List<InetSocketAddress> addresses;
    private final List<Prefix> allowed;
    private final AltoTelling telling;
    private final AltoMetrics metrics;

    /** Whether clients are told differently, so that no cache between may give one's answer to another. */
    private final boolean viewed;

    private Altos(
            Configuration configuration,
            Host host,
            List<InetAddress> listen,
            List<InetSocketAddress> addresses,
            List<Prefix> allowed,
            AltoTelling telling) {
        this.configuration = configuration;
        this.host = host;
        this.listen = listen;
        this.addresses = addresses;
        this.allowed = allowed;
        this.telling = telling;
        this.metrics = new AltoMetrics(host, telling);
        this.viewed = !configuration.get(ProximityKeys.ALTO_VIEWS).isEmpty();
    }

    /**
     * Has the port.
     *
     * @param network what is told of, where there are no files
     * @throws IOException in one line, if it cannot be had, or the key of the names of PIDs cannot
     */
    static Altos open(Configuration configuration, LiveNetwork network) throws ConfigurationException, IOException {
        List<Prefix> allowed = Addressing.prefixes(configuration, ProximityKeys.ALTO_ALLOW);
        AltoTelling telling = new AltoTelling(
                network, AltoInformation.settings(configuration), AltoInformation.views(configuration));
        List<InetAddress> listen = Addressing.listen(configuration, ProximityKeys.ALTO_LISTEN);
        Host host = new Host(settings(configuration), "alto");
        try {
            List<InetSocketAddress> had = host.listen(
                    listen, configuration.get(ProximityKeys.ALTO_HTTP_PORT).intValue(), "alto.http-port");
            return new Altos(configuration, host, listen, had, allowed, telling);
        } catch (IOException e) {
            host.close();
            throw e;
        }
    }

    private static HostSettings settings(Configuration configuration) throws ConfigurationException {
        long loops = configuration.get(ProximityKeys.ALTO_LOOPS);
        return new HostSettings(
                configuration.get(Keys.SERVER_TRANSPORT),
                loops > 0 ? (int) loops : Math.max(1, Runtime.getRuntime().availableProcessors() / 2),
                configuration.get(ProximityKeys.ALTO_CONNECTIONS_MAX).intValue(),
                configuration.get(ProximityKeys.ALTO_IN_FLIGHT_MAX).intValue(),
                configuration.get(ProximityKeys.ALTO_LASTING_MAX).intValue(),
                HostSettings.STANDARD.idleMillis(),
                HostSettings.STANDARD.partMillis(),
                HostSettings.STANDARD.receiverMillis(),
                HostSettings.STANDARD.bodyBytesMax(),
                Addressing.prefixes(configuration, ProximityKeys.ALTO_TRUSTED_PROXIES),
                false);
    }

    /** Tells what there is, and lets connections in as soon as it can; until then they wait. */
    void start(Optional<Information> files) throws IOException {
        SslContext tls = tls();
        telling.start(files, () -> {
            host.start(new Telling(), tls);
            LOG.log(Logger.Level.INFO, "ALTO is answered over HTTP at {0}", addresses);
        });
    }

    /** Whether connections are let in. */
    boolean isReady() {
        return telling.isReady();
    }

    private SslContext tls() throws IOException {
        Path chain = configuration.get(ProximityKeys.ALTO_TLS_CERTIFICATE);
        return chain.toString().isEmpty()
                ? OwnCertificate.of(
                        configuration.get(ProximityKeys.ALTO_FOLDER),
                        "Guidepost",
                        listen.stream().filter(each -> !each.isAnyLocalAddress()).toList(),
                        new SecureRandom())
                : Certificates.ofFiles(
                        chain,
                        configuration.get(ProximityKeys.ALTO_TLS_KEY),
                        configuration.get(ProximityKeys.ALTO_TLS_PASSWORD_FILE),
                        false);
    }

    /** Tells what files say that were read again. */
    void load(Optional<Information> files) {
        telling.load(files);
    }

    /** Answers whoever may ask. */
    private final class Telling implements Answers {
        /** Who answers a request; empty if whoever asks may not, or there is nothing to tell. */
        private Optional<AltoTelling.Edition> edition(HttpRequest request) {
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
            return quick ? edition(request).map(each -> each.service().atOnce(request)).orElse(null) : null;
        }

        @Override
        public boolean lasts(HttpRequest request) {
            return edition(request)
                    .filter(each -> each.streams().lasts(request) || each.tips().lasts(request))
                    .isPresent();
        }

        @Override
        public HttpResponse answer(HttpRequest request) {
            HttpResponse answer = edition(request)
                    .map(each -> each.service().answer(request))
                    .orElseGet(() -> AltoService.fault(FORBIDDEN, "whoever has your address may not ask here"));
            return viewed && !answer.has("Cache-Control") ? answer.with("Cache-Control", "private") : answer;
        }

        @Override
        public HttpResponse busy(HttpRequest request) {
            metrics.add(503);
            return AltoService.fault(503, "the server is too busy").with("Retry-After", "1");
        }

        @Override
        public HttpResponse failed(HttpRequest request) {
            return AltoService.fault(500, "the server failed");
        }

        @Override
        public void answered(HttpRequest request, int status, long nanos) {
            metrics.add(status);
        }
    }

    /** Where HTTP and HTTPS are spoken. */
    List<InetSocketAddress> addresses() {
        return addresses;
    }

    void write(Exposition out) {
        metrics.write(out);
    }

    @Override
    public void close() {
        telling.close();
        host.close();
    }
}
