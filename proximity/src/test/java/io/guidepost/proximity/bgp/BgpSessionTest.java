package io.guidepost.proximity.bgp;

import static io.guidepost.proximity.bgp.BgpTestMessages.announce;
import static io.guidepost.proximity.bgp.BgpTestMessages.hex;
import static io.guidepost.proximity.bgp.BgpTestMessages.join;
import static io.guidepost.proximity.bgp.BgpTestMessages.message;
import static org.assertj.core.api.Assertions.assertThat;

import io.guidepost.base.Malformed;
import io.guidepost.base.Prefix;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A session from its first byte to its last, with peers that behave and others that do not. */
class BgpSessionTest {
    private static final int OWN_ID = 0x0a000001;
    static final BgpSessionSettings SETTINGS = new BgpSessionSettings(65_000, OWN_ID, 90, 65_001);
    private static final long SECOND = 1_000_000_000L;
    private static final byte[] KEEPALIVE = message(4, new byte[0]);

    private final RecordingRouteSink heard = new RecordingRouteSink();
    private final BgpSession session = new BgpSession(SETTINGS, heard, 0);

    /** An OPEN of AS 65001 with hold time 30 and identifier 10.0.0.2. */
    private static byte[] open(String capabilities) {
        byte[] can = hex(capabilities);
        String head = "04 fde9 001e 0a000002";
        return message(1, can.length == 0
                ? hex(head + "00")
                : join(hex(head), new byte[] {(byte) (can.length + 2), 2, (byte) can.length}, can));
    }

    private void receive(byte[] bytes, long now) {
        session.receive(bytes, 0, bytes.length, now);
    }

    private void establish() {
        receive(join(open("0104 0001 0001  0104 0002 0001  4104 0000fde9  4002 0078"), KEEPALIVE), 0);
        assertThat(session.state()).isEqualTo(BgpSession.State.ESTABLISHED);
        session.take();
    }

    @Test
    void opensAsTheRfcsSay() {
        assertThat(session.take()).isEqualTo(hex("ff".repeat(16) + "0043 01"
                + "04 fde8 005a 0a000001 26 02 24"
                + "01 04 00010001  01 04 00020001  02 00  06 00  40 02 0000  41 04 0000fde8  45 08 00010101 00020101"));
        receive(open("0104 0001 0001"), 0);
        assertThat(session.state()).isEqualTo(BgpSession.State.OPEN_CONFIRM);
        assertThat(session.take()).isEqualTo(KEEPALIVE);
        assertThat(session.families()).containsExactly(AddressFamily.IPV4);
        assertThat(session.peerIdentifier()).isEqualTo(0x0a000002);
        receive(KEEPALIVE, 0);
        assertThat(session.state()).isEqualTo(BgpSession.State.ESTABLISHED);
    }

    @Test
    void whatItWritesItReads() throws Exception {
        BgpOpen open = new BgpOpen(4, 4_200_000_000L, 90, 7, BgpCapabilities.own(4_200_000_000L));
        byte[] body = open.write();
        assertThat(BgpOpen.read(body, 0, body.length)).isEqualTo(open);
    }

    @Test
    void takesRoutesHoweverTheBytesAreCut() throws Exception {
        byte[] all = join(
                open("0104 0001 0001  4104 0000fde9"), KEEPALIVE,
                message(2, announce(List.of(Prefix.parse("10.0.0.0/8")), 65_001, 7)),
                message(2, hex("0002 080a 0000")), message(5, hex("00010001")), message(2, hex("00000000")));
        for (byte each : all) {
            receive(new byte[] {each}, 0);
        }
        assertThat(heard.lines).containsExactly("begin", "+10.0.0.0/8 7 2 10.0.0.1", "-10.0.0.0/8", "end IPV4");
        assertThat(session.counts().get(BgpCount.UPDATES)).isEqualTo(3);
    }

    @Test
    void keepsItselfAliveAndEndsAfterSilence() {
        establish();
        session.tick(9 * SECOND);
        assertThat(session.take()).isEmpty();
        session.tick(10 * SECOND);
        assertThat(session.take()).as("a third of the smaller hold time").isEqualTo(KEEPALIVE);
        receive(KEEPALIVE, 20 * SECOND);
        session.tick(49 * SECOND);
        assertThat(session.state()).isEqualTo(BgpSession.State.ESTABLISHED);
        session.take();
        session.tick(50 * SECOND);
        assertThat(session.state()).isEqualTo(BgpSession.State.CLOSED);
        assertThat(session.take()).isEqualTo(message(3, hex("0400")));
    }

    @Test
    void aPeerThatSaysNothingIsLeft() {
        session.take();
        session.tick(239 * SECOND);
        assertThat(session.state()).isEqualTo(BgpSession.State.OPEN_SENT);
        session.tick(240 * SECOND);
        assertThat(session.take()).isEqualTo(message(3, hex("0400")));
    }

