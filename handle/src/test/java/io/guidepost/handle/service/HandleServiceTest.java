package io.guidepost.handle.service;

import static io.guidepost.handle.service.TestSession.answer;
import static io.guidepost.handle.service.TestSession.request;
import static org.assertj.core.api.Assertions.assertThat;

import io.guidepost.handle.Handle;
import io.guidepost.handle.HandleValue;
import io.guidepost.handle.Permissions;
import io.guidepost.handle.SiteRecord;
import io.guidepost.handle.Ttl;
import io.guidepost.handle.ValueReference;
import io.guidepost.handle.authentication.MessageSignature;
import io.guidepost.handle.authentication.PublicKeyAnswer;
import io.guidepost.handle.authentication.SecretKeyAnswer;
import io.guidepost.handle.message.Body;
import io.guidepost.handle.message.Envelope;
import io.guidepost.handle.message.KeyExchange;
import io.guidepost.handle.message.Message;
import io.guidepost.handle.message.OpFlag;
import io.guidepost.handle.message.Operation;
import io.guidepost.handle.message.ProtocolVersion;
import io.guidepost.handle.message.Receiver;
import io.guidepost.handle.message.ReplicationPosition;
import io.guidepost.handle.message.ResponseCode;
import io.guidepost.names.Malformed;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Messages outside of sessions: what is answered, byte for byte where that matters; challenges and their answers. */
class HandleServiceTest {
    private static final Handle X = Handle.of("1234/x");
    private static final Body NAMED = new Body.Named(X);
    private static final Body VALUES = new Body.Values(X, List.of(TestServer.url(1, "http://e.x/")));

    private static final InetSocketAddress PEER = new InetSocketAddress(InetAddress.getLoopbackAddress(), 1);

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

    @Test
    void whatCannotBeReadIsAnsweredAsOfNobody() {
        String resolve = "020b020b000000007518a1b9000000000000002e000000010000000019000000000100006b00f932"
                + "0000001200000006313233342f31000000000000000000000000";
        for (String each : List.of(
                "",
                "02",
                resolve.substring(0, 60),
                resolve.substring(0, 80),
                resolve.replace("0000000100000000190", "0000000000000000190"),
                resolve.replace("0000000100000000190", "0000006300000000190"),
                resolve.replace("0000000100000000190", "0000000100000001190"),
                resolve.replace("0000001200000006", "0000001200ffff06"))) {
            byte[] message = HexFormat.of().parseHex(each);
            String answer = HexFormat.of().formatHex(TestServer.only(server.send(message)));
            assertThat(answer).as(each).startsWith("0203020b00000000ffffffff00000000");
            boolean protocol = each.length() < 88 || each.contains("0000000000000000190");
            assertThat(answer.substring(40, 64))
                    .as(each)
                    .isEqualTo("00000000" + (protocol ? "00000004" : "00000002") + "19000000");
            assertThat(answer.substring(64, 68)).isEqualTo("ffff");
        }
        assertThat(server.service.count(ServiceCount.UNREADABLE)).isEqualTo(8);
    }

    @Test
    void administrationIsNotForInterfacesForQuestions() throws Exception {
        for (Operation each : Operation.values()) {
            Message request = request(0, each, body(each));
            Message answer = Message.read(
                    TestServer.only(server.send(request.write(), Call.Transport.TCP, false)));
            if (each.isAdmin()) {
                assertThat(TestServer.code(answer)).as(each.name()).isEqualTo(ResponseCode.PROTOCOL_ERROR);
            } else {
                assertThat(TestServer.code(answer)).as(each.name()).isNotEqualTo(ResponseCode.PROTOCOL_ERROR);
            }
        }
    }

