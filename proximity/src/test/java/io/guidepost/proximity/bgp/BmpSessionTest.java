package io.guidepost.proximity.bgp;

import static io.guidepost.proximity.bgp.BgpTestMessages.announce;
import static io.guidepost.proximity.bgp.BgpTestMessages.hex;
import static io.guidepost.proximity.bgp.BgpTestMessages.join;
import static io.guidepost.proximity.bgp.BgpTestMessages.message;
import static org.assertj.core.api.Assertions.assertThat;

import io.guidepost.base.Address;
import io.guidepost.base.Malformed;
import io.guidepost.base.Prefix;
import io.guidepost.proximity.topology.OperatorNetwork;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What a router tells of its sessions. */
class BmpSessionTest {
    static final Address ROUTER = Address.ofIpv4(0x0a090909);
    private static final Address PEER = Address.ofIpv4(0xc0000201);
    private static final int LOCAL_AS = 65_000;

    private final Rib rib = new Rib();
    private final BmpSession session = session();

    private BmpSession session() {
        return new BmpSession(rib, "r1", name -> name.equals("edge1") ? Optional.of(new RouteExit(ROUTER, 2)) : Optional.empty());
    }

    private static byte[] bmp(int type, byte[]... parts) {
        byte[] body = join(parts);
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        out.write(3);
        BgpTestMessages.put(out, 4, 6 + body.length);
        out.write(type);
        out.writeBytes(body);
        return out.toByteArray();
    }