    /** Each fault of the beginning ends the session with its code. */
    @ParameterizedTest
    @CsvSource({
        "no marker, 01 01, fe ffffffffffffffffffffffffffffff 001d 01 04fde9001e0a00000200",
        "too short, 01 02 0012, ffffffffffffffffffffffffffffffff 0012 01",
        "too long, 01 02 1001, ffffffffffffffffffffffffffffffff 1001 01",
        "no type, 01 03 09, ffffffffffffffffffffffffffffffff 0013 09",
        "version 3, 02 01 0004, ffffffffffffffffffffffffffffffff 001d 01 03fde9001e0a00000200",
        "other AS, 02 02, ffffffffffffffffffffffffffffffff 001d 01 04fdea001e0a00000200",
        "identifier 0, 02 03, ffffffffffffffffffffffffffffffff 001d 01 04fde9001e0000000000",
        "parameter 1, 02 04, ffffffffffffffffffffffffffffffff 001f 01 04fde9001e0a00000202 0100",
        "hold time 2, 02 06, ffffffffffffffffffffffffffffffff 001d 01 04fde900020a00000200",
        "parameters cut short, 02 00, ffffffffffffffffffffffffffffffff 001e 01 04fde9001e0a00000205 02",
        "KEEPALIVE first, 05 01 04, ffffffffffffffffffffffffffffffff 0013 04",
    })
    void refusesABadBeginning(String what, String told, String bytes) {
        session.take();
        receive(hex(bytes), 0);
        assertThat(session.state()).as(what).isEqualTo(BgpSession.State.CLOSED);
        assertThat(session.take()).as(what).isEqualTo(message(3, hex(told)));
        assertThat(session.reason()).isNotEmpty();
    }

    @Test
    void aBadUpdateEndsItAndABadAttributeDoesNot() throws Exception {
        establish();
        receive(message(2, hex("0000 0007 40010105 400200 0a")), 0);
        assertThat(session.state()).isEqualTo(BgpSession.State.CLOSED);
        assertThat(session.take()).isEqualTo(message(3, hex("030a")));
    }

    @Test
    void anAttributeWithAFaultIsCounted() {
        establish();
        receive(message(2, hex("0000 0007 40010105 400200 080a")), 0);
        assertThat(session.state()).isEqualTo(BgpSession.State.ESTABLISHED);
        assertThat(session.counts().get(BgpCount.TREATED_AS_WITHDRAWAL)).isOne();
        assertThat(heard.lines).containsExactly("begin", "-10.0.0.0/8");
    }

    @Test
    void longMessagesOnlyAfterBothAgreed() throws Exception {
        List<Prefix> many = java.util.stream.IntStream.range(0, 2000).mapToObj(i -> Prefix.ofIpv4(i << 8, 24)).toList();
        byte[] update = message(2, announce(many, 65_001, 7));
        receive(join(open("4104 0000fde9 0600"), KEEPALIVE, update), 0);
        assertThat(heard.lines).hasSize(2001);
        BgpSession other = new BgpSession(SETTINGS, heard, 0);
        byte[] all = join(open("4104 0000fde9"), KEEPALIVE, update);
        other.receive(all, 0, all.length, 0);
        assertThat(other.ending()).hasValueSatisfying(why -> assertThat(why.toString()).contains("bad length"));
    }

    @Test
    void endsAsEitherSideWants() {
        establish();
        receive(message(3, hex("0602")), 0);
        assertThat(session.endedByPeer()).isTrue();
        assertThat(session.ending().orElseThrow().isFinal()).isTrue();
        assertThat(session.reason()).contains("administrative shutdown");
        BgpSession other = new BgpSession(SETTINGS, heard, 0);
        other.take();
        other.close(BgpNotification.cease(BgpNotification.SHUTDOWN), 0);
        assertThat(other.take()).isEqualTo(message(3, hex("0602")));
    }

    /** A session in which most of what there is comes once. */
    static byte[] good() throws Malformed {
        return join(
                open("0104 0001 0001  0104 0002 0001  4104 0000fde9  4508 00010103 00020103 0600 4002 0078"), KEEPALIVE,
                message(2, announce(List.of(Prefix.parse("10.0.0.0/8"), Prefix.parse("11.1.0.0/16")), 65_001, 7)),
                message(2, announce(List.of(Prefix.parse("2001:db8::/32")), 65_001, 7)),
                message(2, hex("0002 080a 0000")), message(2, hex("0000 0006 80 0f 03 0002 01")), KEEPALIVE);
    }

    private static void fuzz(long seed, int rounds) throws Exception {
        byte[] good = good();
        int openBytes = open("0104 0001 0001  0104 0002 0001  4104 0000fde9  4508 00010103 00020103 0600 4002 0078").length;
        SplittableRandom random = new SplittableRandom(seed);
        Rib rib = new Rib();
        RibPeer peer = rib.peer("a", new RouteExitRule.NextHop(0)).orElseThrow();
        long ended = 0;
        for (int round = 0; round < rounds; round++) {
            byte[] bad = good.clone();
            int from = random.nextInt(3) == 0 ? 0 : openBytes + KEEPALIVE.length;
            for (int i = random.nextInt(1, 6); i > 0; i--) {
                bad[random.nextInt(from, bad.length)] = (byte) (random.nextBoolean() ? random.nextInt() : random.nextInt(4));
            }
            bad = Arrays.copyOf(bad, random.nextInt(bad.length / 2, bad.length + 1));
            BgpSession session = new BgpSession(SETTINGS, peer, 0);
            session.take();
            int cut = random.nextInt(bad.length);
            session.receive(bad, 0, cut, 0);
            session.receive(bad, cut, bad.length, 0);
            session.take();
            if (session.state() == BgpSession.State.CLOSED && !session.endedByPeer()) {
                assertThat(session.ending()).as("seed " + seed + " round " + round).isPresent();
                ended++;
            }
        }
        assertThat(ended).isPositive().isLessThan(rounds);
        rib.drainInto(new io.guidepost.proximity.topology.OperatorNetwork());
    }

    @Test
    void nothingThatAPeerSendsBreaksIt() throws Exception {
        fuzz(1, 40_000);
    }

    @Test
    @Tag("long")
    void nothingThatAPeerSendsBreaksItForLong() throws Exception {
        for (long seed = 2; seed < 40; seed++) {
            fuzz(seed, 250_000);
        }
    }
}