    /** A body for an operation. */
    static Body body(Operation operation) {
        Receiver everything = new Receiver(SiteRecord.Hash.HANDLE, 1, 0);
        return switch (operation) {
            case RESOLVE -> new Body.Resolve(TestServer.ADMIN, List.of(301), List.of());
            case CREATE, ADD_VALUES, MODIFY_VALUES ->
                new Body.Values(
                        operation == Operation.CREATE ? X : TestServer.ADMIN,
                        List.of(TestServer.admin(operation == Operation.MODIFY_VALUES ? 100 : 7, TestServer.NOBODY, 1)));
            case REMOVE_VALUES -> new Body.Indexes(TestServer.ADMIN, List.of(100));
            case DELETE -> new Body.Named(TestServer.ADMIN);
            case LIST_HANDLES, HOME_PREFIX, UNHOME_PREFIX -> new Body.Named(Handle.of("0.NA/1234"));
            case ANSWER_CHALLENGE -> new Body.Answer("HS_PUBKEY", TestServer.RSA, new byte[8]);
            case VERIFY_ANSWER -> new Body.Verify(TestServer.SECRET, new byte[16], new byte[32], new byte[8]);
            case SET_UP_SESSION ->
                new Body.Setup(new KeyExchange.ServerKey(), 60, TestServer.RSA);
            case EXCHANGE_KEY -> new Body.Key(new byte[8]);
            case GET_TRANSACTIONS -> new Body.Transactions(new ReplicationPosition.Last(0, 0, true), everything);
            case DUMP_HANDLES -> new Body.Dump(everything, List.of());
            case GET_SITE, LIST_PREFIXES, END_SESSION, NEXT_TRANSACTION, CHECKPOINT -> new Body.Named(Handle.SLASH);
        };
    }

    /** By message, for whoever says nothing: neither done nor shown, but challenged. */
    @Test
    void whoeverDoesNotSayWhoTheyAreIsChallenged() throws Exception {
        for (Operation each : Operation.values()) {
            boolean free = each == Operation.NEXT_TRANSACTION
                    || !each.isAdmin() && each != Operation.RESOLVE;
            if (!free) {
                Message answer = server.ask(request(0, each, body(each)));
                assertThat(TestServer.code(answer)).as(each.name()).isEqualTo(ResponseCode.CHALLENGE);
                assertThat(((Body.Challenge) answer.body()).nonce()).hasSize(16);
                Message refused = server.ask(answer(answer, TestServer.NOBODY, TestServer.NOBODY_KEYS.getPrivate()));
                assertThat(TestServer.code(refused)).as(each.name()).isEqualTo(ResponseCode.NOT_ADMIN);
                Message wrong = server.ask(request(0, each, body(each)));
                Message forged = server.ask(answer(wrong, TestServer.RSA, TestServer.NOBODY_KEYS.getPrivate()));
                boolean mirrors = each == Operation.GET_TRANSACTIONS || each == Operation.DUMP_HANDLES;
                assertThat(TestServer.code(forged))
                        .as(each.name())
                        .isEqualTo(mirrors ? ResponseCode.NOT_ADMIN : ResponseCode.AUTHENTICATION_FAILED);
            }
        }
        assertThat(server.exists("1234/x")).isFalse();
        assertThat(server.record("1234/ADMIN").values()).hasSize(6);
        assertThat(code(request(0, Operation.NEXT_TRANSACTION, body(Operation.NEXT_TRANSACTION))))
                .isEqualTo(ResponseCode.OPERATION_NOT_SUPPORTED);
    }

    @Test
    void anAnswerYieldsWhatWasChallenged() throws Exception {
        Message create = request(0, Operation.CREATE, VALUES, OpFlag.RECU, OpFlag.PUBL);
        Message challenge = server.ask(create);
        assertThat(challenge.envelope().sessionId()).isNotZero();
        assertThat(challenge.header().flags())
                .isEqualTo(OpFlag.of(OpFlag.AUTH, OpFlag.RECU, OpFlag.PUBL, OpFlag.RRDG));
        Message reply = answer(challenge);
        reply = reply.with(Envelope.of(challenge.envelope().sessionId(), 0x0a0b0c0d));
        Message made = server.ask(reply);
        assertThat(TestServer.code(made)).isEqualTo(ResponseCode.SUCCESS);
        assertThat(made.header().opcode()).isEqualTo(Operation.CREATE.number());
        assertThat(made.envelope().requestId()).isEqualTo(0x0a0b0c0d);
        assertThat(made.envelope().sessionId()).isZero();
        assertThat(made.header().flags()).isEqualTo(OpFlag.of(OpFlag.AUTH, OpFlag.RECU, OpFlag.PUBL));
        assertThat(made.body()).isEqualTo(NAMED);
        assertThat(server.record("1234/x").values()).hasSize(1);
        // An answer is good once.
        assertThat(code(reply)).isEqualTo(ResponseCode.CHALLENGE_TIMED_OUT);
        assertThat(server.journal.get(1).who()).contains(TestServer.RSA);
        assertThat(server.journal.get(1).opcode()).isEqualTo(100);
    }

