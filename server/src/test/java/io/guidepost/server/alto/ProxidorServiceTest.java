package io.guidepost.server.alto;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.guidepost.alto.protocol.Candidate;
import io.guidepost.alto.protocol.RankClient.Ranked;
import io.guidepost.alto.proxidor.ProxidorClient;
import io.guidepost.alto.proxidor.ProxidorSettings;
import io.guidepost.base.Address;
import io.guidepost.base.Prefix;
import io.guidepost.packet.ip.Hosts;
import io.guidepost.proximity.ranking.Ranking;
import io.guidepost.proximity.ranking.RankingFunction;
import io.guidepost.proximity.topology.OperatorNetwork;
import io.guidepost.proximity.topology.PrefixAttachment;
import io.guidepost.proximity.topology.Topology;
import io.guidepost.proximity.topology.TopologyRouter;
import io.guidepost.server.config.Configuration;
import io.guidepost.server.config.ConfigurationException;
import io.guidepost.server.metrics.Exposition;
import io.guidepost.server.service.Workers;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Proxidor on the workers, over sockets. */
class ProxidorServiceTest {
    private static Configuration configuration(String... more) throws ConfigurationException {
        List<String> lines = new ArrayList<>(List.of("proxidor.listen=127.0.0.1", "proxidor.port=0"));
        lines.addAll(List.of(more));
        return Configuration.load(null, Map.of(), lines);
    }

    private static Ranking ranking() throws Exception {
        Address router = Address.parse("192.0.2.1");
        OperatorNetwork network = new OperatorNetwork();
        network.topology(Topology.EMPTY.with(new TopologyRouter(router, true, 1, List.of(), List.of())));
        network.add(Prefix.parse("127.0.0.0/8"), PrefixAttachment.internal(router, 0));
        network.add(Prefix.parse("20.0.0.0/8"), PrefixAttachment.external(router, 0, 64512, 3));
        network.add(Prefix.parse("30.0.0.0/8"), PrefixAttachment.external(router, 0, 64513, 1));
        return Ranking.of(network, RankingFunction.STANDARD, 1);
    }

    @Test
    void everyWorkerAnswersAndTheirCountsAreSummed() throws Exception {
        Ranking ranking = ranking();
        Configuration configuration = configuration("workers.count=2");
        ProxidorService proxidor = new ProxidorService(configuration, () -> ranking);
        try (Workers workers = new Workers(configuration)) {
            workers.open(proxidor.udp());
            workers.openHosts(Hosts::open);
            workers.start();
            InetSocketAddress address = proxidor.endpoints().getFirst().address();
            List<Candidate> candidates =
                    List.of(Candidate.parse("20.0.0.1"), Candidate.parse("30.0.0.1"), Candidate.parse("198.51.100.1"));
            for (int i = 0; i < 40; i++) {
                try (ProxidorClient client = ProxidorClient.open(address, Duration.ofSeconds(10), 1, new Random(i))) {
                    Ranked ranked = client.rank(candidates, Optional.empty());
                    assertThat(ranked.order()).containsExactly(candidates.get(1), candidates.get(0));
                    assertThat(ranked.ttlSeconds()).isEqualTo(60);
                }
            }
            Exposition out = new Exposition();
            proxidor.write(out);
            long ranked = out.finish()
                    .lines()
                    .filter(line -> line.startsWith("guidepost_proxidor_responses_total") && line.contains("\"no_error\""))
                    .mapToLong(line -> Long.parseLong(line.substring(line.lastIndexOf(' ') + 1)))
                    .sum();
            assertThat(ranked).isEqualTo(40);
        }
    }

    @Test
    void itsKeysAreItsSettings() throws ConfigurationException {
        assertThat(ProxidorService.settings(configuration()))
                .isEqualTo(new ProxidorSettings(
                        60, false, List.of(Prefix.ofIpv4(127 << 24, 8), new Prefix(0, 1, 128))));
        ProxidorSettings other = ProxidorService.settings(configuration(
                "proxidor.ttl-seconds=5",
                "proxidor.unknown=last",
                "proxidor.trusted=10.0.0.1"));
        assertThat(other).isEqualTo(new ProxidorSettings(5, true, List.of(Prefix.ofIpv4(10 << 24 | 1, 32))));
        assertThatThrownBy(() -> configuration("proxidor.trusted=nobody"))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining("proxidor.trusted")
                .hasMessageContaining("nobody");
    }
}
