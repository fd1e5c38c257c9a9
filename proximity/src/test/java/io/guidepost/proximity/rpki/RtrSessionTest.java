package io.guidepost.proximity.rpki;

import static org.assertj.core.api.Assertions.assertThat;

import io.guidepost.base.Malformed;
import io.guidepost.base.Prefix;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class RtrSessionTest {
    private static final int SESSION = 7;
    private static final Vrp ONE = vrp("192.0.2.0/24", 1);
    private static final Vrp TWO = vrp("2001:db8::/32", 2);

    private final RtrSession session = new RtrSession();
    private long now = -TimeUnit.SECONDS.toNanos(5);

    private static Vrp vrp(String prefix, long as) {
        try {
            Prefix parsed = Prefix.parse(prefix);
            return new Vrp(parsed, parsed.length(), as);
        } catch (Malformed e) {
            throw new IllegalArgumentException(e);
        }
    }

    private static RtrPdu announce(Vrp vrp) {
        return new RtrPdu.Payload(true, vrp);
    }

    private static RtrPdu withdraw(Vrp vrp) {
        return new RtrPdu.Payload(false, vrp);
    }

    private static RtrPdu end(int serial) {
        return new RtrPdu.EndOfData(SESSION, serial, 3600, 600, 7200);
    }

    private static byte[] bytes(int version, RtrPdu... pdus) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        for (RtrPdu each : pdus) {
            bytes.writeBytes(each.write(version));
        }
        return bytes.toByteArray();
    }

    /** The bytes of a whole answer. */
    static byte[] good() {
        return bytes(1, new RtrPdu.CacheResponse(SESSION), announce(ONE), announce(TWO), end(1));
    }

    private void receive(int version, RtrPdu... pdus) {
        byte[] bytes = bytes(version, pdus);
        session.receive(bytes, 0, bytes.length, now);
    }

    private void receive(RtrPdu... pdus) {
        receive(1, pdus);
    }

    private void passes(int seconds) {
        now += TimeUnit.SECONDS.toNanos(seconds);
        session.tick(now);
    }

    /** Returns what was sent, in words; what PDUs of an Error Report hold is not compared. */
    private List<String> sent(int version) throws Malformed, RtrPdu.UnknownType {
        ByteBuffer bytes = ByteBuffer.wrap(session.take());
        List<String> all = new ArrayList<>();
        for (int at = 0; at < bytes.limit(); at += RtrPdu.length(bytes, at)) {
            assertThat(bytes.get(at)).isEqualTo((byte) version);
            RtrPdu pdu = RtrPdu.read(bytes, at);
            all.add(pdu instanceof RtrPdu.ErrorReport report ? RtrError.words(report.code()) + ": " + report.text() : pdu.toString());
        }
        return all;
    }

    private List<Vrp> table() {
        List<Vrp> all = new ArrayList<>();
        session.table().forEach(all::add);
        return all;
    }

    private void synchronizedWith(Vrp... vrps) throws Exception {
        session.connected(now);
        assertThat(sent(1)).containsExactly("ResetQuery[]");
        receive(new RtrPdu.CacheResponse(SESSION));
        for (Vrp each : vrps) {
            receive(announce(each));
        }
        assertThat(session.table().size()).as("before End of Data").isZero();
        receive(end(1));
        assertThat(session.state()).isEqualTo(RtrSession.State.IDLE);
        assertThat(table()).containsExactly(vrps);
    }

    @Test
    void itFollowsWhatTheCacheTells() throws Exception {
        synchronizedWith(ONE);
        receive(new RtrPdu.SerialNotify(SESSION, 2));
        assertThat(sent(1)).containsExactly("SerialQuery[session=7, serial=1]");
        receive(new RtrPdu.CacheResponse(SESSION), withdraw(ONE), announce(TWO));
        assertThat(table()).containsExactly(ONE);
        receive(end(2));
        assertThat(table()).containsExactly(TWO);
        assertThat(session.updates()).isEqualTo(2);
    }

    @Test
    void itAsksAgainAtTheRefreshInterval() throws Exception {
        synchronizedWith(ONE);
        passes(3599);
        assertThat(sent(1)).isEmpty();
        passes(1);
        assertThat(sent(1)).containsExactly("SerialQuery[session=7, serial=1]");
        receive(new RtrPdu.CacheResponse(SESSION), end(1));
        assertThat(table()).containsExactly(ONE);
    }

    @Test
    void aConnectionAfterAnotherAsksForWhatChanged() throws Exception {
        synchronizedWith(ONE);
        session.disconnected("the connection was closed");
        assertThat(session.retrySeconds()).isZero();
        session.connected(now);
        assertThat(sent(1)).containsExactly("SerialQuery[session=7, serial=1]");
        receive(new RtrPdu.CacheReset());
        assertThat(sent(1)).containsExactly("ResetQuery[]");
        assertThat(table()).as("until the new data is there").containsExactly(ONE);
        receive(new RtrPdu.CacheResponse(9), announce(TWO), new RtrPdu.EndOfData(9, 1, 3600, 600, 7200));
        assertThat(table()).containsExactly(TWO);
    }

    @Test
    void anAnswerThatBreaksOffChangesNothing() throws Exception {
        synchronizedWith(ONE);
        passes(3600);
        receive(new RtrPdu.CacheResponse(SESSION), announce(TWO));
        session.disconnected("the connection was closed");
        session.connected(now);
        session.take();
        receive(new RtrPdu.CacheResponse(SESSION), announce(TWO), end(2));
        assertThat(table()).containsExactly(ONE, TWO);
    }

    @Test
    void whatIsTooOldIsNotUsedAnyMore() throws Exception {
        synchronizedWith(ONE);
        session.disconnected("gone");
        passes(7199);
        assertThat(table()).containsExactly(ONE);
        passes(1);
        assertThat(table()).isEmpty();
        assertThat(session.isExpired()).isTrue();
        assertThat(session.reason()).isEqualTo("nothing came for 7200 s, and what had come has expired");
        synchronizedWith(TWO);
        assertThat(session.isExpired()).isFalse();
    }

    @Test
    void anotherSessionEndsTheUseOfTheFirst() throws Exception {
        synchronizedWith(ONE);
        receive(new RtrPdu.SerialNotify(8, 2));
        assertThat(sent(1)).containsExactly("corrupt data (0): the cache is in session 8");
        assertThat(session.state()).isEqualTo(RtrSession.State.CLOSED);
        assertThat(table()).isEmpty();
        assertThat(session.retrySeconds()).isEqualTo(600);
        synchronizedWith(TWO);
    }

    @Test
    void whatContradictsTheTableIsRefused() throws Exception {
        synchronizedWith(ONE);
        passes(3600);
        session.take();
        receive(new RtrPdu.CacheResponse(SESSION), announce(ONE));
        assertThat(sent(1)).containsExactly("duplicate announcement (7): announced twice: " + ONE);
        assertThat(table()).containsExactly(ONE);
        synchronizedAgain();
        passes(3600);
        session.take();
        receive(new RtrPdu.CacheResponse(SESSION), withdraw(TWO));
        assertThat(sent(1)).containsExactly("withdrawal of unknown record (6): withdrawn, but not there: " + TWO);
        assertThat(session.faults()).isEqualTo(2);
    }

    private void synchronizedAgain() throws Exception {
        session.connected(now);
        assertThat(sent(1)).as("all anew").containsExactly("ResetQuery[]");
        receive(new RtrPdu.CacheResponse(SESSION), announce(ONE), end(5));
    }

    private void synchronizedInVersion0() throws Exception {
        session.connected(now);
        assertThat(sent(1)).containsExactly("ResetQuery[]");
        receive(0, new RtrPdu.CacheResponse(SESSION), announce(ONE), new RtrPdu.EndOfData(SESSION, 1, 0, 0, 0));
        assertThat(table()).containsExactly(ONE);
    }

    @Test
    void aCacheOfVersion0IsFollowed() throws Exception {
        synchronizedInVersion0();
        passes(3600);
        assertThat(sent(0)).containsExactly("SerialQuery[session=7, serial=1]");
    }

    @Test
    void aCacheThatRefusesVersion1IsAskedInVersion0() throws Exception {
        for (int version : new int[] {0, 1}) {
            session.connected(now);
            assertThat(sent(1)).containsExactly("ResetQuery[]");
            receive(version, new RtrPdu.ErrorReport(4, new byte[0], "0 only"));
            assertThat(session.reason()).isEqualTo("the cache said unsupported version (4): 0 only");
            assertThat(session.retrySeconds()).isZero();
            session.connected(now);
            assertThat(sent(0)).containsExactly("ResetQuery[]");
            session.disconnected("the connection was closed");
        }
    }

    @Test
    void anotherVersionIsRefused() throws Exception {
        session.connected(now);
        session.take();
        receive(2, new RtrPdu.CacheResponse(SESSION));
        assertThat(sent(1)).containsExactly("unsupported version (4): the cache answers in version 2");
        synchronizedWith(ONE);
        receive(0, new RtrPdu.SerialNotify(SESSION, 2));
        assertThat(sent(1)).containsExactly("unexpected version (8): a PDU has version 0 in a session of version 1");
    }

    @Test
    void aNotifyBeforeTheAnswerIsIgnored() throws Exception {
        session.connected(now);
        receive(0, new RtrPdu.SerialNotify(3, 3));
        assertThat(sent(1)).containsExactly("ResetQuery[]");
        receive(new RtrPdu.CacheResponse(SESSION), announce(ONE), new RtrPdu.SerialNotify(SESSION, 2), end(1));
        assertThat(table()).containsExactly(ONE);
    }

    @Test
    void aCacheWithoutDataIsAskedAgain() throws Exception {
        session.connected(now);
        session.take();
        receive(new RtrPdu.ErrorReport(2, new byte[0], ""));
        assertThat(session.state()).isEqualTo(RtrSession.State.IDLE);
        assertThat(session.reason()).isEqualTo("the cache said no data available (2)");
        passes(600);
        assertThat(sent(1)).containsExactly("ResetQuery[]");
    }

    /** As a cache does that has just started: it says that it has nothing, and notifies when it has something. */
    @Test
    void aNotifyFromACacheThatHadNoDataIsFollowed() throws Exception {
        synchronizedWith(ONE);
        passes(3600);
        session.take();
        receive(new RtrPdu.ErrorReport(2, new byte[0], ""), new RtrPdu.SerialNotify(8, 1));
        assertThat(sent(1)).containsExactly("ResetQuery[]");
        assertThat(table()).as("until the new data is there").containsExactly(ONE);
    }

    @Test
    void aNotifyInTheMiddleOfAnAnswerIsFollowedAfterIt() throws Exception {
        session.connected(now);
        session.take();
        receive(new RtrPdu.CacheResponse(SESSION), announce(ONE), new RtrPdu.SerialNotify(SESSION, 2), end(1));
        passes(0);
        assertThat(sent(1)).containsExactly("SerialQuery[session=7, serial=1]");
        receive(new RtrPdu.CacheResponse(SESSION), new RtrPdu.SerialNotify(SESSION, 2), end(2));
        passes(0);
        assertThat(sent(1)).as("it has that already").isEmpty();
    }

    @Test
    void changesDoNotMakeTheTableLargerThanItsBound() throws Exception {
        RtrSession bounded = new RtrSession(2);
        bounded.connected(now);
        byte[] full = bytes(1, new RtrPdu.CacheResponse(SESSION), announce(ONE), announce(TWO), end(1), new RtrPdu.SerialNotify(SESSION, 2),
                new RtrPdu.CacheResponse(SESSION), announce(vrp("198.51.100.0/24", 3)), end(2));
        bounded.receive(full, 0, full.length, now);
        assertThat(bounded.reason()).isEqualTo("the cache has more than 2 VRPs");
        assertThat(bounded.table().size()).isEqualTo(2);
        assertThat(bounded.faults()).isEqualTo(1);
    }

    @Test
    void changesOfExpiredDataAreNotUsedWithoutIt() throws Exception {
        synchronizedWith(ONE);
        for (int i = 0; i < 59; i++) {
            passes(60);
        }
        passes(60);
        receive(new RtrPdu.CacheResponse(SESSION), announce(TWO));
        for (int i = 0; i < 60; i++) {
            passes(60);
            receive(announce(vrp("10.0." + i + ".0/24", 1)));
        }
        receive(end(2));
        assertThat(table()).isEmpty();
        assertThat(session.state()).isEqualTo(RtrSession.State.CLOSED);
        session.connected(now);
        assertThat(sent(1)).endsWith("ResetQuery[]");
    }

    /** RFC 8210 section 6: the expire interval must be the largest; a cache that says otherwise is asked before its data expires. */
    @Test
    void itAsksBeforeDataExpires() throws Exception {
        session.connected(now);
        session.take();
        receive(new RtrPdu.CacheResponse(SESSION), announce(ONE), new RtrPdu.EndOfData(SESSION, 1, -1, 7200, 600));
        passes(299);
        assertThat(sent(1)).isEmpty();
        passes(1);
        assertThat(sent(1)).containsExactly("SerialQuery[session=7, serial=1]");
    }

    /** RFC 8210 section 5.1: each version has sessions of its own. */
    @Test
    void aSessionOfVersion0IsNotAskedForInVersion1() throws Exception {
        synchronizedInVersion0();
        session.disconnected("the connection was closed");
        session.connected(now);
        session.disconnected("the connection was closed");
        session.connected(now);
        assertThat(sent(1)).containsExactly("ResetQuery[]");
        assertThat(table()).containsExactly(ONE);
    }

    @Test
    void whatACacheSaysIsOneLine() {
        session.connected(now);
        receive(new RtrPdu.ErrorReport(1, new byte[0], "no\nWARN\u001b[31m forged" + "!".repeat(1000)));
        assertThat(session.reason()).startsWith("the cache said internal error (1): no WARN [31m forged!").hasSizeLessThan(300);
    }

    @Test
    void aReportIsNotAnsweredWithAnother() throws Exception {
        session.connected(now);
        session.take();
        byte[] broken = {1, 10, 0, 0, 0, 0, 0, 16, 0, 0, 0, 9, 0, 0, 0, 0};
        session.receive(broken, 0, broken.length, now);
        assertThat(session.state()).isEqualTo(RtrSession.State.CLOSED);
        assertThat(session.take()).isEmpty();
    }

    @Test
    void aSilentCacheIsLeft() {
        session.connected(now);
        passes(119);
        assertThat(session.state()).isEqualTo(RtrSession.State.ASKED);
        passes(1);
        assertThat(session.state()).isEqualTo(RtrSession.State.CLOSED);
        assertThat(session.reason()).isEqualTo("the cache was silent for 120 s");
    }

    @Test
    void bytesMayComeInAnyPieces() throws Exception {
        session.connected(now);
        for (byte each : good()) {
            session.receive(new byte[] {each}, 0, 1, now);
        }
        assertThat(table()).containsExactly(ONE, TWO);
    }

    /** No bytes, whole or damaged, lead to anything but a state. */
    @Test
    void noBytesBreakIt() {
        SplittableRandom random = new SplittableRandom(6811);
        List<RtrPdu> some = List.of(
                new RtrPdu.SerialNotify(SESSION, 2), new RtrPdu.CacheResponse(SESSION), announce(ONE), withdraw(ONE), announce(TWO),
                end(1), new RtrPdu.CacheReset(), new RtrPdu.ErrorReport(2, new byte[3], "?"), new RtrPdu.ResetQuery());
        int synchronizations = 0;
        for (int round = 0; round < 20_000; round++) {
            if (session.state() == RtrSession.State.CLOSED) {
                session.connected(now);
            }
            byte[] bytes = some.get(random.nextInt(some.size())).write(random.nextInt(20) == 0 ? 0 : 1);
            for (int damage = random.nextInt(8); damage == 0; damage = random.nextInt(3)) {
                bytes[random.nextInt(bytes.length)] = (byte) random.nextInt();
            }
            long updates = session.updates();
            session.receive(bytes, 0, random.nextInt(30) == 0 ? random.nextInt(bytes.length) : bytes.length, now);
            passes(random.nextInt(20));
            synchronizations += session.updates() > updates ? 1 : 0;
            assertThat(session.take().length).isLessThan(3 * RpkiLimits.PDU_BYTES_MAX);
        }
        assertThat(synchronizations).as("it was not always closed").isGreaterThan(10);
    }
}