    @Test
    void everyKindOfSecretProofIsTaken() throws Exception {
        server.put(Handle.of("0.NA/1234"), TestServer.admin(1, TestServer.SECRET, 0xfff));
        int number = 0;
        for (int minor : new int[] {1, 4, 6, 7, 10, 11}) {
            for (SecretKeyAnswer.Kind kind : SecretKeyAnswer.Kind.values()) {
                Handle handle = Handle.of("1234/s" + number++);
                ProtocolVersion version = new ProtocolVersion(2, minor);
                Envelope old = new Envelope(version, version, false, false, false, 0, 7, 0, 0);
                Message create = request(0, Operation.CREATE, new Body.Values(handle, List.of(TestServer.url(1, "a"))))
                        .with(old);
                Message challenge = server.ask(create);
                byte[] proof = SecretKeyAnswer.prove(
                                kind,
                                TestServer.SECRET_KEY,
                                ((Body.Challenge) challenge.body()).nonce(),
                                challenge.requestDigest().orElseThrow().digest(),
                                server.random)
                        .write();
                Body answer = new Body.Answer("HS_SECKEY", TestServer.SECRET, proof);
                Message reply = request(0, Operation.ANSWER_CHALLENGE, answer)
                        .with(old.withSession(challenge.envelope().sessionId()));
                boolean weak = kind == SecretKeyAnswer.Kind.MD5;
                assertThat(code(reply))
                        .as(kind + " in " + version)
                        .isEqualTo(weak ? ResponseCode.AUTHENTICATION_FAILED : ResponseCode.SUCCESS);
            }
        }
    }

    @Test
    void whatIsNoProofIsRefused() throws Exception {
        Message create = request(0, Operation.CREATE, VALUES);
        for (String type : List.of("HS_PUBKEY", "HS_SECKEY", "HS_CARD")) {
            Message challenge = server.ask(create);
            Message answer = server.ask(request(
                    challenge.envelope().sessionId(),
                    Operation.ANSWER_CHALLENGE,
                    new Body.Answer(type, TestServer.RSA, new byte[] {1, 2, 3})));
            assertThat(TestServer.code(answer)).as(type).isEqualTo(ResponseCode.BAD_CREDENTIAL);
            assertThat(answer.header().opcode()).isEqualTo(Operation.CREATE.number());
        }
        Message challenge = server.ask(create);
        ValueReference noKey = new ValueReference(TestServer.ADMIN, 100);
        server.put(Handle.of("0.NA/1234"), TestServer.admin(1, new ValueReference(TestServer.ADMIN, 0), 0xfff));
        assertThat(code(answer(challenge, noKey, TestServer.RSA_KEYS.getPrivate())))
                .isEqualTo(ResponseCode.CANNOT_AUTHENTICATE);
        assertThat(code(request(12345, Operation.ANSWER_CHALLENGE, body(Operation.ANSWER_CHALLENGE))))
                .isEqualTo(ResponseCode.CHALLENGE_TIMED_OUT);
        assertThat(server.exists("1234/x")).isFalse();
    }

