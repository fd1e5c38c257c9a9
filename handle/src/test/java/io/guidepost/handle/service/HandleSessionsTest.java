package io.guidepost.handle.service;

import static io.guidepost.handle.service.TestHandleSession.answer;
import static io.guidepost.handle.service.TestHandleSession.request;
import static org.assertj.core.api.Assertions.assertThat;

import io.guidepost.base.SharedCounters;
import io.guidepost.handle.Handle;
import io.guidepost.handle.authentication.RsaKeyTransport;
import io.guidepost.handle.authentication.SessionCipher;
import io.guidepost.handle.authentication.SessionKey;
import io.guidepost.handle.key.PublicKeyRecord;
import io.guidepost.handle.message.HandleMessage;
import io.guidepost.handle.message.HandleOperation;
import io.guidepost.handle.message.KeyExchange;
import io.guidepost.handle.message.MessageBody;
import io.guidepost.handle.message.MessageCredential;
import io.guidepost.handle.message.OpFlag;
import io.guidepost.handle.message.ResponseCode;
import io.guidepost.handle.operation.HandleSettings;
import io.guidepost.handle.operation.RemoteResolver;
import java.io.IOException;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Messages in sessions: whose MAC is wrong, whose number was used, whose session is not theirs. */
class HandleSessionsTest {
    private static final MessageBody SITE = new MessageBody.Named(Handle.SLASH);

    private TestHandleServer server;

    @BeforeEach
    void open() throws IOException {
        server = new TestHandleServer();
    }

    @AfterEach
    void close() throws IOException {
        server.close();
    }

    private ResponseCode code(HandleMessage request) throws Exception {
        return TestHandleServer.code(server.ask(request));
    }

    private static MessageBody values(String handle) {
        return new MessageBody.Values(Handle.of(handle), List.of(TestHandleServer.url(1, "http://e.x/")));
    }

    @Test
    void aSessionIsOfWhomeverAnsweredItsChallenge() throws Exception {
        TestHandleSession session = new TestHandleSession(server);
        assertThat(session.id & 1).isZero();
        HandleMessage challenge = server.ask(session.sealed(HandleOperation.CREATE, values("1234/x")));
        assertThat(challenge.envelope().sessionId()).isEqualTo(session.id);
        HandleMessage made = server.ask(answer(challenge));
        assertThat(TestHandleServer.code(made)).isEqualTo(ResponseCode.SUCCESS);
        assertThat(made.envelope().sessionId()).isEqualTo(session.id);
        assertThat(code(session.sealed(HandleOperation.CREATE, values("1234/y")))).isEqualTo(ResponseCode.SUCCESS);
        assertThat(server.service.count(HandleServiceCount.CHALLENGES_SENT)).isEqualTo(1);
        // Another session is not.
        assertThat(code(new TestHandleSession(server).sealed(HandleOperation.CREATE, values("1234/z"))))
                .isEqualTo(ResponseCode.CHALLENGE);
        assertThat(server.exists("1234/z")).isFalse();
    }

    @Test
    void aSessionWithAWrongAnswerIsOfNobody() throws Exception {
        TestHandleSession session = new TestHandleSession(server);
        HandleMessage challenge = server.ask(session.sealed(HandleOperation.CREATE, values("1234/x")));
        assertThat(code(answer(challenge, TestHandleServer.RSA, TestHandleServer.NOBODY_KEYS.getPrivate())))
                .isEqualTo(ResponseCode.AUTHENTICATION_FAILED);
        assertThat(code(answer(challenge))).isEqualTo(ResponseCode.CHALLENGE_TIMED_OUT);
        assertThat(code(session.sealed(HandleOperation.CREATE, values("1234/y")))).isEqualTo(ResponseCode.CHALLENGE);
        assertThat(server.exists("1234/x")).isFalse();
    }

