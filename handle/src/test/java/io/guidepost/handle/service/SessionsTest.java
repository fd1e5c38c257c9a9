package io.guidepost.handle.service;

import static io.guidepost.handle.service.TestSession.answer;
import static io.guidepost.handle.service.TestSession.request;
import static org.assertj.core.api.Assertions.assertThat;

import io.guidepost.handle.Handle;
import io.guidepost.handle.authentication.RsaExchange;
import io.guidepost.handle.authentication.SessionCipher;
import io.guidepost.handle.authentication.SessionKey;
import io.guidepost.handle.key.PublicKeyRecord;
import io.guidepost.handle.message.Body;
import io.guidepost.handle.message.Credential;
import io.guidepost.handle.message.KeyExchange;
import io.guidepost.handle.message.Message;
import io.guidepost.handle.message.OpFlag;
import io.guidepost.handle.message.Operation;
import io.guidepost.handle.message.ResponseCode;
import io.guidepost.names.SharedCounters;
import java.io.IOException;
import java.math.BigInteger;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Messages in sessions: whose MAC is wrong, whose number was used, whose session is not theirs. */
class SessionsTest {
    private static final Body SITE = new Body.Named(Handle.SLASH);

    private TestServer server;

    @BeforeEach
    void open() throws IOException {
        server = new TestServer();
    }

    @AfterEach
    void close() throws IOException {
        server.close();
    }

    private ResponseCode code(Message request) throws Exception {
        return TestServer.code(server.ask(request));
    }

    private static Body values(String handle) {
        return new Body.Values(Handle.of(handle), List.of(TestServer.url(1, "http://e.x/")));
    }

    @Test
    void aSessionIsOfWhomeverAnsweredItsChallenge() throws Exception {
        TestSession session = new TestSession(server);
        assertThat(session.id & 1).isZero();
        Message challenge = server.ask(session.sealed(Operation.CREATE, values("1234/x")));
        assertThat(challenge.envelope().sessionId()).isEqualTo(session.id);
        Message made = server.ask(answer(challenge));
        assertThat(TestServer.code(made)).isEqualTo(ResponseCode.SUCCESS);
        assertThat(made.envelope().sessionId()).isEqualTo(session.id);
        assertThat(code(session.sealed(Operation.CREATE, values("1234/y")))).isEqualTo(ResponseCode.SUCCESS);
        assertThat(server.service.count(ServiceCount.CHALLENGES)).isEqualTo(1);
        // Another session is not.
        assertThat(code(new TestSession(server).sealed(Operation.CREATE, values("1234/z"))))
                .isEqualTo(ResponseCode.CHALLENGE);
        assertThat(server.exists("1234/z")).isFalse();
    }

    @Test
    void aSessionWithAWrongAnswerIsOfNobody() throws Exception {
        TestSession session = new TestSession(server);
        Message challenge = server.ask(session.sealed(Operation.CREATE, values("1234/x")));
        assertThat(code(answer(challenge, TestServer.RSA, TestServer.NOBODY_KEYS.getPrivate())))
                .isEqualTo(ResponseCode.AUTHENTICATION_FAILED);
        assertThat(code(answer(challenge))).isEqualTo(ResponseCode.CHALLENGE_TIMED_OUT);
        assertThat(code(session.sealed(Operation.CREATE, values("1234/y")))).isEqualTo(ResponseCode.CHALLENGE);
        assertThat(server.exists("1234/x")).isFalse();
    }