    @Test
    void aChallengeIsForItsOwnRequest() throws Exception {
        Message one = server.ask(request(0, Operation.CREATE, VALUES));
        Message other = server.ask(request(0, Operation.DELETE, new Body.Named(TestServer.ADMIN)));
        // The proof for one, sent as the answer to the other.
        byte[] proof = PublicKeyAnswer.sign(
                        TestServer.RSA_KEYS.getPrivate(),
                        ProtocolVersion.CURRENT,
                        ((Body.Challenge) one.body()).nonce(),
                        one.requestDigest().orElseThrow().digest())
                .write();
        Message forged = request(
                other.envelope().sessionId(),
                Operation.ANSWER_CHALLENGE,
                new Body.Answer("HS_PUBKEY", TestServer.RSA, proof));
        assertThat(code(forged)).isEqualTo(ResponseCode.AUTHENTICATION_FAILED);
        assertThat(server.exists("1234/ADMIN")).isTrue();
    }

    @Test
    void aChallengeTimesOut() throws Exception {
        Message challenge = server.ask(request(0, Operation.CREATE, VALUES));
        server.millis.addAndGet(60_000);
        assertThat(code(answer(challenge))).isEqualTo(ResponseCode.CHALLENGE_TIMED_OUT);
        assertThat(server.service.count(ServiceCount.CHALLENGES_TIMED_OUT)).isEqualTo(1);
        assertThat(server.service.challenges()).isZero();
    }

    @Test
    void privateValuesAreShownToThoseWhoMayReadThem() throws Exception {
        Body all = new Body.Resolve(TestServer.ADMIN, List.of(), List.of());
        Message open = server.ask(request(0, Operation.RESOLVE, all, OpFlag.PUBL));
        assertThat(((Body.Values) open.body()).values()).hasSize(5);
        Message challenge = server.ask(request(0, Operation.RESOLVE, all));
        assertThat(TestServer.code(challenge)).isEqualTo(ResponseCode.CHALLENGE);
        Message shown = server.ask(answer(challenge));
        assertThat(((Body.Values) shown.body()).values()).hasSize(6);
    }

    @Test
    void answersAreSignedIfThatIsWanted() throws Exception {
        for (int minor : new int[] {1, 4, 7, 8, 11}) {
            ProtocolVersion version = new ProtocolVersion(2, minor);
            Envelope old = new Envelope(version, version, false, false, false, 0, 7, 0, 0);
            Message request = request(0, Operation.GET_SITE, new Body.Named(Handle.SLASH), OpFlag.CERT, OpFlag.RRDG)
                    .with(old);
            byte[] received = TestServer.only(server.send(request.write()));
            assertThat(MessageSignature.verifies(
                            received, Message.read(received), TestServer.SERVER_KEYS.getPublic(), false))
                    .as(version.toString())
                    .isTrue();
        }
        // 2.5 and 2.6 have signatures that are not made here.
        ProtocolVersion odd = new ProtocolVersion(2, 5);
        Message request = request(0, Operation.GET_SITE, new Body.Named(Handle.SLASH), OpFlag.CERT)
                .with(new Envelope(odd, odd, false, false, false, 0, 7, 0, 0));
        assertThat(server.ask(request).credential()).isEmpty();
    }

    @Test
    void guessingSecretsIsSlowed() throws Exception {
        server.put(Handle.of("0.NA/1234"), TestServer.admin(1, TestServer.SECRET, 0xfff));
        int looked = 0;
        for (int i = 0; i < 200; i++) {
            Message challenge = server.ask(request(0, Operation.CREATE, VALUES));
            byte[] proof = SecretKeyAnswer.prove(
                            SecretKeyAnswer.Kind.SHA256,
                            ("guess" + i).getBytes(StandardCharsets.UTF_8),
                            ((Body.Challenge) challenge.body()).nonce(),
                            challenge.requestDigest().orElseThrow().digest(),
                            server.random)
                    .write();
            ResponseCode code = code(request(
                    challenge.envelope().sessionId(),
                    Operation.ANSWER_CHALLENGE,
                    new Body.Answer("HS_SECKEY", TestServer.SECRET, proof)));
            assertThat(code).isIn(ResponseCode.AUTHENTICATION_FAILED, ResponseCode.BUSY);
            looked += code == ResponseCode.AUTHENTICATION_FAILED ? 1 : 0;
        }
        assertThat(looked).isEqualTo(100);
        assertThat(server.service.count(ServiceCount.REFUSED_EFFORT)).isEqualTo(100);
    }