    @Test
    void requestsThatAreChallengedSideBySideAreAllDone() throws Exception {
        TestHandleSession session = new TestHandleSession(server);
        List<HandleMessage> challenges = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            challenges.add(server.ask(session.sealed(HandleOperation.CREATE, values("1234/p" + i))));
        }
        for (int i : new int[] {3, 0, 7, 1, 6, 2, 5, 4}) {
            HandleMessage made = server.ask(answer(challenges.get(i)));
            assertThat(made.body()).isEqualTo(new MessageBody.Named(Handle.of("1234/p" + i)));
            assertThat(server.exists("1234/p" + i)).isTrue();
        }
    }

    @Test
    void whatHasNoMacIsRefused() throws Exception {
        TestHandleSession session = new TestHandleSession(server);
        session.bind();
        for (HandleOperation each : HandleOperation.values()) {
            boolean other = each == HandleOperation.ANSWER_CHALLENGE;
            assertThat(code(request(session.id, each, HandleProtocolServerTest.body(each))))
                    .as(each.name())
                    .isEqualTo(other ? ResponseCode.CHALLENGE_TIMED_OUT : ResponseCode.BAD_CREDENTIAL);
        }
        assertThat(server.service.sessions()).isEqualTo(1);
    }

    @Test
    void aMacThatIsWrongCutOrOfAnotherKeyIsRefused() throws Exception {
        TestHandleSession session = new TestHandleSession(server);
        session.bind();
        HandleMessage sealed = session.sealed(HandleOperation.DELETE, new MessageBody.Named(TestHandleServer.ADMIN));
        MessageCredential right = sealed.credential().orElseThrow();
        byte[] flipped = right.signature().clone();
        flipped[0] ^= 1;
        List<HandleMessage> forged = new ArrayList<>();
        for (byte[] each : List.of(
                flipped, Arrays.copyOf(right.signature(), 31), Arrays.copyOf(right.signature(), 33), new byte[0])) {
            forged.add(sealed.with(new MessageCredential(right.signer(), right.counter(), right.type(), right.digest(), each)));
        }
        // Another number, another type, another digest.
        forged.add(sealed.with(new MessageCredential(
                right.signer(), right.counter() + 1, right.type(), right.digest(), right.signature())));
        forged.add(sealed.with(
                new MessageCredential(right.signer(), right.counter(), "HS_SIGNED", right.digest(), right.signature())));
        forged.add(sealed.with(
                new MessageCredential(right.signer(), right.counter(), right.type(), "HMAC-SHA1", right.signature())));
        // Another request, with the same MAC; another session's MAC.
        forged.add(request(session.id, HandleOperation.DELETE, new MessageBody.Named(Handle.of("1234/other"))).with(right));
        TestHandleSession other = new TestHandleSession(server);
        forged.add(other.sealed(HandleOperation.DELETE, new MessageBody.Named(TestHandleServer.ADMIN))
                .with(sealed.envelope().withSession(session.id)));
        for (HandleMessage each : forged) {
            assertThat(code(each)).as(each.credential().toString()).isEqualTo(ResponseCode.BAD_SESSION_KEY);
        }
        assertThat(server.exists("1234/ADMIN")).isTrue();
        assertThat(server.service.count(HandleServiceCount.SESSION_MESSAGES_REFUSED_WRONG_MAC)).isEqualTo(forged.size());
        // What was forged used no number up.
        assertThat(code(sealed)).isEqualTo(ResponseCode.SUCCESS);
    }

    @Test
    void aNumberIsUsedOnceInAnyOrder() throws Exception {
        TestHandleSession session = new TestHandleSession(server);
        List<HandleMessage> all = new ArrayList<>();
        for (int i = 0; i < 200; i++) {
            all.add(session.sealed(HandleOperation.GET_SITE, SITE));
        }
        for (HandleMessage each : all.reversed()) {
            assertThat(code(each)).isEqualTo(ResponseCode.SUCCESS);
        }
        for (HandleMessage each : all) {
            assertThat(code(each)).isEqualTo(ResponseCode.DUPLICATE_MESSAGE);
        }
        assertThat(server.service.count(HandleServiceCount.SESSION_MESSAGES_REFUSED_REPLAYED)).isEqualTo(200);
    }

    private byte[] overUdp(byte[] message) {
        return TestHandleServer.only(server.send(message, HandleRequest.Transport.UDP, true));
    }

    @Test
    void aChangeThatComesAgainOverUdpIsAnsweredAsBefore() throws Exception {
        TestHandleSession session = new TestHandleSession(server);
        byte[] create = session.sealed(HandleOperation.CREATE, values("1234/x")).write();
        byte[] challenge = overUdp(create);
        assertThat(overUdp(create)).as("the same challenge").isEqualTo(challenge);
        byte[] proof = answer(HandleMessage.read(challenge)).write();
        byte[] made = overUdp(proof);
        assertThat(TestHandleServer.code(HandleMessage.read(made))).isEqualTo(ResponseCode.SUCCESS);
        assertThat(overUdp(proof)).isEqualTo(made);
        byte[] delete = session.sealed(HandleOperation.DELETE, new MessageBody.Named(Handle.of("1234/x")), OpFlag.CERT).write();
        byte[] deleted = overUdp(delete);
        assertThat(TestHandleServer.code(HandleMessage.read(deleted))).isEqualTo(ResponseCode.SUCCESS);
        assertThat(overUdp(delete)).as("deleted once, and twice said so").isEqualTo(deleted);
        byte[] sealed = session.key.encrypt(
                session.sealed(HandleOperation.CREATE, values("1234/y")).write(), server.random);
        assertThat(session.key.decrypt(overUdp(sealed))).isEqualTo(session.key.decrypt(overUdp(sealed)));
        assertThat(server.exists("1234/y")).isTrue();
        assertThat(server.service.count(HandleServiceCount.REPEATED_CHANGES)).isEqualTo(4);
        // What is no change, what comes otherwise, and what was forged is not repeated.
        byte[] site = session.sealed(HandleOperation.GET_SITE, SITE).write();
        overUdp(site);
        byte[] forged = delete.clone();
        forged[forged.length - 1] ^= 1;
        assertThat(TestHandleServer.code(HandleMessage.read(overUdp(site)))).isEqualTo(ResponseCode.DUPLICATE_MESSAGE);
        assertThat(TestHandleServer.code(HandleMessage.read(overUdp(forged)))).isEqualTo(ResponseCode.BAD_SESSION_KEY);
        assertThat(TestHandleServer.code(HandleMessage.read(TestHandleServer.only(server.send(delete)))))
                .isEqualTo(ResponseCode.DUPLICATE_MESSAGE);
    }

    @Test
    void soManyAnswersAreKept() throws Exception {
        TestHandleSession session = new TestHandleSession(server);
        session.bind();
        List<byte[]> all = new ArrayList<>();
        for (int i = 0; i <= RetransmissionCache.ANSWERS_MAX; i++) {
            all.add(session.sealed(HandleOperation.CREATE, values("1234/k" + i)).write());
            overUdp(all.getLast());
        }
        assertThat(TestHandleServer.code(HandleMessage.read(overUdp(all.getFirst())))).isEqualTo(ResponseCode.DUPLICATE_MESSAGE);
        assertThat(TestHandleServer.code(HandleMessage.read(overUdp(all.get(1))))).isEqualTo(ResponseCode.SUCCESS);
    }

    @Test
    void aSessionEnds() throws Exception {
        TestHandleSession session = new TestHandleSession(server);
        session.bind();
        HandleMessage other = request(session.id, HandleOperation.END_SESSION, SITE);
        assertThat(code(other)).isEqualTo(ResponseCode.BAD_CREDENTIAL);
        HandleMessage ended = server.ask(session.sealed(HandleOperation.END_SESSION, SITE, OpFlag.CERT));
        assertThat(TestHandleServer.code(ended)).isEqualTo(ResponseCode.SUCCESS);
        assertThat(code(session.sealed(HandleOperation.GET_SITE, SITE))).isEqualTo(ResponseCode.SESSION_TIMED_OUT);
        assertThat(server.service.sessions()).isZero();
        assertThat(code(request(0, HandleOperation.END_SESSION, SITE))).isEqualTo(ResponseCode.SESSION_TIMED_OUT);
    }

    @Test
    void aSessionTimesOut() throws Exception {
        TestHandleSession unused = new TestHandleSession(server);
        TestHandleSession used = new TestHandleSession(server);
        assertThat(code(used.sealed(HandleOperation.GET_SITE, SITE))).isEqualTo(ResponseCode.SUCCESS);
        server.millis.addAndGet(HandleSessions.UNUSED.toMillis());
        assertThat(code(unused.sealed(HandleOperation.GET_SITE, SITE))).isEqualTo(ResponseCode.SESSION_TIMED_OUT);
        assertThat(code(used.sealed(HandleOperation.GET_SITE, SITE))).isEqualTo(ResponseCode.SUCCESS);
        server.millis.addAndGet(3_599_000);
        assertThat(code(used.sealed(HandleOperation.GET_SITE, SITE))).isEqualTo(ResponseCode.SUCCESS);
        server.millis.addAndGet(3_600_000);
        assertThat(code(used.sealed(HandleOperation.GET_SITE, SITE))).isEqualTo(ResponseCode.SESSION_TIMED_OUT);
    }

    @Test
    void aSessionEndsWhenItsLifeDoes() throws Exception {
        try (TestHandleServer strict = new TestHandleServer(
                settings -> settings, RemoteResolver.NONE)) {
            TestHandleSession session = new TestHandleSession(strict);
            for (int i = 0; i < 30; i++) {
                assertThat(TestHandleServer.code(strict.ask(session.sealed(HandleOperation.GET_SITE, SITE))))
                        .isEqualTo(ResponseCode.SUCCESS);
                strict.millis.addAndGet(HandleSettings.SESSION_LIFE_MAX.toMillis() / 30 - (i == 0 ? 1 : 0));
            }
            strict.millis.addAndGet(1);
            assertThat(TestHandleServer.code(strict.ask(session.sealed(HandleOperation.GET_SITE, SITE))))
                    .isEqualTo(ResponseCode.SESSION_TIMED_OUT);
        }
    }

    @Test
    void whatIsEncryptedIsReadAndAnsweredEncrypted() throws Exception {
        TestHandleSession session = new TestHandleSession(server);
        session.bind();
        MessageBody resolve = new MessageBody.Resolve(TestHandleServer.ADMIN, List.of(301), List.of());
        byte[] request = session.sealed(HandleOperation.RESOLVE, resolve, OpFlag.CERT).write();
        byte[] sent = session.key.encrypt(request, server.random);
        byte[] received = TestHandleServer.only(server.send(sent));
        byte[] clear = session.key.decrypt(received);
        HandleMessage answer = HandleMessage.read(clear);
        assertThat(((MessageBody.Values) answer.body()).values().getFirst().data()).isEqualTo(TestHandleServer.SECRET_KEY);
        assertThat(session.key.verifies(clear, answer)).isTrue();
        // The same again, and with one bit of it flipped.
        byte[] again = session.key.decrypt(TestHandleServer.only(server.send(sent)));
        assertThat(TestHandleServer.code(HandleMessage.read(again))).isEqualTo(ResponseCode.DUPLICATE_MESSAGE);
        for (int i = 20; i < sent.length; i++) {
            byte[] flipped = sent.clone();
            flipped[i] ^= 1;
            byte[] back = TestHandleServer.only(server.send(flipped));
            boolean encrypted = (back[2] & 0x40) != 0;
            ResponseCode code = TestHandleServer.code(HandleMessage.read(encrypted ? session.key.decrypt(back) : back));
            assertThat(code).as("bit of byte " + i).isNotEqualTo(ResponseCode.SUCCESS);
        }
        // In clear, the answer is encrypted if that is wanted.
        HandleMessage wanted = session.sealed(HandleOperation.GET_SITE, SITE, OpFlag.ENCR);
        byte[] secret = TestHandleServer.only(server.send(wanted.write()));
        assertThat(secret[2] & 0x40).isEqualTo(0x40);
    }

    @Test
    void whatIsEncryptedForNoSessionIsAnsweredInClear() throws Exception {
        SessionKey key = new SessionKey(new byte[32], SessionCipher.AES);
        byte[] sent = key.encrypt(request(4712, HandleOperation.GET_SITE, SITE).write(), server.random);
        HandleMessage answer = HandleMessage.read(TestHandleServer.only(server.send(sent)));
        assertThat(TestHandleServer.code(answer)).isEqualTo(ResponseCode.SESSION_TIMED_OUT);
        assertThat(answer.envelope().requestId()).isEqualTo(0x01020304);
    }

    @Test
    void badGroupsAndKeysAreRefused() throws Exception {
        BigInteger prime = BigInteger.ONE.shiftLeft(511).subtract(BigInteger.valueOf(111));
        byte[] small = new PublicKeyRecord.Dh(BigInteger.valueOf(7), prime, BigInteger.TWO).write();
        byte[] rsa = PublicKeyRecord.of(TestHandleServer.RSA_KEYS.getPublic()).write();
        byte[] dsa = PublicKeyRecord.of(TestHandleServer.DSA_KEYS.getPublic()).write();
        assertThat(setUp(new KeyExchange.DiffieHellman(small))).isEqualTo(ResponseCode.BAD_SETUP);
        assertThat(setUp(new KeyExchange.DiffieHellman(rsa))).isEqualTo(ResponseCode.BAD_SETUP);
        assertThat(setUp(new KeyExchange.DiffieHellman(new byte[3]))).isEqualTo(ResponseCode.BAD_SETUP);
        assertThat(setUp(new KeyExchange.ClientKey(dsa))).isEqualTo(ResponseCode.RSA_KEY_REQUIRED);
        assertThat(setUp(new KeyExchange.ReferredKey(TestHandleServer.DSA))).isEqualTo(ResponseCode.RSA_KEY_REQUIRED);
        assertThat(setUp(new KeyExchange.ReferredKey(TestHandleServer.SECRET))).isEqualTo(ResponseCode.SESSION_FAILED);
        assertThat(server.service.sessions()).isZero();
        try (TestHandleServer old = new TestHandleServer(
                settings -> settings, RemoteResolver.NONE, TestHandleServer.DSA_KEYS, ReplicationSource.NONE)) {
            MessageBody setup = new MessageBody.Setup(new KeyExchange.ServerKey(), 60, TestHandleServer.RSA);
            assertThat(TestHandleServer.code(old.ask(request(0, HandleOperation.SET_UP_SESSION, setup))))
                    .isEqualTo(ResponseCode.RSA_KEY_REQUIRED);
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
        assertThat(server.service.count(HandleServiceCount.FAILED_REQUESTS)).isZero();
    }

    private ResponseCode setUp(KeyExchange exchange) throws Exception {
        return code(request(0, HandleOperation.SET_UP_SESSION, new MessageBody.Setup(exchange, 60, TestHandleServer.RSA)));
    }

    @Test
    void aSessionsKeyIsTakenOnce() throws Exception {
        HandleMessage begun = server.ask(request(
                0, HandleOperation.SET_UP_SESSION, new MessageBody.Setup(new KeyExchange.ServerKey(), 60, TestHandleServer.RSA)));
        int id = begun.envelope().sessionId();
        HandleMessage early = new SessionKey(new byte[32], SessionCipher.AES)
                .seal(request(id, HandleOperation.GET_SITE, SITE), 1);
        assertThat(code(early)).isEqualTo(ResponseCode.BAD_SESSION_KEY);
        byte[] secret = new byte[32];
        server.random.nextBytes(secret);
        byte[] sent = RsaKeyTransport.encrypt(
                secret, TestHandleServer.SERVER_KEYS.getPublic());
        assertThat(code(request(id, HandleOperation.EXCHANGE_KEY, new MessageBody.Key(sent)))).isEqualTo(ResponseCode.SUCCESS);
        assertThat(code(request(id, HandleOperation.EXCHANGE_KEY, new MessageBody.Key(sent))))
                .isEqualTo(ResponseCode.BAD_CREDENTIAL);
        assertThat(code(request(0, HandleOperation.EXCHANGE_KEY, new MessageBody.Key(sent))))
                .isEqualTo(ResponseCode.SESSION_TIMED_OUT);
        SessionKey key = new SessionKey(secret, SessionCipher.AES);
        assertThat(code(key.seal(request(id, HandleOperation.GET_SITE, SITE), 1))).isEqualTo(ResponseCode.SUCCESS);
    }

    @Test
    void sessionsAreBoundedForEachSenderAndInAll() throws Exception {
        SharedCounters<HandleServiceCount> counts = new SharedCounters<>(HandleServiceCount.class);
        HandleSessions sessions = new HandleSessions(server.clock, server.random, counts);
        SessionKey key = new SessionKey(new byte[32], SessionCipher.AES);
        long first = 1;
        HandleSession used = sessions.open(first, key, 0).orElseThrow();
        used.touch(server.millis.get());
        for (int i = 0; i < 2 * HandleSessions.SENDER_MAX; i++) {
            assertThat(sessions.open(first, key, 0)).isPresent();
        }
        assertThat(sessions.size()).isEqualTo(HandleSessions.SENDER_MAX);
        assertThat(sessions.find(used.id())).contains(used);
        for (int sender = 2; sessions.size() < HandleSessions.TABLE_MAX; sender++) {
            for (int i = 0; i < HandleSessions.SENDER_MAX / 2; i++) {
                sessions.open(sender, key, 0).orElseThrow().touch(server.millis.get());
            }
        }
        // Those of the first sender, never used, make place; those that are in use do not.
        long last = -1;
        int opened = 0;
        Optional<HandleSession> session = sessions.open(last, key, 0);
        while (session.isPresent()) {
            session.get().touch(server.millis.get());
            opened++;
            session = sessions.open(last, key, 0);
        }
        assertThat(opened).isEqualTo(HandleSessions.SENDER_MAX - 1);
        assertThat(sessions.find(used.id())).contains(used);
        assertThat(counts.get(HandleServiceCount.SESSIONS_REFUSED_TABLE_MAX)
                        + counts.get(HandleServiceCount.SESSIONS_REFUSED_SOURCE_MAX))
                .isEqualTo(1);
        server.millis.addAndGet(HandleSettings.SESSION_LIFE_MAX.toMillis());
        assertThat(sessions.open(last, key, 0)).isPresent();
        assertThat(sessions.size()).isEqualTo(1);
    }

    @Test
    void challengesAreBoundedForEachSenderAndInAll() {
        SharedCounters<HandleServiceCount> counts = new SharedCounters<>(HandleServiceCount.class);
        PendingChallenges challenges = new PendingChallenges(server.clock, server.random, counts);
        long until = server.millis.get() + 60_000;
        byte[] bytes = new byte[100];
        HandleMessage request = request(0, HandleOperation.GET_SITE, SITE);
        long one = 1;
        int safe = challenges.add(
                new PendingChallenge(request, bytes, bytes, bytes, one, until), HandleRequest.Transport.TCP);
        for (int i = 0; i < 3 * PendingChallenges.TABLE_MAX; i++) {
            challenges.add(
                    new PendingChallenge(request, bytes, bytes, bytes, i / 10, until), HandleRequest.Transport.UDP);
        }
        assertThat(challenges.size()).isEqualTo(PendingChallenges.TABLE_MAX + 1);
        assertThat(counts.get(HandleServiceCount.CHALLENGES_DROPPED_TABLE_MAX)).isEqualTo(2L * PendingChallenges.TABLE_MAX);
        // Senders that anybody invents push nobody out who has a connection.
        assertThat(challenges.take(safe)).isPresent();
        assertThat(challenges.take(safe)).isEmpty();
        byte[] large = new byte[200_000];
        for (int i = 0; i < PendingChallenges.SENDER_MAX + 10; i++) {
            challenges.add(new PendingChallenge(request, bytes, bytes, bytes, one, until), HandleRequest.Transport.TCP);
        }
        assertThat(counts.get(HandleServiceCount.CHALLENGES_DROPPED_SOURCE_MAX)).isEqualTo(10);
        for (int i = 0; i < 1000; i++) {
            challenges.add(
                    new PendingChallenge(request, large, bytes, bytes, i, until), HandleRequest.Transport.TCP);
        }
        assertThat(challenges.size() - PendingChallenges.TABLE_MAX)
                .isLessThanOrEqualTo((int) (PendingChallenges.TABLE_BYTES_MAX / (3L * large.length)) + 1);
        server.millis.addAndGet(60_000);
        challenges.add(new PendingChallenge(request, bytes, bytes, bytes, one, until + 60_000), HandleRequest.Transport.TCP);
        challenges.add(new PendingChallenge(request, bytes, bytes, bytes, one, until + 60_000), HandleRequest.Transport.UDP);
        assertThat(challenges.size()).isEqualTo(2);
    }
}