    @Test
    void requestsThatAreChallengedSideBySideAreAllDone() throws Exception {
        TestSession session = new TestSession(server);
        List<Message> challenges = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            challenges.add(server.ask(session.sealed(Operation.CREATE, values("1234/p" + i))));
        }
        for (int i : new int[] {3, 0, 7, 1, 6, 2, 5, 4}) {
            Message made = server.ask(answer(challenges.get(i)));
            assertThat(made.body()).isEqualTo(new Body.Named(Handle.of("1234/p" + i)));
            assertThat(server.exists("1234/p" + i)).isTrue();
        }
    }

    @Test
    void whatHasNoMacIsRefused() throws Exception {
        TestSession session = new TestSession(server);
        session.bind();
        for (Operation each : Operation.values()) {
            boolean other = each == Operation.ANSWER_CHALLENGE;
            assertThat(code(request(session.id, each, HandleServiceTest.body(each))))
                    .as(each.name())
                    .isEqualTo(other ? ResponseCode.CHALLENGE_TIMED_OUT : ResponseCode.BAD_CREDENTIAL);
        }
        assertThat(server.service.sessions()).isEqualTo(1);
    }

    @Test
    void aMacThatIsWrongCutOrOfAnotherKeyIsRefused() throws Exception {
        TestSession session = new TestSession(server);
        session.bind();
        Message sealed = session.sealed(Operation.DELETE, new Body.Named(TestServer.ADMIN));
        Credential right = sealed.credential().orElseThrow();
        byte[] flipped = right.signature().clone();
        flipped[0] ^= 1;
        List<Message> forged = new ArrayList<>();
        for (byte[] each : List.of(
                flipped, Arrays.copyOf(right.signature(), 31), Arrays.copyOf(right.signature(), 33), new byte[0])) {
            forged.add(sealed.with(new Credential(right.signer(), right.counter(), right.type(), right.digest(), each)));
        }
        // Another number, another type, another digest.
        forged.add(sealed.with(new Credential(
                right.signer(), right.counter() + 1, right.type(), right.digest(), right.signature())));
        forged.add(sealed.with(
                new Credential(right.signer(), right.counter(), "HS_SIGNED", right.digest(), right.signature())));
        forged.add(sealed.with(
                new Credential(right.signer(), right.counter(), right.type(), "HMAC-SHA1", right.signature())));
        // Another request, with the same MAC; another session's MAC.
        forged.add(request(session.id, Operation.DELETE, new Body.Named(Handle.of("1234/other"))).with(right));
        TestSession other = new TestSession(server);
        forged.add(other.sealed(Operation.DELETE, new Body.Named(TestServer.ADMIN))
                .with(sealed.envelope().withSession(session.id)));
        for (Message each : forged) {
            assertThat(code(each)).as(each.credential().toString()).isEqualTo(ResponseCode.BAD_SESSION_KEY);
        }
        assertThat(server.exists("1234/ADMIN")).isTrue();
        assertThat(server.service.count(ServiceCount.MESSAGES_WRONG_MAC)).isEqualTo(forged.size());
        // What was forged used no number up.
        assertThat(code(sealed)).isEqualTo(ResponseCode.SUCCESS);
    }

    @Test
    void aNumberIsUsedOnceInAnyOrder() throws Exception {
        TestSession session = new TestSession(server);
        List<Message> all = new ArrayList<>();
        for (int i = 0; i < 200; i++) {
            all.add(session.sealed(Operation.GET_SITE, SITE));
        }
        for (Message each : all.reversed()) {
            assertThat(code(each)).isEqualTo(ResponseCode.SUCCESS);
        }
        for (Message each : all) {
            assertThat(code(each)).isEqualTo(ResponseCode.DUPLICATE_MESSAGE);
        }
        assertThat(server.service.count(ServiceCount.MESSAGES_REPLAYED)).isEqualTo(200);
    }

    private byte[] overUdp(byte[] message) {
        return TestServer.only(server.send(message, Call.Transport.UDP, true));
    }

    @Test
    void aChangeThatComesAgainOverUdpIsAnsweredAsBefore() throws Exception {
        TestSession session = new TestSession(server);
        byte[] create = session.sealed(Operation.CREATE, values("1234/x")).write();
        byte[] challenge = overUdp(create);
        assertThat(overUdp(create)).as("the same challenge").isEqualTo(challenge);
        byte[] proof = answer(Message.read(challenge)).write();
        byte[] made = overUdp(proof);
        assertThat(TestServer.code(Message.read(made))).isEqualTo(ResponseCode.SUCCESS);
        assertThat(overUdp(proof)).isEqualTo(made);
        byte[] delete = session.sealed(Operation.DELETE, new Body.Named(Handle.of("1234/x")), OpFlag.CERT).write();
        byte[] deleted = overUdp(delete);
        assertThat(TestServer.code(Message.read(deleted))).isEqualTo(ResponseCode.SUCCESS);
        assertThat(overUdp(delete)).as("deleted once, and twice said so").isEqualTo(deleted);
        byte[] sealed = session.key.encrypt(
                session.sealed(Operation.CREATE, values("1234/y")).write(), server.random);
        assertThat(session.key.decrypt(overUdp(sealed))).isEqualTo(session.key.decrypt(overUdp(sealed)));
        assertThat(server.exists("1234/y")).isTrue();
        assertThat(server.service.count(ServiceCount.CHANGES_REPEATED)).isEqualTo(4);
        // What is no change, what comes otherwise, and what was forged is not repeated.
        byte[] site = session.sealed(Operation.GET_SITE, SITE).write();
        overUdp(site);
        byte[] forged = delete.clone();
        forged[forged.length - 1] ^= 1;
        assertThat(TestServer.code(Message.read(overUdp(site)))).isEqualTo(ResponseCode.DUPLICATE_MESSAGE);
        assertThat(TestServer.code(Message.read(overUdp(forged)))).isEqualTo(ResponseCode.BAD_SESSION_KEY);
        assertThat(TestServer.code(Message.read(TestServer.only(server.send(delete)))))
                .isEqualTo(ResponseCode.DUPLICATE_MESSAGE);
    }

    @Test
    void soManyAnswersAreKept() throws Exception {
        TestSession session = new TestSession(server);
        session.bind();
        List<byte[]> all = new ArrayList<>();
        for (int i = 0; i <= KeptAnswers.ANSWERS_MAX; i++) {
            all.add(session.sealed(Operation.CREATE, values("1234/k" + i)).write());
            overUdp(all.getLast());
        }
        assertThat(TestServer.code(Message.read(overUdp(all.getFirst())))).isEqualTo(ResponseCode.DUPLICATE_MESSAGE);
        assertThat(TestServer.code(Message.read(overUdp(all.get(1))))).isEqualTo(ResponseCode.SUCCESS);
    }

    @Test
    void aSessionEnds() throws Exception {
        TestSession session = new TestSession(server);
        session.bind();
        Message other = request(session.id, Operation.END_SESSION, SITE);
        assertThat(code(other)).isEqualTo(ResponseCode.BAD_CREDENTIAL);
        Message ended = server.ask(session.sealed(Operation.END_SESSION, SITE, OpFlag.CERT));
        assertThat(TestServer.code(ended)).isEqualTo(ResponseCode.SUCCESS);
        assertThat(code(session.sealed(Operation.GET_SITE, SITE))).isEqualTo(ResponseCode.SESSION_TIMED_OUT);
        assertThat(server.service.sessions()).isZero();
        assertThat(code(request(0, Operation.END_SESSION, SITE))).isEqualTo(ResponseCode.SESSION_TIMED_OUT);
    }

    @Test
    void aSessionTimesOut() throws Exception {
        TestSession unused = new TestSession(server);
        TestSession used = new TestSession(server);
        assertThat(code(used.sealed(Operation.GET_SITE, SITE))).isEqualTo(ResponseCode.SUCCESS);
        server.millis.addAndGet(Sessions.UNUSED.toMillis());
        assertThat(code(unused.sealed(Operation.GET_SITE, SITE))).isEqualTo(ResponseCode.SESSION_TIMED_OUT);
        assertThat(code(used.sealed(Operation.GET_SITE, SITE))).isEqualTo(ResponseCode.SUCCESS);
        server.millis.addAndGet(3_599_000);
        assertThat(code(used.sealed(Operation.GET_SITE, SITE))).isEqualTo(ResponseCode.SUCCESS);
        server.millis.addAndGet(3_600_000);
        assertThat(code(used.sealed(Operation.GET_SITE, SITE))).isEqualTo(ResponseCode.SESSION_TIMED_OUT);
    }

    @Test
    void aSessionEndsWhenItsLifeDoes() throws Exception {
        try (TestServer strict = new TestServer(
                settings -> settings.withSessionLifeMax(Duration.ofMinutes(5)), RemoteHandles.NONE)) {
            TestSession session = new TestSession(strict);
            for (int i = 0; i < 5; i++) {
                assertThat(TestServer.code(strict.ask(session.sealed(Operation.GET_SITE, SITE))))
                        .isEqualTo(ResponseCode.SUCCESS);
                strict.millis.addAndGet(60_000 - (i == 0 ? 1 : 0));
            }
            strict.millis.addAndGet(1);
            assertThat(TestServer.code(strict.ask(session.sealed(Operation.GET_SITE, SITE))))
                    .isEqualTo(ResponseCode.SESSION_TIMED_OUT);
        }
    }

    @Test
    void whatIsEncryptedIsReadAndAnsweredEncrypted() throws Exception {
        TestSession session = new TestSession(server);
        session.bind();
        Body resolve = new Body.Resolve(TestServer.ADMIN, List.of(301), List.of());
        byte[] request = session.sealed(Operation.RESOLVE, resolve, OpFlag.CERT).write();
        byte[] sent = session.key.encrypt(request, server.random);
        byte[] received = TestServer.only(server.send(sent));
        byte[] clear = session.key.decrypt(received);
        Message answer = Message.read(clear);
        assertThat(((Body.Values) answer.body()).values().getFirst().data()).isEqualTo(TestServer.SECRET_KEY);
        assertThat(session.key.verifies(clear, answer)).isTrue();
        // The same again, and with one bit of it flipped.
        byte[] again = session.key.decrypt(TestServer.only(server.send(sent)));
        assertThat(TestServer.code(Message.read(again))).isEqualTo(ResponseCode.DUPLICATE_MESSAGE);
        for (int i = 20; i < sent.length; i++) {
            byte[] flipped = sent.clone();
            flipped[i] ^= 1;
            byte[] back = TestServer.only(server.send(flipped));
            boolean encrypted = (back[2] & 0x40) != 0;
            ResponseCode code = TestServer.code(Message.read(encrypted ? session.key.decrypt(back) : back));
            assertThat(code).as("bit of byte " + i).isNotEqualTo(ResponseCode.SUCCESS);
        }
        // In clear, the answer is encrypted if that is wanted.
        Message wanted = session.sealed(Operation.GET_SITE, SITE, OpFlag.ENCR);
        byte[] secret = TestServer.only(server.send(wanted.write()));
        assertThat(secret[2] & 0x40).isEqualTo(0x40);
    }

    @Test
    void whatIsEncryptedForNoSessionIsAnsweredInClear() throws Exception {
        SessionKey key = new SessionKey(new byte[32], SessionCipher.AES);
        byte[] sent = key.encrypt(request(4712, Operation.GET_SITE, SITE).write(), server.random);
        Message answer = Message.read(TestServer.only(server.send(sent)));
        assertThat(TestServer.code(answer)).isEqualTo(ResponseCode.SESSION_TIMED_OUT);
        assertThat(answer.envelope().requestId()).isEqualTo(0x01020304);
    }

    @Test
    void badGroupsAndKeysAreRefused() throws Exception {
        BigInteger prime = BigInteger.ONE.shiftLeft(511).subtract(BigInteger.valueOf(111));
        byte[] small = new PublicKeyRecord.Dh(BigInteger.valueOf(7), prime, BigInteger.TWO).write();
        byte[] rsa = PublicKeyRecord.of(TestServer.RSA_KEYS.getPublic()).write();
        byte[] dsa = PublicKeyRecord.of(TestServer.DSA_KEYS.getPublic()).write();
        assertThat(setUp(new KeyExchange.DiffieHellman(small))).isEqualTo(ResponseCode.BAD_SETUP);
        assertThat(setUp(new KeyExchange.DiffieHellman(rsa))).isEqualTo(ResponseCode.BAD_SETUP);
        assertThat(setUp(new KeyExchange.DiffieHellman(new byte[3]))).isEqualTo(ResponseCode.BAD_SETUP);
        assertThat(setUp(new KeyExchange.ClientKey(dsa))).isEqualTo(ResponseCode.RSA_KEY_REQUIRED);
        assertThat(setUp(new KeyExchange.ReferredKey(TestServer.DSA))).isEqualTo(ResponseCode.RSA_KEY_REQUIRED);
        assertThat(setUp(new KeyExchange.ReferredKey(TestServer.SECRET))).isEqualTo(ResponseCode.SESSION_FAILED);
        assertThat(server.service.sessions()).isZero();
        try (TestServer old = new TestServer(
                settings -> settings, RemoteHandles.NONE, TestServer.DSA_KEYS, ReplicationSource.NONE)) {
            Body setup = new Body.Setup(new KeyExchange.ServerKey(), 60, TestServer.RSA);
            assertThat(TestServer.code(old.ask(request(0, Operation.SET_UP_SESSION, setup)))).isEqualTo(ResponseCode.RSA_KEY_REQUIRED);
        }
    }

    /** With every second exponent of the server's, this group's secret is 1, for which the JDK throws what nobody declares. */
    @Test
    void aGroupWhosePrimeIsNoneIsRefusedAndNoFaultOfOurs() throws Exception {
        BigInteger r = BigInteger.ONE.shiftLeft(1022).add(BigInteger.ONE);
        while (r.mod(BigInteger.valueOf(3)).intValue() != 1) {
            r = r.add(BigInteger.TWO);
        }
        PublicKeyRecord.Dh client = new PublicKeyRecord.Dh(
                r.add(BigInteger.ONE), r.multiply(BigInteger.valueOf(3)), BigInteger.TWO);
        for (int i = 0; i < 16; i++) {
            assertThat(setUp(new KeyExchange.DiffieHellman(client.write())))
                    .isIn(ResponseCode.SUCCESS, ResponseCode.BAD_SETUP);
        }
        assertThat(server.service.count(ServiceCount.FAILED)).isZero();
    }

    private ResponseCode setUp(KeyExchange exchange) throws Exception {
        return code(request(0, Operation.SET_UP_SESSION, new Body.Setup(exchange, 60, TestServer.RSA)));
    }

    @Test
    void aSessionsKeyIsTakenOnce() throws Exception {
        Message begun = server.ask(request(
                0, Operation.SET_UP_SESSION, new Body.Setup(new KeyExchange.ServerKey(), 60, TestServer.RSA)));
        int id = begun.envelope().sessionId();
        Message early = new SessionKey(new byte[32], SessionCipher.AES)
                .seal(request(id, Operation.GET_SITE, SITE), 1);
        assertThat(code(early)).isEqualTo(ResponseCode.BAD_SESSION_KEY);
        byte[] secret = new byte[32];
        server.random.nextBytes(secret);
        byte[] sent = RsaExchange.encrypt(
                secret, TestServer.SERVER_KEYS.getPublic());
        assertThat(code(request(id, Operation.EXCHANGE_KEY, new Body.Key(sent)))).isEqualTo(ResponseCode.SUCCESS);
        assertThat(code(request(id, Operation.EXCHANGE_KEY, new Body.Key(sent))))
                .isEqualTo(ResponseCode.BAD_CREDENTIAL);
        assertThat(code(request(0, Operation.EXCHANGE_KEY, new Body.Key(sent))))
                .isEqualTo(ResponseCode.SESSION_TIMED_OUT);
        SessionKey key = new SessionKey(secret, SessionCipher.AES);
        assertThat(code(key.seal(request(id, Operation.GET_SITE, SITE), 1))).isEqualTo(ResponseCode.SUCCESS);
    }

    @Test
    void sessionsAreBoundedForEachSenderAndInAll() throws Exception {
        SharedCounters<ServiceCount> counts = new SharedCounters<>(ServiceCount.class);
        Sessions sessions = new Sessions(server.clock, server.random, Duration.ofHours(1), counts);
        SessionKey key = new SessionKey(new byte[32], SessionCipher.AES);
        Sender first = new Sender(1, false);
        Session used = sessions.open(first, key, 0).orElseThrow();
        used.touch(server.millis.get());
        for (int i = 0; i < 2 * Sessions.SENDER_MAX; i++) {
            assertThat(sessions.open(first, key, 0)).isPresent();
        }
        assertThat(sessions.size()).isEqualTo(Sessions.SENDER_MAX);
        assertThat(sessions.find(used.id())).contains(used);
        for (int sender = 2; sessions.size() < Sessions.TABLE_MAX; sender++) {
            for (int i = 0; i < Sessions.SENDER_MAX / 2; i++) {
                sessions.open(new Sender(sender, true), key, 0).orElseThrow().touch(server.millis.get());
            }
        }
        // Those of the first sender, never used, make place; those that are in use do not.
        Sender last = new Sender(-1, true);
        int opened = 0;
        Optional<Session> session = sessions.open(last, key, 0);
        while (session.isPresent()) {
            session.get().touch(server.millis.get());
            opened++;
            session = sessions.open(last, key, 0);
        }
        assertThat(opened).isEqualTo(Sessions.SENDER_MAX - 1);
        assertThat(sessions.find(used.id())).contains(used);
        assertThat(counts.get(ServiceCount.SESSIONS_REFUSED_TABLE_MAX)
                        + counts.get(ServiceCount.SESSIONS_REFUSED_SOURCE_MAX))
                .isEqualTo(1);
        server.millis.addAndGet(3_600_000);
        assertThat(sessions.open(last, key, 0)).isPresent();
        assertThat(sessions.size()).isEqualTo(1);
    }

    @Test
    void challengesAreBoundedForEachSenderAndInAll() {
        SharedCounters<ServiceCount> counts = new SharedCounters<>(ServiceCount.class);
        Challenges challenges = new Challenges(server.clock, server.random, counts);
        long until = server.millis.get() + 60_000;
        byte[] bytes = new byte[100];
        Message request = request(0, Operation.GET_SITE, SITE);
        Sender one = new Sender(1, false);
        int safe = challenges.add(
                new Challenge(request, bytes, bytes, bytes, one, until), Call.Transport.TCP);
        for (int i = 0; i < 3 * Challenges.TABLE_MAX; i++) {
            challenges.add(
                    new Challenge(request, bytes, bytes, bytes, new Sender(i / 10, true), until), Call.Transport.UDP);
        }
        assertThat(challenges.size()).isEqualTo(Challenges.TABLE_MAX + 1);
        assertThat(counts.get(ServiceCount.CHALLENGES_DROPPED_TABLE_MAX)).isEqualTo(2L * Challenges.TABLE_MAX);
        // Senders that anybody invents push nobody out who has a connection.
        assertThat(challenges.take(safe)).isPresent();
        assertThat(challenges.take(safe)).isEmpty();
        byte[] large = new byte[200_000];
        for (int i = 0; i < Challenges.SENDER_MAX + 10; i++) {
            challenges.add(new Challenge(request, bytes, bytes, bytes, one, until), Call.Transport.TCP);
        }
        assertThat(counts.get(ServiceCount.CHALLENGES_DROPPED_SOURCE_MAX)).isEqualTo(10);
        for (int i = 0; i < 1000; i++) {
            challenges.add(
                    new Challenge(request, large, bytes, bytes, new Sender(i, true), until), Call.Transport.TCP);
        }
        assertThat(challenges.size() - Challenges.TABLE_MAX)
                .isLessThanOrEqualTo((int) (Challenges.TABLE_BYTES_MAX / (3L * large.length)) + 1);
        server.millis.addAndGet(60_000);
        challenges.add(new Challenge(request, bytes, bytes, bytes, one, until + 60_000), Call.Transport.TCP);
        challenges.add(new Challenge(request, bytes, bytes, bytes, one, until + 60_000), Call.Transport.UDP);
        assertThat(challenges.size()).isEqualTo(2);
    }
}
