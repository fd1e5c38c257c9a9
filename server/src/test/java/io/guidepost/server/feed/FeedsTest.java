package io.guidepost.server.feed;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.guidepost.base.Address;
import io.guidepost.base.Malformed;
import io.guidepost.base.Prefix;
import io.guidepost.proximity.bgp.RouteExit;
import io.guidepost.proximity.bgp.RouteExitRule;
import io.guidepost.proximity.ranking.LiveNetwork;
import io.guidepost.proximity.ranking.RankingFunction;
import io.guidepost.proximity.topology.OperatorNetwork;
import io.guidepost.proximity.topology.PrefixAttachment;
import io.guidepost.server.config.Configuration;
import io.guidepost.server.metrics.Exposition;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Connections of routers, good and bad, and files; with peers that are a few bytes each. */
class FeedsTest {
    private static final Duration WAIT = Duration.ofMinutes(2);
    private static final String MARKER = "ff".repeat(16);
    private static final String OPEN = MARKER + "0033 01 04 fde9 005a 0a000009 16 02 14"
            + "0104 00010001 0104 00020001 4104 0000fde9 4000";
    private static final String KEEPALIVE = MARKER + "0013 04";
    private static final String TEN = MARKER + "002d 02 0000 0014 400101 00 4002060201 0000fde9 400304 0a000001 080a";
    private static final String END = MARKER + "0017 02 0000 0000";
    private static final InetSocketAddress FREE = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);

    private static byte[] hex(String text) {
        return HexFormat.of().parseHex(text.replace(" ", ""));
    }

    private static FeedSettings bgp(String peer) {
        return bgp(peer, FeedSettings.GRACE);
    }

    private static FeedSettings bgp(String peer, Duration grace) {
        return RunningFeeds.bgp(FREE, 65_000, grace, BgpPeer.parse(peer));
    }

    private static Socket connect(InetSocketAddress to, String... messages) throws IOException {
        Socket socket = new Socket(to.getAddress(), to.getPort());
        for (String each : messages) {
            socket.getOutputStream().write(hex(each));
        }
        return socket;
    }

    private static List<PrefixAttachment> of(LiveNetwork live, String prefix) {
        List<PrefixAttachment> found = new ArrayList<>();
        live.change(network -> {
            try {
                found.addAll(network.attachments(Prefix.parse(prefix)));
            } catch (Malformed e) {
                throw new IllegalArgumentException(e);
            }
        });
        return found;
    }

    private static void awaitTen(FeedService feeds, LiveNetwork live, boolean there) {
        FeedCondition.so(WAIT, () -> feeds.status().toString(), () -> of(live, "10.0.0.0/8").isEmpty() != there);
    }

    @Test
    void aPeerTellsAndGoes() throws Exception {
        try (LiveNetwork live = new LiveNetwork();
                FeedService feeds = RunningFeeds.open(bgp("127.0.0.1 as=65001 router=10.1.0.1 nic=3", Duration.ZERO), live)) {
            try (Socket peer = connect(feeds.bgpAddress().orElseThrow(), OPEN, KEEPALIVE, TEN, END)) {
                awaitTen(feeds, live, true);
                assertThat(of(live, "10.0.0.0/8"))
                        .containsExactly(PrefixAttachment.external(Address.parse("10.1.0.1"), 3, 65_001, 1));
                FeedStatus status = feeds.feeds().get(0);
                assertThat(status.up()).isTrue();
                assertThat(status.routesIpv4()).isEqualTo(1);
                assertThat(status.updates()).isEqualTo(2);
                assertThat(status.state()).isEqualTo("whole");
                Exposition out = new Exposition();
                feeds.write(out);
                assertThat(out.finish())
                        .contains("guidepost_feed_routes{feed=\"bgp 127.0.0.1\",family=\"ipv4\"} 1")
                        .contains("guidepost_feeds_connections_total 1");
                assertThat(peer.isConnected()).isTrue();
            }
            awaitTen(feeds, live, false);
        }
    }

    @Test
    void aLostPeerIsForgivenAndANewConnectionTakesItsPlace() throws Exception {
        try (LiveNetwork live = new LiveNetwork();
                FeedService feeds = RunningFeeds.open(bgp("127.0.0.1 as=65001 router=10.1.0.1"), live)) {
            InetSocketAddress at = feeds.bgpAddress().orElseThrow();
            try (Socket first = connect(at, OPEN, KEEPALIVE, TEN)) {
                awaitTen(feeds, live, true);
                try (Socket second = connect(at, OPEN, KEEPALIVE)) {
                    FeedCondition.so(WAIT, () -> feeds.status().toString(), () -> feeds.feeds().get(0).sessions() == 2);
                    assertThat(of(live, "10.0.0.0/8")).hasSize(1);
                    second.getOutputStream().write(hex(END));
                    awaitTen(feeds, live, false);
                }
                assertThat(first.getInputStream().readAllBytes()).isNotEmpty();
            }
        }
    }

    @Test
    void aReloadKeepsWhatWasTold() throws Exception {
        try (LiveNetwork live = new LiveNetwork();
                FeedService feeds = RunningFeeds.open(bgp("127.0.0.1 router=10.1.0.1"), live);
                Socket peer = connect(feeds.bgpAddress().orElseThrow(), OPEN, KEEPALIVE, TEN)) {
            awaitTen(feeds, live, true);
            OperatorNetwork next = new OperatorNetwork();
            next.add(Prefix.parse("11.0.0.0/8"), PrefixAttachment.internal(Address.parse("10.1.0.2"), 0));
            feeds.replace(next, RankingFunction.STANDARD);
            assertThat(of(live, "10.0.0.0/8")).hasSize(1);
            assertThat(of(live, "11.0.0.0/8")).hasSize(1);
            peer.getOutputStream().write(hex(MARKER + "0019 02 0002 080a 0000"));
            awaitTen(feeds, live, false);
        }
    }

    @Test
    void whoeverIsNotNamedIsSentAway() throws Exception {
        try (LiveNetwork live = new LiveNetwork();
                FeedService feeds = RunningFeeds.open(bgp("127.0.0.9 as=65001"), live);
                Socket peer = connect(feeds.bgpAddress().orElseThrow())) {
            assertThat(peer.getInputStream().read()).isEqualTo(-1);
            assertThat(feeds.status()).containsEntry("connections-refused", 1L);
        }
    }

    @Test
    void garbageEndsASessionAndNothingElse() throws Exception {
        try (LiveNetwork live = new LiveNetwork();
                FeedService feeds = RunningFeeds.open(bgp("127.0.0.1 as=65001"), live)) {
            try (Socket peer = connect(feeds.bgpAddress().orElseThrow(), OPEN, KEEPALIVE, "00".repeat(100))) {
                byte[] said = peer.getInputStream().readAllBytes();
                assertThat(HexFormat.of().formatHex(said)).endsWith("030101");
            }
            try (Socket peer = connect(feeds.bgpAddress().orElseThrow(), OPEN, KEEPALIVE, TEN)) {
                awaitTen(feeds, live, true);
                assertThat(peer.isConnected()).isTrue();
            }
        }
    }

    @Test
    void connectsToAPeerAndSaysWhenItEnds() throws Exception {
        try (ServerSocket router = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                LiveNetwork live = new LiveNetwork()) {
            FeedSettings settings = new FeedSettings(
                    java.util.Optional.empty(), 65_000, 7,
                    List.of(BgpPeer.parse("127.0.0.1 router=10.1.0.1 connect=" + router.getLocalPort())),
                    java.util.Optional.empty(), List.of(), List.of(), RouterDirectory.AUTOMATIC, Duration.ZERO);
            assertThat(settings.isAny()).isTrue();
            Socket connection;
            try (FeedService feeds = RunningFeeds.open(settings, live)) {
                connection = router.accept();
                for (String each : List.of(OPEN, KEEPALIVE, TEN)) {
                    connection.getOutputStream().write(hex(each));
                }
                awaitTen(feeds, live, true);
            }
            try (Socket peer = connection) {
                InputStream in = peer.getInputStream();
                assertThat(HexFormat.of().formatHex(in.readAllBytes())).endsWith("030602");
            }
        }
    }

    @Test
    void aRouterTellsOverBmp() throws Exception {
        String header = "00 00 0000000000000000 000000000000000000000000 c0000201 0000fde9 0a000009 0000000000000000";
        String up = "03 000000d8 03" + header + "00".repeat(20) + OPEN.replace("fde9", "fde8") + OPEN;
        int length = 6 + 42 + 20 + 2 * 0x33;
        String sized = up.replace("000000d8", String.format("%08x", length));
        String routes = String.format("03 %08x 00", 6 + 42 + 0x2d) + header + TEN;
        RouterDirectory names = RouterDirectory.parse(List.of("edge1=10.1.0.7"));
        try (LiveNetwork live = new LiveNetwork();
                FeedService feeds = RunningFeeds.open(RunningFeeds.bmp(FREE, Duration.ZERO, names), live)) {
            try (Socket router = connect(feeds.bmpAddress().orElseThrow(), "03 0000000f 04 0002 0005 6564676531", sized, routes)) {
                awaitTen(feeds, live, true);
                assertThat(of(live, "10.0.0.0/8"))
                        .containsExactly(PrefixAttachment.external(Address.parse("10.1.0.7"), 0, 65_001, 1));
                assertThat(feeds.feeds().get(0).routesIpv4()).isEqualTo(1);
                assertThat(router.isConnected()).isTrue();
            }
            awaitTen(feeds, live, false);
        }
    }

    /** An UPDATE of AS 65001 with one prefix: length in bits, and its bytes. */
    private static String update(String prefix) {
        return MARKER + String.format("%04x", 43 + hex(prefix).length)
                + " 02 0000 0014 400101 00 4002060201 0000fde9 400304 0a000001 " + prefix;
    }

    private static OperatorNetwork ownNetwork() throws Malformed {
        OperatorNetwork own = new OperatorNetwork();
        own.add(Prefix.parse("10.20.0.0/16"), PrefixAttachment.internal(Address.parse("10.1.0.2"), 0));
        return own;
    }

    @Test
    void aPeerTakesNeitherOwnPrefixesNorMartiansNorAll() throws Exception {
        try (LiveNetwork live = new LiveNetwork();
                FeedService feeds = RunningFeeds.open(bgp("127.0.0.1 router=10.1.0.1"), live)) {
            feeds.replace(ownNetwork(), RankingFunction.STANDARD);
            try (Socket peer = connect(feeds.bgpAddress().orElseThrow(), OPEN, KEEPALIVE,
                    update("110a1400"), update("00"), update("087f"), TEN)) {
                awaitTen(feeds, live, true);
                for (String each : List.of("10.20.0.0/17", "0.0.0.0/0", "127.0.0.0/8")) {
                    assertThat(of(live, each)).as(each).isEmpty();
                }
                assertThat(feeds.feeds().getFirst().refused())
                        .containsEntry("own_prefix", 1L).containsEntry("default_route", 1L).containsEntry("martian", 1L);
                Exposition out = new Exposition();
                feeds.write(out);
                assertThat(out.finish())
                        .contains("guidepost_feed_imports_refused_total{feed=\"bgp 127.0.0.1\",reason=\"own_prefix\"} 1");
                feeds.replace(new OperatorNetwork(), RankingFunction.STANDARD);
                assertThat(of(live, "10.20.0.0/17")).as("no longer its own").hasSize(1);
                assertThat(peer.isConnected()).isTrue();
            }
        }
    }

    /** Reads the query of a router, and answers it with a serial and one VRP of 10.0.0.0/8, announced or withdrawn. */
    private static void answer(Socket router, String query, int serial, String announced, String as) throws IOException {
        assertThat(HexFormat.of().formatHex(router.getInputStream().readNBytes(query.length() / 2))).isEqualTo(query);
        router.getOutputStream().write(hex("01030007 00000008 01040000 00000014" + announced + "080800 0a000000" + as
                + "01070007 00000018" + String.format("%08x", serial) + "00000e10 00000258 00001c20"));
    }

    @Test
    void aRouteOfAnOriginThatTheRpkiDeniesIsRefused() throws Exception {
        try (ServerSocket cache = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                LiveNetwork live = new LiveNetwork();
                FeedService feeds = RunningFeeds.open(
                        RunningFeeds.bgp(FREE, 65_000, Duration.ZERO, BgpPeer.parse("127.0.0.1 router=10.1.0.1"),
                                (InetSocketAddress) cache.getLocalSocketAddress()),
                        live);
                Socket peer = connect(feeds.bgpAddress().orElseThrow(), OPEN, KEEPALIVE, TEN)) {
            awaitTen(feeds, live, true);
            Exposition out = new Exposition();
            try (Socket router = cache.accept()) {
                answer(router, "0102000000000008", 1, "01", "0000fdea");
                awaitTen(feeds, live, false);
                assertThat(feeds.feeds().getFirst().refused()).containsEntry("rpki_invalid", 1L);
                assertThat(feeds.conditions()).isEmpty();
                feeds.write(out);
                assertThat(out.finish()).contains(
                        "guidepost_feed_routes{feed=\"rpki 127.0.0.1:" + cache.getLocalPort() + "\",family=\"ipv4\"} 1");
                peer.getOutputStream().write(hex(TEN));
                router.getOutputStream().write(hex("01000007 0000000c 00000002"));
                answer(router, "010100070000000c00000001", 2, "01", "0000fde9");
                awaitTen(feeds, live, true);
                router.getOutputStream().write(hex("01000007 0000000c 00000003"));
                answer(router, "010100070000000c00000002", 3, "00", "0000fde9");
                awaitTen(feeds, live, false);
            }
            FeedCondition.so(WAIT, () -> feeds.status().toString(), () -> !feeds.conditions().isEmpty());
            assertThat(feeds.conditions()).singleElement().satisfies(each -> {
                assertThat(each.name()).isEqualTo("rpki-cache-lost");
                assertThat(each.detail()).contains("rpki 127.0.0.1:").endsWith("; the 1 VRPs that it told count until they expire");
            });
            assertThat(of(live, "10.0.0.0/8")).as("what was told counts still").isEmpty();
            assertThat(feeds.feeds().getLast().up()).isFalse();
        }
    }

    @Test
    void aPrefixListSaysWhatAPeerMayTell(@TempDir Path folder) throws Exception {
        Path list = Files.writeString(folder.resolve("list"), "# of AS 65001\ndeny 10.0.0.0/8\n0.0.0.0/0 le 24\n");
        try (LiveNetwork live = new LiveNetwork();
                FeedService feeds = RunningFeeds.open(bgp("127.0.0.1 router=10.1.0.1 import-list=" + list), live);
                Socket peer = connect(feeds.bgpAddress().orElseThrow(), OPEN, KEEPALIVE, TEN, update("20c0000201"), update("00"))) {
            FeedCondition.so(WAIT, () -> feeds.status().toString(), () -> !of(live, "0.0.0.0/0").isEmpty());
            assertThat(of(live, "10.0.0.0/8")).isEmpty();
            assertThat(of(live, "192.0.2.1/32")).isEmpty();
            assertThat(feeds.feeds().getFirst().refused()).containsEntry("prefix_list", 2L);

            Files.writeString(list, "10.0.0.0/8 le 7\n");
            assertThatThrownBy(() -> feeds.stage(Configuration.load(null, Map.of(), List.of())))
                    .hasMessageContaining("list:1: '7' is not a length from 8 to 32");
            Files.writeString(list, "permit 10.0.0.0/8\n");
            feeds.stage(Configuration.load(null, Map.of(), List.of())).apply();
            awaitTen(feeds, live, true);
            FeedCondition.so(WAIT, () -> feeds.status().toString(), () -> of(live, "0.0.0.0/0").isEmpty());
            assertThat(peer.isConnected()).isTrue();
        }
        assertThatThrownBy(() -> RunningFeeds.open(bgp("127.0.0.1 import-list=" + folder.resolve("none")), new LiveNetwork()))
                .hasMessageContaining("import-list " + folder.resolve("none") + " is not there");
    }

    @Test
    void aPeerThatTellsTooMuchGoesDown() throws Exception {
        try (LiveNetwork live = new LiveNetwork();
                FeedService feeds = RunningFeeds.open(bgp("127.0.0.1 router=10.1.0.1 max-prefixes=1"), live)) {
            InetSocketAddress at = feeds.bgpAddress().orElseThrow();
            try (Socket peer = connect(at, OPEN, KEEPALIVE, TEN)) {
                awaitTen(feeds, live, true);
                peer.getOutputStream().write(hex(update("080b")));
                assertThat(HexFormat.of().formatHex(peer.getInputStream().readAllBytes())).endsWith("030601");
            }
            awaitTen(feeds, live, false);
            assertThat(feeds.feeds().getFirst().state()).isEqualTo("down");
            try (Socket again = connect(at)) {
                assertThat(again.getInputStream().read()).isEqualTo(-1);
            }
            feeds.stage(Configuration.load(null, Map.of(), List.of())).apply();
            long messages = feeds.feeds().getFirst().messages();
            try (Socket again = connect(at, OPEN)) {
                FeedCondition.so(WAIT, () -> feeds.status().toString(), () -> feeds.feeds().getFirst().messages() > messages);
                again.getOutputStream().write(hex(KEEPALIVE + TEN));
                awaitTen(feeds, live, true);
            }
        }
    }

    private static String bmpUp(String header) {
        return String.format("03 %08x 03", 6 + 42 + 20 + 2 * 0x33) + header + "00".repeat(20) + OPEN.replace("fde9", "fde8") + OPEN;
    }

    /** Two routers behind one address are told apart by their names; one that connects again takes its own place alone. */
    @Test
    void twoRoutersBehindOneAddress() throws Exception {
        String header = "00 00 0000000000000000 000000000000000000000000 c0000201 0000fde9 0a000009 0000000000000000";
        String routes = String.format("03 %08x 00", 6 + 42 + 0x2d) + header;
        RouterDirectory names = RouterDirectory.parse(List.of("edge1=10.1.0.7", "edge2=10.1.0.8"));
        try (LiveNetwork live = new LiveNetwork();
                FeedService feeds = RunningFeeds.open(RunningFeeds.bmp(FREE, Duration.ZERO, names), live)) {
            InetSocketAddress at = feeds.bmpAddress().orElseThrow();
            try (Socket first = connect(at, "03 0000000f 04 0002 0005 6564676531", bmpUp(header), routes + TEN);
                    Socket second = connect(at, "03 0000000f 04 0002 0005 6564676532", bmpUp(header), routes + TEN)) {
                FeedCondition.so(WAIT, () -> feeds.status().toString(), () -> of(live, "10.0.0.0/8").size() == 2);
                try (Socket again = connect(at, "03 0000000f 04 0002 0005 6564676532", bmpUp(header), routes + update("080b"))) {
                    FeedCondition.so(WAIT, () -> feeds.status().toString(), () -> of(live, "10.0.0.0/8").size() == 1);
                    assertThat(second.getInputStream().read()).as("its place is taken").isEqualTo(-1);
                    assertThat(of(live, "10.0.0.0/8"))
                            .containsExactly(PrefixAttachment.external(Address.parse("10.1.0.7"), 0, 65_001, 1));
                    assertThat(first.isConnected() && again.isConnected()).isTrue();
                }
            }
        }
    }

    @Test
    void aDumpIsReadAgain(@TempDir Path folder) throws Exception {
        Path dump = Files.write(folder.resolve("rib"), dump("08 0a"));
        try (LiveNetwork live = new LiveNetwork();
                FeedService feeds = RunningFeeds.open(
                        RunningFeeds.mrt(dump, RouterDirectory.parse(List.of("AS65001=10.1.0.1"))), live)) {
            awaitTen(feeds, live, true);
            Files.write(dump, dump("08 0b"));
            feeds.readFilesAgain();
            awaitTen(feeds, live, false);
            assertThat(of(live, "11.0.0.0/8")).containsExactly(PrefixAttachment.external(Address.parse("10.1.0.1"), 0, 65_001, 1));
            // What cannot be read takes nothing away.
            Files.writeString(dump, "192.0.2.0/24 is a prefix", StandardCharsets.UTF_8);
            feeds.readFilesAgain();
            FeedCondition.so(WAIT, () -> feeds.status().toString(), () -> feeds.feeds().get(0).state().equals("failed"));
            assertThat(feeds.rib().routes()).isEqualTo(1);
            Files.write(dump, dump("08 0a"));
            feeds.readFilesAgain();
            awaitTen(feeds, live, true);
            FeedCondition.so(WAIT, () -> feeds.status().toString(), () -> feeds.rib().routes() == 1);
        }
    }

    /** A table of one prefix that one peer tells. */
    private static byte[] dump(String prefix) {
        String index = "00000000 000d 0001 00000015 00000001 0000 0001 02 0a000009 c0000201 0000fde9".replace(" ", "");
        String body = "00000000" + prefix + "0001 0000 00000000 0014 40010100 40020602010000fde9 4003040a000001";
        return hex(index + "00000000 000d 0002" + String.format("%08x", hex(body).length) + body);
    }

    @Test
    void aDumpIsReadAtTheStart(@TempDir Path folder) throws Exception {
        Path dump = Files.write(folder.resolve("rib"), dump("08 0a"));
        try (LiveNetwork live = new LiveNetwork();
                FeedService feeds = RunningFeeds.open(
                        RunningFeeds.mrt(dump, RouterDirectory.parse(List.of("AS65001=10.1.0.1"))), live)) {
            awaitTen(feeds, live, true);
            assertThat(of(live, "10.0.0.0/8")).containsExactly(PrefixAttachment.external(Address.parse("10.1.0.1"), 0, 65_001, 1));
        }
        Path other = Files.writeString(folder.resolve("text"), "192.0.2.0/24 is a prefix", StandardCharsets.UTF_8);
        try (LiveNetwork live = new LiveNetwork();
                FeedService feeds = RunningFeeds.open(RunningFeeds.mrt(other, RouterDirectory.AUTOMATIC), live)) {
            FeedCondition.so(WAIT, () -> feeds.status().toString(), () -> feeds.feeds().get(0).state().equals("failed"));
            assertThat(feeds.feeds().get(0).reason()).contains("no file of MRT");
        }
        assertThatThrownBy(() -> RunningFeeds.open(
                        RunningFeeds.mrt(folder.resolve("none"), RouterDirectory.AUTOMATIC), new LiveNetwork()))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("proximity.mrt-files");
    }

    @Test
    void saysThatAPasswordIsMissing(@TempDir Path folder) throws Exception {
        Path empty = Files.writeString(folder.resolve("empty"), "\n");
        for (Path each : List.of(empty, folder.resolve("none"))) {
            assertThatThrownBy(() -> RunningFeeds.open(bgp("127.0.0.1 password-file=" + each), new LiveNetwork()))
                    .isInstanceOf(IOException.class)
                    .hasMessageStartingWith("proximity.bgp-peers: password-file " + each + " ");
        }
    }

    @Test
    void readsPeersAsTheyAreWritten() {
        BgpPeer peer = BgpPeer.parse("2001:db8::1 as=1.0 router=next-hop nic=2 connect=179 allow-own-as=2 password-file=key");
        assertThat(peer.as()).isEqualTo(65_536);
        assertThat(peer.rule()).isEqualTo(new RouteExitRule.NextHop(2));
        assertThat(peer.connectPort()).isEqualTo(179);
        assertThat(peer.allowOwnAs()).isEqualTo(2);
        assertThat(peer.passwordFile()).contains(Path.of("key"));
        assertThat(BgpPeer.parse("10.0.0.1").rule()).isEqualTo(new RouteExitRule.Fixed(new RouteExit(Address.ofIpv4(0x0a000001), 0)));
    }

    @ParameterizedTest
    @ValueSource(strings = {"router1", "10.0.0.1 as=0", "10.0.0.1 as=x", "10.0.0.1 router=r", "10.0.0.1 nic=-1", "10.0.0.1 up",
        "10.0.0.1 connect=65536", "10.0.0.1 allow-own-as=11", "10.0.0.1 max-prefixes=many"})
    void saysWhatIsWrongWithAPeer(String text) {
        assertThatThrownBy(() -> BgpPeer.parse(text)).isInstanceOf(IllegalArgumentException.class).hasMessageContaining("'");
    }
}