    private static byte[] header(int type, int flags, Address address, long as) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        out.write(type);
        out.write(flags);
        BgpTestMessages.put(out, 8, 0);
        if (address.isIpv4()) {
            BgpTestMessages.put(out, 8, 0);
            BgpTestMessages.put(out, 4, 0);
        }
        out.writeBytes(BgpTestMessages.address(address));
        BgpTestMessages.put(out, 4, as);
        BgpTestMessages.put(out, 4, 7);
        BgpTestMessages.put(out, 8, 0);
        return out.toByteArray();
    }

    private static byte[] open(long as, boolean sendsPaths) {
        EnumSet<AddressFamily> none = EnumSet.noneOf(AddressFamily.class);
        EnumSet<AddressFamily> all = EnumSet.allOf(AddressFamily.class);
        return message(1, new BgpOpen(4, as, 90, 7, new BgpCapabilities(all, as, false, sendsPaths ? all : none, all)).write());
    }

    private static byte[] initiation() {
        byte[] name = "edge1".getBytes(StandardCharsets.UTF_8);
        return bmp(4, hex("0001 0003 465252"), new byte[] {0, 2, 0, 5}, name);
    }

    private static byte[] up(Address address, long as, boolean sendsPaths) {
        return bmp(3, header(0, 0, address, as), new byte[20], open(LOCAL_AS, false), open(as, sendsPaths));
    }

    private static byte[] routes(int type, int flags, long as, byte[] update) {
        return bmp(0, header(type, flags, PEER, as), message(2, update));
    }

    private void receive(byte[]... messages) {
        byte[] all = join(messages);
        session.receive(all, 0, all.length);
    }

    private List<String> network() {
        OperatorNetwork network = new OperatorNetwork();
        rib.fill(network);
        List<String> told = new java.util.ArrayList<>();
        network.forEach((prefix, all) -> all.forEach(each -> told.add(
                prefix + " " + each.router() + "/" + each.nic() + " " + each.asNumber() + " " + each.asDistance())));
        return told;
    }

    @Test
    void theRouterIsTheExitForPeersOfOthers() throws Exception {
        byte[] all = join(
                initiation(), up(PEER, 7, false),
                routes(0, 0, 7, announce(List.of(Prefix.parse("10.0.0.0/8"), Prefix.parse("11.0.0.0/8")), 7, 8)),
                bmp(1, header(0, 0, PEER, 7), hex("00000000")),
                routes(0, 0, 7, hex("0002 080b 0000")));
        for (byte each : all) {
            session.receive(new byte[] {each}, 0, 1);
        }
        assertThat(session.name()).isEqualTo("edge1");
        assertThat(session.description()).isEqualTo("FRR");
        assertThat(network()).containsExactly("10.0.0.0/8 10.9.9.9/2 8 2");
        receive(bmp(2, header(0, 0, PEER, 7), hex("04")));
        assertThat(network()).isEmpty();
        receive(bmp(5, hex("0001 0002 0000")));
        assertThat(session.isOver()).isTrue();
    }

    /** As FRR 8.4 tells it. */
    @Test
    void itsOwnNumberInFrontIsNotCounted() throws Exception {
        receive(initiation(), up(PEER, 7, false),
                routes(0, 0, 7, announce(List.of(Prefix.parse("10.0.0.0/8")), LOCAL_AS, 7, 8)),
                routes(0, 0, 7, announce(List.of(Prefix.parse("11.0.0.0/8")), 7, LOCAL_AS, 8)));
        assertThat(network()).containsExactly("10.0.0.0/8 10.9.9.9/2 8 2", "11.0.0.0/8 10.9.9.9/2 8 3");
    }

    @Test
    void peersOfItsOwnSystemNameTheExit() throws Exception {
        receive(initiation(), up(PEER, LOCAL_AS, false),
                routes(0, 0, LOCAL_AS, announce(List.of(Prefix.parse("10.0.0.0/8")), 7, 8)));
        assertThat(network()).as("the next hop").containsExactly("10.0.0.0/8 10.0.0.1/2 8 2");
    }

    @Test
    void whatIsAfterThePolicyTakesThePlaceOfWhatIsBefore() throws Exception {
        receive(initiation(), up(PEER, 7, false),
                routes(0, 0, 7, announce(List.of(Prefix.parse("10.0.0.0/8"), Prefix.parse("11.0.0.0/8")), 7, 8)),
                routes(0, 0x40, 7, announce(List.of(Prefix.parse("11.0.0.0/8")), 7, 8, 8)),
                routes(0, 0, 7, announce(List.of(Prefix.parse("12.0.0.0/8")), 7, 8)));
        assertThat(network()).containsExactly("11.0.0.0/8 10.9.9.9/2 8 3");
    }

    @Test
    void otherViewsAreNotLookedAt() throws Exception {
        byte[] update = announce(List.of(Prefix.parse("10.0.0.0/8")), 7, 8);
        receive(initiation(), up(PEER, 7, false), routes(0, 0x10, 7, update), routes(1, 0, 7, update),
                routes(3, 0, 7, update));
        assertThat(network()).isEmpty();
        assertThat(session.counts().get(BgpCount.REFUSED)).isEqualTo(3);
    }

    @Test
    void readsNarrowNumbersAndSeveralWays() throws Exception {
        byte[] narrow = BgpTestMessages.body(
                new byte[0],
                join(BgpTestMessages.attribute(0x40, 1, new byte[1]), BgpTestMessages.attribute(0x40, 2, BgpTestMessages.path(2, 7, 9)),
                        BgpTestMessages.attribute(0x40, 3, hex("0a000001"))),
                hex("00000001 08 0a 00000002 08 0b"));
        receive(initiation(), up(PEER, 7, true), routes(0, 0x20, 7, narrow));
        assertThat(network()).containsExactly("10.0.0.0/8 10.9.9.9/2 9 2", "11.0.0.0/8 10.9.9.9/2 9 2");
    }

    @Test
    void aRouterThatNobodyKnowsIsNotTaken() throws Exception {
        receive(up(PEER, 7, false), routes(0, 0, 7, announce(List.of(Prefix.parse("10.0.0.0/8")), 7, 8)));
        assertThat(network()).isEmpty();
        assertThat(session.counts().get(BgpCount.REFUSED)).isEqualTo(2);
    }

    @Test
    void aLostConnectionIsForgivenForAWhile() throws Exception {
        receive(initiation(), up(PEER, 7, false), routes(0, 0, 7, announce(List.of(Prefix.parse("10.0.0.0/8")), 7, 8)));
        session.lost(0, 100);
        assertThat(network()).hasSize(1);
        rib.expire(100);
        assertThat(network()).isEmpty();
    }

    @Test
    void somethingElseIsLeft() {
        receive("GET / HTTP/1.1\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
        assertThat(session.isOver()).isTrue();
        assertThat(session.reason()).contains("version 3");
    }

    /** A router that tells of most of what there is. */
    static byte[] good() throws Malformed {
        return join(
                initiation(), up(PEER, 7, false),
                routes(0, 0, 7, announce(List.of(Prefix.parse("10.0.0.0/8"), Prefix.parse("11.0.0.0/8")), 7, 8)),
                routes(0, 0x40, 7, announce(List.of(Prefix.parse("2001:db8::/32")), 7, 8)),
                bmp(2, header(0, 0, PEER, 7), hex("04")));
    }

    @Test
    void nothingThatARouterSendsBreaksIt() throws Exception {
        fuzz(4, 30_000);
    }

    @Test
    @Tag("long")
    void nothingThatARouterSendsBreaksItForLong() throws Exception {
        fuzz(5, 5_000_000);
    }

    private void fuzz(long seed, int rounds) throws Exception {
        byte[] good = good();
        SplittableRandom random = new SplittableRandom(seed);
        int alive = 0;
        for (int round = 0; round < rounds; round++) {
            byte[] bad = good.clone();
            for (int i = random.nextInt(1, 5); i > 0; i--) {
                bad[random.nextInt(bad.length)] = (byte) random.nextInt();
            }
            bad = Arrays.copyOf(bad, random.nextInt(bad.length / 2, bad.length + 1));
            BmpSession each = session();
            int cut = random.nextInt(bad.length);
            each.receive(bad, 0, cut);
            each.receive(bad, cut, bad.length);
            alive += each.isOver() ? 0 : 1;
            each.lost(0, 0);
        }
        assertThat(alive).isPositive().isLessThan(rounds);
        assertThat(network()).isEmpty();
    }
}
