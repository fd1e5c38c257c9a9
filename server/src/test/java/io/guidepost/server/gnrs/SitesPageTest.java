package io.guidepost.server.gnrs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.guidepost.base.Malformed;
import io.guidepost.gnrs.peer.Peer;
import io.guidepost.gnrs.peer.PeerDescriptor;
import io.guidepost.server.cli.support.AdminOptions;
import io.guidepost.web.JsonWriter;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Pages of a deployment of many servers. */
class SitesPageTest {
    private static final int SERVERS = 1234;

    private final List<Peer> peers = IntStream.range(0, SERVERS).mapToObj(SitesPageTest::peer).toList();

    private static Peer peer(int number) {
        return peer(number, number == 0);
    }

    private static Peer peer(int number, boolean own) {
        InetSocketAddress address =
                new InetSocketAddress(InetAddress.ofLiteral("10.0." + number / 250 + "." + number % 250), 5001);
        return new Peer(new PeerDescriptor("s%04d".formatted(number), address, PeerDescriptor.Kind.GUIDEPOST), own);
    }

    private Map<String, Object> page(String query) throws Malformed {
        return page(query, peers);
    }

    private static Map<String, Object> page(String query, List<Peer> peers) throws Malformed {
        Map<String, Object> page = JsonWriter.object("alone", false);
        SitesPage.of(query).write(page, peers, Map.of(), Optional.empty());
        return page;
    }

    private static List<String> names(Map<String, Object> page) {
        return AdminOptions.rows(page, "servers").stream().map(each -> AdminOptions.text(each, "name")).toList();
    }

    @Test
    void pagesThatFollowEachOtherShowEachServerOnce() throws Malformed {
        List<String> seen = new ArrayList<>();
        String next = "";
        do {
            Map<String, Object> page = page("limit=100&after=" + next);
            assertThat(names(page)).hasSizeLessThanOrEqualTo(100);
            seen.addAll(names(page));
            next = String.valueOf(page.get("next"));
        } while (!next.isEmpty());
        assertThat(seen).isEqualTo(peers.stream().map(each -> each.descriptor().name()).toList());
    }

    /** This server comes first, but its name may be behind those of others. */
    @Test
    void pagesOfOneRowShowEachServerOnce() throws Malformed {
        List<Peer> some = List.of(peer(5, true), peer(7, true), peer(1, false), peer(6, false), peer(9, false));
        List<String> seen = new ArrayList<>();
        String next = "";
        do {
            Map<String, Object> page = page("limit=1&after=" + next, some);
            seen.addAll(names(page));
            next = String.valueOf(page.get("next"));
        } while (!next.isEmpty() && seen.size() < 10);
        assertThat(seen).containsExactly("s0005", "s0007", "s0001", "s0006", "s0009");
    }

    @Test
    void eachPageCountsAll() throws Malformed {
        Map<String, Object> page = page("limit=1");
        assertThat(names(page)).containsExactly("s0000");
        assertThat(page.get("counts"))
                .isEqualTo(Map.of("all", SERVERS, "up", 0, "down", 0, "unknown", SERVERS - 1, "otherTables", 0L));
        assertThat(names(page("health=unknown&limit=3&after=s0021"))).containsExactly("s0022", "s0023", "s0024");
        assertThat(page("health=unknown&after=s1200").get("next")).isEqualTo("");
        assertThat(names(page("health=down"))).isEmpty();
    }

    @Test
    void whatIsAskedForWronglyIsTold() {
        assertThatThrownBy(() -> page("health=dead")).hasMessageStartingWith("health is one of unknown, up, down, not 'dead'");
        assertThatThrownBy(() -> page("limit=0")).hasMessageContaining("limit");
        assertThatThrownBy(() -> page("limit=10001")).hasMessageContaining("10000");
    }
}
