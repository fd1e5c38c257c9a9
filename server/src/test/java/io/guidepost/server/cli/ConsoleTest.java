package io.guidepost.server.cli;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.guidepost.gnrs.client.GnrsClient;
import io.guidepost.names.Binding;
import io.guidepost.names.Guid;
import io.guidepost.names.Locator;
import io.guidepost.names.Name;
import io.guidepost.packet.Burst;
import io.guidepost.packet.Port;
import io.guidepost.packet.backend.FramePortOpener;
import io.guidepost.server.RunningServer;
import io.guidepost.server.Server;
import io.guidepost.server.config.Configuration;
import io.guidepost.store.RecordImage;
import io.guidepost.store.RecordStore;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.lang.foreign.MemorySegment;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/**
 * The console in a real browser, with the data of the demonstration. With the environment variable {@code TEST_REWRITE} set, it
 * makes the pictures of {@code docs/console.md} anew.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ConsoleTest {
    private static final Path PICTURES = Path.of("..", "docs", "console");
    private static final int PICTURE_BYTES_MAX = 100 << 10;
    private static final String TOKEN = "a token of this test";
    private static final List<String> SCREENS = List.of("overview", "names", "nearness", "sites", "traffic", "handles", "advice");

    private ServerDemo demo;
    private Server server;
    private Browser browser;
    private GnrsClient client;
    private ScheduledFuture<?> looking;
    private int turn;
    private final ScheduledExecutorService load = Executors.newSingleThreadScheduledExecutor();
    private String ui;
    private String axe = "";

    @BeforeAll
    void open(@TempDir Path folder) throws Exception {
        assumeTrue(Browser.isThere(), "chromium and chromedriver are needed (apt: chromium chromium-driver)");
        demo = ServerDemo.make(1, 0);
        List<String> settings = new ArrayList<>(demo.settings(0));
        for (String each : List.of("gnrs.port", "admin.port", "handle.udp-port", "handle.tcp-port", "handle.http-port", "proxidor.port",
                "alto.http-port")) {
            settings.add(each + "=0");
        }
        for (String each : List.of("gnrs", "handle", "proxidor", "alto")) {
            settings.add(each + ".listen=127.0.0.1");
        }
        Path token = folder.resolve("token");
        Files.writeString(token, TOKEN, StandardCharsets.UTF_8);
        settings.add("admin.token-file=" + token);
        server = start(settings);
        demo.fill(server);
        ui = ui(server);
        client = GnrsClient.open(server.gnrsAddresses().getFirst());
        looking = load.scheduleAtFixedRate(this::lookUp, 0, 40, TimeUnit.MILLISECONDS);
        browser = new Browser();
    }

    private static Server start(List<String> settings) throws Exception {
        Server.Source source = () -> Configuration.load(null, Map.of(), settings);
        return Server.start(source.load(), source);
    }

    private static String ui(Server server) {
        return "http:/" + server.adminAddress().orElseThrow() + "/ui/";
    }

    @BeforeEach
    void resize() throws Exception {
        browser.size(1060, 790);
    }

    @AfterAll
    void close() throws Exception {
        if (looking != null) {
            looking.cancel(true);
        }
        load.shutdownNow();
        if (browser != null) {
            browser.close();
        }
        if (server != null) {
            client.close();
            server.close();
            demo.delete();
        }
    }

    /** Opens a screen anew, with the token or without. */
    private void show(String screen, boolean token) throws Exception {
        browser.open(ui + "mark.svg");
        browser.run("sessionStorage.clear(); localStorage.clear(); if (arguments[0]) sessionStorage.setItem('token', arguments[0]);",
                token ? TOKEN : "");
        browser.open(ui + "#" + screen);
        browser.await("#health", "ok");
    }

    private void picture(String name) throws Exception {
        byte[] png = browser.picture();
        Path file = PICTURES.resolve(name + ".png");
        if (System.getenv("TEST_REWRITE") != null) {
            assertThat(png).as(name).hasSizeLessThanOrEqualTo(PICTURE_BYTES_MAX);
            Files.createDirectories(PICTURES);
            Files.write(file, png);
        }
        assertThat(file).exists();
    }

    /** Some look-ups, more at one time than at another. */
    private void lookUp() {
        int times = 6 + turn++ % 200 / 20;
        try {
            for (int i = 0; i < times; i++) {
                client.lookup(Guid.ofAscii(i % 4 == 0 ? "nothing-here" : i % 2 == 0 ? "printer" : "alice"), true);
            }
        } catch (IOException e) {
            load.shutdown();
        }
    }

    @Test
    void theOverviewShowsWhatIsAnsweredNow() throws Exception {
        browser.complaints(); // Those of other tests are not of this page.
        show("overview", true);
        browser.await("#well", "All is well");
        browser.await(".legend li", "found");
        browser.await(".legend li", "turn p99");
        browser.await("#answers .note", ",");
        picture("overview");
        assertThat(browser.complaints()).isEmpty();
    }

    /** What axe-core finds in the page that hinders people, by its rules and elements. */
    private @Nullable Object barriers() throws Exception {
        if (axe.isEmpty()) {
            try (InputStream in = ClassLoader.getSystemResourceAsStream("META-INF/resources/webjars/axe-core/4.6.3/axe.min.js")) {
                axe = new String(in.readAllBytes(), StandardCharsets.UTF_8);
            }
        }
        if (!Boolean.TRUE.equals(browser.run("return 'axe' in window"))) {
            browser.run(axe);
        }
        return browser.run("""
                return axe.run(document, { resultTypes: ['violations'] }).then((told) => told.violations
                  .filter((each) => ['moderate', 'serious', 'critical'].includes(each.impact))
                  .flatMap((each) => each.nodes.map((node) => each.id + ': ' + node.target + ' ' + node.failureSummary)));
                """);
    }

    /** Light on a telephone, then dark on a screen. */
    private void hasNoBarriers(String page) throws Exception {
        assertThat(barriers()).as(page + " on a telephone").isEqualTo(List.of());
        browser.size(1060, 790);
        browser.dark(true);
        assertThat(barriers()).as(page + ", dark").isEqualTo(List.of());
        browser.dark(false);
        browser.size(390, 844);
    }

    @Test
    void nothingIsAskedOfElsewhereNoScreenIsWiderThanATelephoneAndNoneHasBarriers() throws Exception {
        browser.size(390, 844);
        for (String screen : SCREENS) {
            show(screen, true);
            browser.await("main .card", "");
            assertThat(browser.run("return document.documentElement.scrollWidth")).as(screen).isEqualTo(390L);
            assertThat(browser.run("return performance.getEntriesByType('resource').map((each) => new URL(each.name).origin)"
                            + ".filter((each) => each !== location.origin)"))
                    .isEqualTo(List.of());
            hasNoBarriers(screen);
        }
        show("overview", true);
        picture("telephone");
    }

    @Test
    void aNameIsFoundByItsBeginningAndShownWithWhatItLeadsTo() throws Exception {
        show("names", true);
        browser.type("#prefix", "ali");
        browser.await("#found", "3 names that begin with “ali”");
        browser.press("#prefix", "ce\uE007");
        browser.await("#record", "alice-phone");
        browser.await("#record", "192.0.2.17:5060");
        browser.await("#record .left", "ends in ");
        picture("names");
    }

    /** To the end and back: rows are made for the screen alone, and pages that one has left are forgotten. */
    @Test
    void aHundredThousandNamesAreScrolled() throws Exception {
        int names = 100_050;
        CountDownLatch kept = new CountDownLatch(names);
        List<Binding> places = List.of(Binding.of(Locator.parse("192.0.2.1:80")));
        for (int i = 0; i < names; i++) {
            byte[] key = Name.of(Guid.ofAscii(String.format("scroll-%06d", i))).key();
            RecordStore.Replace insert = (name, current, version, now) -> RecordImage.write(name, version, places, List.of());
            while (!server.store().submit(key, insert, (outcome, version) -> kept.countDown())) {
                Thread.onSpinWait();
            }
        }
        kept.await();
        show("names", true);
        browser.type("#prefix", "scroll-");
        browser.await("#found", "and more names that begin with “scroll-”");
        Map<?, ?> told = requireNonNull((Map<?, ?>) browser.run("""
                const list = document.querySelector('.list');
                const found = document.querySelector('#found');
                const seen = { rows: 0, held: 0 };
                const drawn = () => new Promise((done) => { requestAnimationFrame(() => setTimeout(done)); });
                const until = async (at, part) => {
                  while (![...list.querySelectorAll('.row')].some((each) => each.textContent.includes(part))) {
                    list.scrollTop = at();
                    await drawn();
                    seen.rows = Math.max(seen.rows, list.querySelectorAll('.row').length);
                    seen.held = Math.max(seen.held, Number(list.dataset.held));
                  }
                };
                return (async () => {
                  await until(() => list.scrollHeight, 'scroll-100049');
                  seen.found = found.textContent;
                  await until(() => 0, 'scroll-000000');
                  return seen;
                })();
                """));
        assertThat(told.get("found")).asString().startsWith("100,050 names that begin with “scroll-”");
        assertThat((Long) told.get("rows")).isLessThanOrEqualTo(40);
        assertThat((Long) told.get("held")).isLessThanOrEqualTo(5000);
    }

    @Test
    void anEditIsRefusedWithoutATokenAndDoneWithIt() throws Exception {
        show("names/library", false);
        browser.await(".list ~ *, .fault", "Not without the token");
        browser.click("#change");
        browser.type("#place0", "192.0.2.200:80");
        browser.click("#save");
        browser.await("#edit .fault", "Not without the token");
        assertThat(server.store().get(Name.of(Guid.ofAscii("library"))).orElseThrow().bindings().getFirst().toString())
                .contains("library.example");
        show("names/library", true);
        browser.click("#change");
        browser.type("#place0", "192.0.2.200:80");
        browser.click("#save");
        browser.await("#record .place", "192.0.2.200:80");
    }

    @Test
    void aWayIsShownTermByTermAndAChangedLinkChangesTheOrder() throws Exception {
        show("nearness", true);
        browser.click("[data-id='10.1.0.1']");
        browser.click("[data-id='10.1.3.3']");
        browser.await("#way", "Hop by hop");
        assertThat(order()).hasSizeGreaterThan(5);
        picture("nearness");
        List<?> before = order();
        browser.run("document.querySelector('[aria-label=\"link 10.1.0.1 to 10.1.1.1\"], [aria-label=\"link 10.1.1.1 to 10.1.0.1\"]')"
                + ".dispatchEvent(new MouseEvent('click', { bubbles: true }))");
        browser.type("#link-weight", "50");
        browser.click("#link-save");
        browser.await("#order .good", "▲");
        assertThat(order()).isNotEqualTo(before).hasSameSizeAs(before);
    }

    private List<?> order() throws Exception {
        browser.await(".rank li", "");
        String addresses = "return [...document.querySelectorAll('.rank li')].map((each) => each.dataset.address)";
        return requireNonNull((List<?>) browser.run(addresses));
    }

    @Test
    void handlesTrafficAndAdviceTellOfThisServer() throws Exception {
        show("handles/1234%2FLIBRARY", true);
        browser.await("#handle-values", "https://library.example/catalogue");
        show("traffic", true);
        browser.await("main", "udp:127.0.0.1");
        browser.await("#networks td", "127.0.0.0/24");
        browser.await("#asked td a[href='#names/printer']", "printer");
        picture("traffic");
        show("advice", true);
        browser.await("#doctor", "native sockets");
        browser.await("#changed", "admin.token-file");
        browser.run("document.querySelector('[aria-label=\"Dark or light\"]').click()");
        picture("advice");
    }

    /** Who asks for what is for those alone who have the token. */
    @Test
    void whoAsksForWhatIsNotToldWithoutTheToken() throws Exception {
        show("traffic", false);
        browser.await(".fault", "Not without the token");
        assertThat(browser.run("return document.querySelectorAll('#networks, #asked').length")).isEqualTo(0L);
    }

    /** The focus goes by Tab to the screens, and Enter opens one. */
    @Test
    void theKeyboardIsEnough() throws Exception {
        show("overview", true);
        browser.run("document.querySelector('nav a[href=\"#nearness\"]').focus()");
        browser.press("nav a[href='#nearness']", "\uE007");
        browser.await("h1", "Nearness");
        browser.await("[data-id='10.1.0.1']", "");
        browser.run("document.querySelector(\"[data-id='10.1.0.1']\").focus()");
        browser.press("[data-id='10.1.0.1']", "\uE007");
        browser.await("[data-id='10.1.0.1'].from", "");
    }

    @Test
    void aHandlesPageFitsATelephoneAndHasNoBarriers() throws Exception {
        String http = "http:/" + server.handleHttpAddresses().getFirst();
        browser.size(390, 844);
        browser.open(http + "/1234/LIBRARY?noredirect");
        browser.await("td.o", "1 d");
        assertThat(browser.run("return document.documentElement.scrollWidth")).isEqualTo(390L);
        assertThat(browser.run("return [...document.querySelectorAll('body *')].filter((each) => each.getBoundingClientRect().right > 390)"
                        + ".map((each) => each.outerHTML)"))
                .isEqualTo(List.of());
        picture("handle");
        hasNoBarriers("a handle");
        browser.open(http + "/4711/elsewhere");
        browser.await("main", "hdl.handle.net/4711/elsewhere");
        hasNoBarriers("a handle of elsewhere");
    }

    /** Datagrams to port 53, of which the rules let pass what they allow, and others. */
    private static Path frames(Path file) throws IOException {
        try (Port port = FramePortOpener.open("pcap:,write=" + file)) {
            Burst burst = port.tx(0).burst();
            for (int i = 0; i < 30; i++) {
                ByteBuffer frame = ByteBuffer.allocate(60);
                frame.putLong(0x0200_0000_0001_0200L).putInt(2).putShort((short) 0x0800);
                frame.putInt(0x4500_0024).putInt(0).putInt(0x4011_0000).putInt(0x0a00_0001).putInt(0xc000_0207);
                frame.putShort((short) 4000).putShort((short) (i % 3 == 0 ? 99 : 53)).putShort((short) 16);
                MemorySegment.copy(MemorySegment.ofArray(frame.array()), 0, burst.segment(), burst.room(), 60);
                burst.append(60);
                port.tx(0).send(burst);
            }
        }
        return file;
    }

    @Test
    void aFirewallShowsItsRulesWithTheirHits() throws Exception {
        // A picture shows the names of its ports.
        Path folder = Files.createDirectories(Path.of("target", "box"));
        Path rules = Files.writeString(folder.resolve("rules"), "allow out udp from any to any port 53\n");
        Path token = Files.writeString(folder.resolve("token"), TOKEN + "\n");
        String[] command = {
            "firewall", "pcap:" + frames(folder.resolve("in.pcapng")), "pcap:,write=" + folder.resolve("out"), "--rules", rules.toString(),
            "--quiet", "--ui", "0", "--ui-token", token.toString()
        };
        StringWriter err = new StringWriter();
        Thread box = Thread.ofPlatform().start(() -> Main.commandLine(command)
                .setOut(new PrintWriter(new StringWriter()))
                .setErr(new PrintWriter(err, true))
                .execute(command));
        try {
            assertThat(RunningServer.eventually(() -> !box.isAlive() || err.toString().contains("/ui/"))).isTrue();
            assertThat(box.isAlive()).as(err.toString()).isTrue();
            String page = err.toString().replaceAll("(?s).*look at it at (\\S+).*", "$1");
            browser.open(page);
            browser.await(".fault", "Not without the token");
            browser.run("sessionStorage.setItem('token', arguments[0])", TOKEN);
            browser.open(page);
            browser.await("#told tr", "20");
            browser.await("#told", "allow out udp from any to any port 53");
            browser.await("#drops", "10");
            picture("box");
            browser.size(390, 844);
            assertThat(browser.run("return document.documentElement.scrollWidth")).isEqualTo(390L);
            hasNoBarriers("a box");
        } finally {
            box.interrupt();
            box.join();
        }
    }

    @Test
    void routersStandWhereTheFileSaysAndASiteThatIsGoneIsRed(@TempDir Path folder) throws Exception {
        Path map = Files.writeString(folder.resolve("map.json"), """
                {"nodes": [{"id": 1, "name": "Hamburg", "latitude": 53.55, "longitude": 9.99},
                           {"id": 2, "name": "Berlin", "latitude": 52.52, "longitude": 13.4},
                           {"id": 3, "name": "Cologne", "latitude": 50.94, "longitude": 6.96},
                           {"id": 4, "name": "Munich", "latitude": 48.14, "longitude": 11.58}],
                 "edges": [{"source": 1, "target": 2}, {"source": 1, "target": 3}, {"source": 3, "target": 4}]}
                """);
        int port;
        try (DatagramSocket free = new DatagramSocket(0, InetAddress.ofLiteral("127.0.0.3"))) {
            port = free.getLocalPort();
        }
        ServerDemo three = ServerDemo.make(3, port);
        List<Server> sites = new ArrayList<>();
        try {
            for (int i = 0; i < 3; i++) {
                List<String> settings = new ArrayList<>(three.settings(i));
                settings.addAll(List.of("gnrs.port=" + port, "admin.port=0", "proximity.files=" + map));
                sites.add(start(settings));
            }
            browser.open(ui(sites.getFirst()) + "#nearness");
            browser.await("[aria-label='router Munich']", "");
            assertThat(browser.run("""
                    const at = (name, axis) => document.querySelector(`[aria-label='router ${name}'] circle`).getBoundingClientRect()[axis];
                    const ordered = (axis, names) => [...names].sort((a, b) => at(a, axis) - at(b, axis)).join(' ');
                    const names = ['Hamburg', 'Berlin', 'Cologne', 'Munich'];
                    return ordered('x', names) + ', ' + ordered('y', names);
                    """)).isEqualTo("Cologne Hamburg Munich Berlin, Hamburg Berlin Cologne Munich");
            browser.open(ui(sites.getFirst()) + "#sites");
            browser.await("#site-site-3", "up");
            sites.get(2).close();
            // Nobody asks for a name meanwhile, and none is kept: the servers look at each other.
            browser.await("#site-site-3.down", "down");
            browser.await(".banner.bad", "site-3 does not answer");
            assertThat(browser.run("return fetch('../health').then((each) => each.text())")).asString().contains("site-3 does not answer");
            assertThat(browser.run("return fetch('../sites').then((each) => each.text())")).asString().contains("\"down\"");
            picture("sites");
            assertThat(barriers()).isEqualTo(List.of());
        } finally {
            sites.forEach(Server::close);
            three.delete();
        }
    }
}
