package io.guidepost.examples;

import io.guidepost.alto.client.AltoClient;
import io.guidepost.alto.protocol.Candidate;
import io.guidepost.base.Malformed;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** An ALTO client: has a server order addresses by their distance from this machine. */
final class RankAddresses {
    private RankAddresses() {}

    /** Returns the addresses, the nearest first. */
    static List<Candidate> run(InetSocketAddress server) throws IOException, Malformed {
        // snippet: alto
        URI directory = URI.create("http://" + server.getHostString() + ":" + server.getPort() + "/directory");
        try (AltoClient client = new AltoClient(directory, HttpClient.newHttpClient(), Duration.ofSeconds(5))) {
            List<Candidate> mirrors = List.of(Candidate.parse("198.51.100.7"), Candidate.parse("192.0.2.7"));
            return client.rank(mirrors, Optional.empty()).order();
        }
        // end
    }
}