    @Test
    void aListGoesOverTcpInPartsAndOverUdpIfItIsShort() throws Exception {
        for (int i = 0; i < 120; i++) {
            server.put(Handle.of("1234/" + i), TestServer.url(1, "a"));
        }
        Message list = request(0, Operation.LIST_HANDLES, new Body.Named(Handle.of("0.NA/1234")));
        List<Message> parts = new ArrayList<>();
        for (byte[] each : server.send(answer(server.ask(list)).write())) {
            parts.add(Message.read(each));
        }
        assertThat(parts).extracting(each -> ((Body.Handles) each.body()).handles().size()).containsExactly(50, 50, 21);
        assertThat(parts).extracting(each -> each.header().has(OpFlag.CONT)).containsExactly(true, true, false);
        byte[] answer = answer(server.ask(list)).write();
        Message refused = Message.read(TestServer.only(server.send(answer, Call.Transport.UDP, true)));
        assertThat(TestServer.code(refused)).isEqualTo(ResponseCode.OPERATION_NOT_SUPPORTED);
    }

    @Test
    void whatIsTooLongForAMessageIsSaidToBe() throws Exception {
        HandleValue half = new HandleValue(
                1, "DATA", new byte[200_000], Permissions.USUAL, Ttl.usual(), 0, List.of());
        HandleValue other = new HandleValue(
                2, "DATA", new byte[200_000], Permissions.USUAL, Ttl.usual(), 0, List.of());
        server.put(X, half, other);
        Body all = new Body.Resolve(X, List.of(), List.of());
        assertThat(code(request(0, Operation.RESOLVE, all))).isEqualTo(ResponseCode.ERROR);
        Body one = new Body.Resolve(X, List.of(2), List.of());
        assertThat(code(request(0, Operation.RESOLVE, one))).isEqualTo(ResponseCode.SUCCESS);
    }

    @Test
    void mirrorsAreAnsweredByTheSourceOfReplication() throws Exception {
        ReplicationSource source = (_, request, mirror, answer) -> {
            answer.begin(new Body.Empty());
            byte[] bytes = (mirror + " " + request.header().opcode()).getBytes(StandardCharsets.US_ASCII);
            answer.stream(bytes, 0, bytes.length);
        };
        try (TestServer primary = new TestServer(
                settings -> settings.withReplicationAdmins(List.of(TestServer.RSA)),
                RemoteHandles.NONE,
                TestServer.SERVER_KEYS,
                source)) {
            Message request = request(0, Operation.DUMP_HANDLES, body(Operation.DUMP_HANDLES));
            byte[] answer = answer(primary.ask(request)).write();
            List<String> sent = new ArrayList<>();
            Call call = new Call(
                    answer, Call.Transport.TCP, PEER, true);
            primary.service.answer(call, new Replies() {
                @Override
                public void message(byte[] message, boolean last) throws IOException {
                    try {
                        Message read = Message.read(message);
                        sent.add(TestServer.code(read) + " " + read.header().has(OpFlag.CONT) + " " + last);
                    } catch (Malformed e) {
                        throw new IOException(e);
                    }
                }

                @Override
                public void stream(byte[] bytes, int offset, int length) {
                    sent.add(new String(bytes, offset, length, StandardCharsets.US_ASCII));
                }
            });
            assertThat(sent).containsExactly("SUCCESS false false", "300:1234/ADMIN 1002");
        }
    }

    @Test
    void aReceiverThatIsGoneIsCounted() {
        Call call = new Call(
                request(0, Operation.GET_SITE, new Body.Named(Handle.SLASH)).write(),
                Call.Transport.TCP,
                PEER,
                true);
        server.service.answer(call, (_, _) -> {
            throw new IOException("gone");
        });
        assertThat(server.service.count(ServiceCount.RECEIVERS_GONE)).isEqualTo(1);
    }
}
