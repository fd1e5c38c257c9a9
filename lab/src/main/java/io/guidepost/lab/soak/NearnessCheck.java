package io.guidepost.lab.soak;

import io.guidepost.alto.client.AltoClient;
import io.guidepost.alto.protocol.Candidate;
import io.guidepost.alto.protocol.RankClient;
import io.guidepost.alto.proxidor.ProxidorClient;
import io.guidepost.base.Malformed;
import io.guidepost.server.cli.TopologyDemo;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** A client that asks in which order three mirrors are near, which the topology of the demonstration says once and for all. */
final class NearnessCheck implements SteadyClient.Request, AutoCloseable {
    private static final Duration TIMEOUT = Duration.ofSeconds(2);

    private final String door;
    private final RankClient client;
    private final BrokenPromises broken;
    private final List<Candidate> mirrors = new ArrayList<>();
    private volatile int ttlSeconds;

    private NearnessCheck(String door, RankClient client, BrokenPromises broken) {
        this.door = door;
        this.client = client;
        this.broken = broken;
        try {
            for (String each : TopologyDemo.MIRRORS) {
                mirrors.add(Candidate.parse(each));
            }
        } catch (Malformed e) {
            throw new AssertionError("the demonstration's mirrors are addresses", e);
        }
    }

    static NearnessCheck overProxidor(InetSocketAddress server, BrokenPromises broken) throws IOException {
        return new NearnessCheck("Proxidor", ProxidorClient.open(server, TIMEOUT, 1, new SecureRandom()), broken);
    }

    static NearnessCheck overAlto(InetSocketAddress server, BrokenPromises broken) {
        URI directory = URI.create("http://" + server.getAddress().getHostAddress() + ":" + server.getPort() + "/directory");
        return new NearnessCheck("ALTO", new AltoClient(directory, HttpClient.newHttpClient(), TIMEOUT), broken);
    }

    @Override
    public void send() throws IOException {
        RankClient.Ranked ranked = client.rank(mirrors, Optional.empty());
        ttlSeconds = ranked.ttlSeconds();
        if (!ranked.order().equals(mirrors.reversed())) {
            broken.add("places are told nearest first", door + " ranks " + ranked.order());
        }
    }

    /** Returns how long the last answer may be used, in seconds; the configuration says it. */
    int ttlSeconds() {
        return ttlSeconds;
    }

    @Override
    public void close() {
        client.close();
    }
}
