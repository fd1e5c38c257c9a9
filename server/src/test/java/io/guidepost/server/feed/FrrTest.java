package io.guidepost.server.feed;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.guidepost.base.Address;
import io.guidepost.base.Prefix;
import io.guidepost.proximity.bgp.RouteExit;
import io.guidepost.proximity.bgp.RouteExitRule;
import io.guidepost.proximity.ranking.LiveNetwork;
import io.guidepost.proximity.topology.PrefixAttachment;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The router daemon FRR as an external peer. It speaks with no zebra, so it changes nothing of the host's routing, and listens
 * nowhere; it connects to a port of this host.
 */
class FrrTest {
    private static final Path BGPD = Path.of("/usr/lib/frr/bgpd");
    private static final Duration WAIT = Duration.ofMinutes(2);
    private static final int SECONDS_MAX = 60;
    private static final Address ROUTER = Address.ofIpv4(0x0a010001);
    private static final int OWN_AS = 65_000;

    @TempDir
    private Path folder;

    private Process start(int port) throws IOException {
        Files.writeString(folder.resolve("bgpd.conf"), """
                router bgp 65001
                 bgp router-id 10.0.0.2
                 no bgp ebgp-requires-policy
                 no bgp network import-check
                 no bgp default ipv4-unicast
                 neighbor 127.0.0.1 remote-as 65000
                 neighbor 127.0.0.1 port %d
                 neighbor 127.0.0.1 ebgp-multihop
                 neighbor 127.0.0.1 disable-connected-check
                 neighbor 127.0.0.1 timers connect 1
                 address-family ipv4 unicast
                  network 10.0.0.0/8
                  network 192.0.2.0/25 route-map FAR
                  network 198.51.100.0/24 route-map LOOP
                  neighbor 127.0.0.1 activate
                 exit-address-family
                 address-family ipv6 unicast
                  network 2001:db8:7::/48
                  neighbor 127.0.0.1 activate
                  neighbor 127.0.0.1 route-map SIX out
                 exit-address-family
                !
                route-map FAR permit 10
                 set as-path prepend 65002 70000
                !
                route-map LOOP permit 10
                 set as-path prepend 65002 65000
                !
                route-map SIX permit 10
                 set ipv6 next-hop global 2001:db8::1
                !
                """.formatted(port));
        return new ProcessBuilder(
                        BGPD.toString(), "--no_zebra", "--skip_runas", "--no_kernel", "--bgp_port", "0", "--vty_port", "0",
                        "--vty_socket", folder.toString(), "--pid_file", folder + "/pid", "--log", "stdout",
                        "--config_file", folder + "/bgpd.conf")
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("out").toFile())
                .start();
    }

    private String said() {
        try {
            return Files.readString(folder.resolve("out"));
        } catch (IOException e) {
            return String.valueOf(e.getMessage());
        }
    }

    @Test
    void anExternalPeerTellsAndGoes() throws Exception {
        assumeTrue(Files.isExecutable(BGPD), "there is no FRR here (apt: frr)");
        BgpPeer peer =
                new BgpPeer(InetAddress.ofLiteral("127.0.0.1"), 65_001, new RouteExitRule.Fixed(new RouteExit(ROUTER, 0)), 0, 0,
                        Optional.empty(), 0, Optional.empty());
        FeedSettings settings = RunningFeeds.bgp(
                new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), OWN_AS, FeedSettings.GRACE, peer);
        try (LiveNetwork live = new LiveNetwork();
                FeedService feeds = RunningFeeds.open(settings, live)) {
            Process frr = start(feeds.bgpAddress().orElseThrow().getPort());
            try {
                FeedCondition.so(WAIT, () -> "not told: " + feeds.status() + "\n" + said(),
                        () -> !frr.isAlive()
                                || feeds.rib().routes() == 3 && feeds.rib().touched() == 0
                                        && feeds.feeds().getFirst().faults() == 1);
                assertThat(frr.isAlive()).as(said()).isTrue();
                Map<Prefix, List<PrefixAttachment>> told = new LinkedHashMap<>();
                live.change(network -> network.forEach(told::put));
                assertThat(told).isEqualTo(Map.of(
                        Prefix.parse("10.0.0.0/8"), List.of(PrefixAttachment.external(ROUTER, 0, 65_001, 1)),
                        Prefix.parse("192.0.2.0/25"), List.of(PrefixAttachment.external(ROUTER, 0, 70_000, 3)),
                        Prefix.parse("2001:db8:7::/48"), List.of(PrefixAttachment.external(ROUTER, 0, 65_001, 1))));
                assertThat(feeds.feeds().getFirst().reason()).contains("65000");
            } finally {
                frr.destroy();
                frr.onExit().orTimeout(SECONDS_MAX, TimeUnit.SECONDS).join();
            }
            // FRR does not say that it ends for good: what it told stays for the grace.
            FeedCondition.so(WAIT, () -> "still up: " + feeds.status(), () -> !feeds.feeds().getFirst().up());
        }
    }
}
