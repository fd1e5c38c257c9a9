package io.guidepost.handle.service;

import static io.guidepost.handle.service.TestHandleSession.answer;
import static io.guidepost.handle.service.TestHandleSession.request;
import static org.assertj.core.api.Assertions.assertThat;

import io.guidepost.base.Malformed;
import io.guidepost.handle.Handle;
import io.guidepost.handle.authentication.MessageSignature;
import io.guidepost.handle.authentication.PublicKeyProof;
import io.guidepost.handle.authentication.SecretKeyProof;
import io.guidepost.handle.message.HandleEnvelope;
import io.guidepost.handle.message.HandleMessage;
import io.guidepost.handle.message.HandleOperation;
import io.guidepost.handle.message.KeyExchange;
import io.guidepost.handle.message.MessageBody;
import io.guidepost.handle.message.MirrorPartition;
import io.guidepost.handle.message.OpFlag;
import io.guidepost.handle.message.ProtocolVersion;
import io.guidepost.handle.message.ReplicationPosition;
import io.guidepost.handle.message.ResponseCode;
import io.guidepost.handle.operation.RemoteResolver;
import io.guidepost.handle.value.HandleValue;
import io.guidepost.handle.value.Permissions;
import io.guidepost.handle.value.SiteRecord;
import io.guidepost.handle.value.Ttl;
import io.guidepost.handle.value.ValueReference;
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
class HandleProtocolServerTest {
    private static final Handle X = Handle.of("1234/x");
    private static final MessageBody NAMED = new MessageBody.Named(X);
    private static final MessageBody VALUES = new MessageBody.Values(X, List.of(TestHandleServer.url(1, "http://e.x/")));

    private static final InetSocketAddress PEER = new InetSocketAddress(InetAddress.getLoopbackAddress(), 1);

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
            String answer = HexFormat.of().formatHex(TestHandleServer.only(server.send(message)));
            assertThat(answer).as(each).startsWith("0203020b00000000ffffffff00000000");
            boolean protocol = each.length() < 88 || each.contains("0000000000000000190");
            assertThat(answer.substring(40, 64))
                    .as(each)
                    .isEqualTo("00000000" + (protocol ? "00000004" : "00000002") + "19000000");
            assertThat(answer.substring(64, 68)).isEqualTo("ffff");
        }
        assertThat(server.service.count(HandleServiceCount.MALFORMED_MESSAGES)).isEqualTo(8);
    }

    @Test
    void administrationIsNotForInterfacesForQuestions() throws Exception {
        for (HandleOperation each : HandleOperation.values()) {
            HandleMessage request = request(0, each, body(each));
            HandleMessage answer = HandleMessage.read(
                    TestHandleServer.only(server.send(request.write(), HandleRequest.Transport.TCP, false)));
            if (each.isAdmin()) {
                assertThat(TestHandleServer.code(answer)).as(each.name()).isEqualTo(ResponseCode.PROTOCOL_ERROR);
            } else {
                assertThat(TestHandleServer.code(answer)).as(each.name()).isNotEqualTo(ResponseCode.PROTOCOL_ERROR);
            }
        }
    }

    /** A body for an operation. */
    static MessageBody body(HandleOperation operation) {
        MirrorPartition everything = new MirrorPartition(SiteRecord.Hash.HANDLE, 1, 0);
        return switch (operation) {
            case RESOLVE -> new MessageBody.Resolve(TestHandleServer.ADMIN, List.of(301), List.of());
            case CREATE, ADD_VALUES, MODIFY_VALUES ->
                new MessageBody.Values(
                        operation == HandleOperation.CREATE ? X : TestHandleServer.ADMIN,
                        List.of(TestHandleServer.admin(operation == HandleOperation.MODIFY_VALUES ? 100 : 7, TestHandleServer.NOBODY, 1)));
            case REMOVE_VALUES -> new MessageBody.Indexes(TestHandleServer.ADMIN, List.of(100));
            case DELETE -> new MessageBody.Named(TestHandleServer.ADMIN);
            case LIST_HANDLES, HOME_PREFIX, UNHOME_PREFIX -> new MessageBody.Named(Handle.of("0.NA/1234"));
            case ANSWER_CHALLENGE -> new MessageBody.Answer("HS_PUBKEY", TestHandleServer.RSA, new byte[8]);
            case VERIFY_ANSWER -> new MessageBody.Verify(TestHandleServer.SECRET, new byte[16], new byte[32], new byte[8]);
            case SET_UP_SESSION ->
                new MessageBody.Setup(new KeyExchange.ServerKey(), 60, TestHandleServer.RSA);
            case EXCHANGE_KEY -> new MessageBody.Key(new byte[8]);
            case GET_TRANSACTIONS -> new MessageBody.Transactions(new ReplicationPosition.Last(0, 0, true), everything);
            case DUMP_HANDLES -> new MessageBody.Dump(everything, List.of());
            case GET_SITE, LIST_PREFIXES, END_SESSION, NEXT_TRANSACTION, CHECKPOINT -> new MessageBody.Named(Handle.SLASH);
        };
    }

    /** By message, for whoever says nothing: neither done nor shown, but challenged. */
    @Test
    void whoeverDoesNotSayWhoTheyAreIsChallenged() throws Exception {
        for (HandleOperation each : HandleOperation.values()) {
            boolean free = each == HandleOperation.NEXT_TRANSACTION
                    || !each.isAdmin() && each != HandleOperation.RESOLVE;
            if (!free) {
                HandleMessage answer = server.ask(request(0, each, body(each)));
                assertThat(TestHandleServer.code(answer)).as(each.name()).isEqualTo(ResponseCode.CHALLENGE);
                assertThat(((MessageBody.Challenge) answer.body()).nonce()).hasSize(16);
                HandleMessage refused = server.ask(answer(answer, TestHandleServer.NOBODY, TestHandleServer.NOBODY_KEYS.getPrivate()));
                assertThat(TestHandleServer.code(refused)).as(each.name()).isEqualTo(ResponseCode.NOT_ADMIN);
                HandleMessage wrong = server.ask(request(0, each, body(each)));
                HandleMessage forged = server.ask(answer(wrong, TestHandleServer.RSA, TestHandleServer.NOBODY_KEYS.getPrivate()));
                boolean mirrors = each == HandleOperation.GET_TRANSACTIONS || each == HandleOperation.DUMP_HANDLES;
                assertThat(TestHandleServer.code(forged))
                        .as(each.name())
                        .isEqualTo(mirrors ? ResponseCode.NOT_ADMIN : ResponseCode.AUTHENTICATION_FAILED);
            }
        }
        assertThat(server.exists("1234/x")).isFalse();
        assertThat(server.record("1234/ADMIN").values()).hasSize(6);
        assertThat(code(request(0, HandleOperation.NEXT_TRANSACTION, body(HandleOperation.NEXT_TRANSACTION))))
                .isEqualTo(ResponseCode.OPERATION_NOT_SUPPORTED);
    }

    @Test
    void anAnswerYieldsWhatWasChallenged() throws Exception {
        HandleMessage create = request(0, HandleOperation.CREATE, VALUES, OpFlag.RECU, OpFlag.PUBL);
        HandleMessage challenge = server.ask(create);
        assertThat(challenge.envelope().sessionId()).isNotZero();
        assertThat(challenge.header().flags())
                .isEqualTo(OpFlag.of(OpFlag.AUTH, OpFlag.RECU, OpFlag.PUBL, OpFlag.RRDG));
        HandleMessage reply = answer(challenge);
        reply = reply.with(HandleEnvelope.of(challenge.envelope().sessionId(), 0x0a0b0c0d));
        HandleMessage made = server.ask(reply);
        assertThat(TestHandleServer.code(made)).isEqualTo(ResponseCode.SUCCESS);
        assertThat(made.header().opcode()).isEqualTo(HandleOperation.CREATE.number());
        assertThat(made.envelope().requestId()).isEqualTo(0x0a0b0c0d);
        assertThat(made.envelope().sessionId()).isZero();
        assertThat(made.header().flags()).isEqualTo(OpFlag.of(OpFlag.AUTH, OpFlag.RECU, OpFlag.PUBL));
        assertThat(made.body()).isEqualTo(NAMED);
        assertThat(server.record("1234/x").values()).hasSize(1);
        // An answer is good once.
        assertThat(code(reply)).isEqualTo(ResponseCode.CHALLENGE_TIMED_OUT);
        assertThat(server.journal.get(1).who()).contains(TestHandleServer.RSA);
        assertThat(server.journal.get(1).opcode()).isEqualTo(100);
    }

    @Test
    void everyKindOfSecretProofIsTaken() throws Exception {
        server.put(Handle.of("0.NA/1234"), TestHandleServer.admin(1, TestHandleServer.SECRET, 0xfff));
        int number = 0;
        for (int minor : new int[] {1, 4, 6, 7, 10, 11}) {
            for (SecretKeyProof.Kind kind : SecretKeyProof.Kind.values()) {
                Handle handle = Handle.of("1234/s" + number++);
                ProtocolVersion version = new ProtocolVersion(2, minor);
                HandleEnvelope old = new HandleEnvelope(version, version, false, false, false, 0, 7, 0, 0);
                HandleMessage create = request(0, HandleOperation.CREATE,
                        new MessageBody.Values(handle, List.of(TestHandleServer.url(1, "a"))))
                        .with(old);
                HandleMessage challenge = server.ask(create);
                byte[] proof = SecretKeyProof.prove(
                                kind,
                                TestHandleServer.SECRET_KEY,
                                ((MessageBody.Challenge) challenge.body()).nonce(),
                                challenge.requestDigest().orElseThrow().digest(),
                                server.random)
                        .write();
                MessageBody answer = new MessageBody.Answer("HS_SECKEY", TestHandleServer.SECRET, proof);
                HandleMessage reply = request(0, HandleOperation.ANSWER_CHALLENGE, answer)
                        .with(old.withSession(challenge.envelope().sessionId()));
                boolean weak = kind == SecretKeyProof.Kind.MD5;
                assertThat(code(reply))
                        .as(kind + " in " + version)
                        .isEqualTo(weak ? ResponseCode.AUTHENTICATION_FAILED : ResponseCode.SUCCESS);
            }
        }
    }

    @Test
    void whatIsNoProofIsRefused() throws Exception {
        HandleMessage create = request(0, HandleOperation.CREATE, VALUES);
        for (String type : List.of("HS_PUBKEY", "HS_SECKEY", "HS_CARD")) {
            HandleMessage challenge = server.ask(create);
            HandleMessage answer = server.ask(request(
                    challenge.envelope().sessionId(),
                    HandleOperation.ANSWER_CHALLENGE,
                    new MessageBody.Answer(type, TestHandleServer.RSA, new byte[] {1, 2, 3})));
            assertThat(TestHandleServer.code(answer)).as(type).isEqualTo(ResponseCode.BAD_CREDENTIAL);
            assertThat(answer.header().opcode()).isEqualTo(HandleOperation.CREATE.number());
        }
        HandleMessage challenge = server.ask(create);
        ValueReference noKey = new ValueReference(TestHandleServer.ADMIN, 100);
        server.put(Handle.of("0.NA/1234"), TestHandleServer.admin(1, new ValueReference(TestHandleServer.ADMIN, 0), 0xfff));
        assertThat(code(answer(challenge, noKey, TestHandleServer.RSA_KEYS.getPrivate())))
                .isEqualTo(ResponseCode.CANNOT_AUTHENTICATE);
        assertThat(code(request(12345, HandleOperation.ANSWER_CHALLENGE, body(HandleOperation.ANSWER_CHALLENGE))))
                .isEqualTo(ResponseCode.CHALLENGE_TIMED_OUT);
        assertThat(server.exists("1234/x")).isFalse();
    }

    @Test
    void aChallengeIsForItsOwnRequest() throws Exception {
        HandleMessage one = server.ask(request(0, HandleOperation.CREATE, VALUES));
        HandleMessage other = server.ask(request(0, HandleOperation.DELETE, new MessageBody.Named(TestHandleServer.ADMIN)));
        // The proof for one, sent as the answer to the other.
        byte[] proof = PublicKeyProof.sign(
                        TestHandleServer.RSA_KEYS.getPrivate(),
                        ProtocolVersion.CURRENT,
                        ((MessageBody.Challenge) one.body()).nonce(),
                        one.requestDigest().orElseThrow().digest())
                .write();
        HandleMessage forged = request(
                other.envelope().sessionId(),
                HandleOperation.ANSWER_CHALLENGE,
                new MessageBody.Answer("HS_PUBKEY", TestHandleServer.RSA, proof));
        assertThat(code(forged)).isEqualTo(ResponseCode.AUTHENTICATION_FAILED);
        assertThat(server.exists("1234/ADMIN")).isTrue();
    }

    @Test
    void aChallengeTimesOut() throws Exception {
        HandleMessage challenge = server.ask(request(0, HandleOperation.CREATE, VALUES));
        server.millis.addAndGet(60_000);
        assertThat(code(answer(challenge))).isEqualTo(ResponseCode.CHALLENGE_TIMED_OUT);
        assertThat(server.service.count(HandleServiceCount.CHALLENGES_DROPPED_TIMED_OUT)).isEqualTo(1);
        assertThat(server.service.challenges()).isZero();
    }

    @Test
    void privateValuesAreShownToThoseWhoMayReadThem() throws Exception {
        MessageBody all = new MessageBody.Resolve(TestHandleServer.ADMIN, List.of(), List.of());
        HandleMessage open = server.ask(request(0, HandleOperation.RESOLVE, all, OpFlag.PUBL));
        assertThat(((MessageBody.Values) open.body()).values()).hasSize(5);
        HandleMessage challenge = server.ask(request(0, HandleOperation.RESOLVE, all));
        assertThat(TestHandleServer.code(challenge)).isEqualTo(ResponseCode.CHALLENGE);
        HandleMessage shown = server.ask(answer(challenge));
        assertThat(((MessageBody.Values) shown.body()).values()).hasSize(6);
    }

    @Test
    void aPrivateValueIsAnsweredLikeAnAbsentOne() throws Exception {
        byte[] absent = resolved(List.of(77), List.of());
        assertThat(HandleMessage.read(absent).responseCode()).contains(ResponseCode.CHALLENGE);
        assertThat(resolved(List.of(301), List.of())).hasSameSizeAs(absent);
        assertThat(resolved(List.of(), List.of("HS_SECKEY"))).hasSameSizeAs(absent);
        assertThat(resolved(List.of(), List.of("HS_NOSUCH"))).hasSameSizeAs(absent);
    }

    private byte[] resolved(List<Integer> indexes, List<String> types) {
        MessageBody question = new MessageBody.Resolve(TestHandleServer.ADMIN, indexes, types);
        return TestHandleServer.only(server.send(request(0, HandleOperation.RESOLVE, question).write()));
    }

    @Test
    void anAbsentSecretIsVerifiedLikeAnother() throws Exception {
        byte[] proof = SecretKeyProof.prove(
                        SecretKeyProof.Kind.HMAC_SHA256, new byte[] {1}, new byte[16], new byte[32], server.random)
                .write();
        List<ValueReference> keys = List.of(
                TestHandleServer.SECRET,
                new ValueReference(TestHandleServer.ADMIN, 77),
                new ValueReference(Handle.of("1234/none"), 301));
        for (ValueReference key : keys) {
            MessageBody verify = new MessageBody.Verify(key, new byte[16], new byte[32], proof);
            HandleMessage answer = server.ask(request(0, HandleOperation.VERIFY_ANSWER, verify));
            assertThat(answer.body()).as(key.toString()).isEqualTo(new MessageBody.Verified(false));
        }
    }

    @Test
    void answersAreSignedIfThatIsWanted() throws Exception {
        for (int minor : new int[] {1, 4, 7, 8, 11}) {
            ProtocolVersion version = new ProtocolVersion(2, minor);
            HandleEnvelope old = new HandleEnvelope(version, version, false, false, false, 0, 7, 0, 0);
            HandleMessage request = request(0, HandleOperation.GET_SITE, new MessageBody.Named(Handle.SLASH), OpFlag.CERT, OpFlag.RRDG)
                    .with(old);
            byte[] received = TestHandleServer.only(server.send(request.write()));
            assertThat(MessageSignature.verifies(
                            received, HandleMessage.read(received), TestHandleServer.SERVER_KEYS.getPublic(), false))
                    .as(version.toString())
                    .isTrue();
        }
        // 2.5 and 2.6 have signatures that are not made here.
        ProtocolVersion odd = new ProtocolVersion(2, 5);
        HandleMessage request = request(0, HandleOperation.GET_SITE, new MessageBody.Named(Handle.SLASH), OpFlag.CERT)
                .with(new HandleEnvelope(odd, odd, false, false, false, 0, 7, 0, 0));
        assertThat(server.ask(request).credential()).isEmpty();
    }

    @Test
    void aGuesserWaitsAndOthersDoNot() throws Exception {
        server.put(Handle.of("0.NA/1234"), TestHandleServer.admin(1, TestHandleServer.SECRET, 0xfff));
        InetAddress here = InetAddress.getLoopbackAddress();
        int looked = 0;
        for (int i = 0; i < 200; i++) {
            ResponseCode code = created(("guess" + i).getBytes(StandardCharsets.UTF_8), here);
            assertThat(code).isIn(ResponseCode.AUTHENTICATION_FAILED, ResponseCode.BUSY);
            looked += code == ResponseCode.AUTHENTICATION_FAILED ? 1 : 0;
        }
        assertThat(looked).isEqualTo(100);
        assertThat(server.service.count(HandleServiceCount.CPU_QUOTA_REFUSALS)).isEqualTo(100);
        assertThat(created(TestHandleServer.SECRET_KEY, here)).isEqualTo(ResponseCode.BUSY);
        assertThat(created(TestHandleServer.SECRET_KEY, InetAddress.ofLiteral("192.0.2.1"))).isEqualTo(ResponseCode.SUCCESS);
    }

    private ResponseCode created(byte[] secret, InetAddress from) throws Exception {
        HandleMessage challenge = server.ask(request(0, HandleOperation.CREATE, VALUES), from);
        byte[] proof = SecretKeyProof.prove(
                        SecretKeyProof.Kind.SHA256,
                        secret,
                        ((MessageBody.Challenge) challenge.body()).nonce(),
                        challenge.requestDigest().orElseThrow().digest(),
                        server.random)
                .write();
        return TestHandleServer.code(server.ask(
                request(
                        challenge.envelope().sessionId(),
                        HandleOperation.ANSWER_CHALLENGE,
                        new MessageBody.Answer("HS_SECKEY", TestHandleServer.SECRET, proof)),
                from));
    }

    @Test
    void aListGoesOverTcpInPartsAndOverUdpIfItIsShort() throws Exception {
        for (int i = 0; i < 120; i++) {
            server.put(Handle.of("1234/" + i), TestHandleServer.url(1, "a"));
        }
        HandleMessage list = request(0, HandleOperation.LIST_HANDLES, new MessageBody.Named(Handle.of("0.NA/1234")));
        List<HandleMessage> parts = new ArrayList<>();
        for (byte[] each : server.send(answer(server.ask(list)).write())) {
            parts.add(HandleMessage.read(each));
        }
        assertThat(parts).extracting(each -> ((MessageBody.Handles) each.body()).handles().size()).containsExactly(50, 50, 21);
        assertThat(parts).extracting(each -> each.header().has(OpFlag.CONT)).containsExactly(true, true, false);
        byte[] answer = answer(server.ask(list)).write();
        HandleMessage refused = HandleMessage.read(TestHandleServer.only(server.send(answer, HandleRequest.Transport.UDP, true)));
        assertThat(TestHandleServer.code(refused)).isEqualTo(ResponseCode.OPERATION_NOT_SUPPORTED);
    }

    @Test
    void whatIsTooLongForAMessageIsSaidToBe() throws Exception {
        HandleValue half = new HandleValue(
                1, "DATA", new byte[200_000], Permissions.USUAL, Ttl.usual(), 0, List.of());
        HandleValue other = new HandleValue(
                2, "DATA", new byte[200_000], Permissions.USUAL, Ttl.usual(), 0, List.of());
        server.put(X, half, other);
        MessageBody all = new MessageBody.Resolve(X, List.of(), List.of());
        assertThat(code(request(0, HandleOperation.RESOLVE, all))).isEqualTo(ResponseCode.ERROR);
        MessageBody one = new MessageBody.Resolve(X, List.of(2), List.of());
        assertThat(code(request(0, HandleOperation.RESOLVE, one))).isEqualTo(ResponseCode.SUCCESS);
    }

    @Test
    void mirrorsAreAnsweredByTheSourceOfReplication() throws Exception {
        ReplicationSource source = (_, request, mirror, answer) -> {
            answer.begin(new MessageBody.Empty());
            byte[] bytes = (mirror + " " + request.header().opcode()).getBytes(StandardCharsets.US_ASCII);
            answer.stream(bytes, 0, bytes.length);
        };
        try (TestHandleServer primary = new TestHandleServer(
                settings -> settings.withReplicationAdmins(List.of(TestHandleServer.RSA)),
                RemoteResolver.NONE,
                TestHandleServer.SERVER_KEYS,
                source)) {
            HandleMessage request = request(0, HandleOperation.DUMP_HANDLES, body(HandleOperation.DUMP_HANDLES));
            byte[] answer = answer(primary.ask(request)).write();
            List<String> sent = new ArrayList<>();
            HandleRequest call = new HandleRequest(
                    answer, HandleRequest.Transport.TCP, PEER, true);
            primary.service.answer(call, new ResponseSink() {
                @Override
                public void message(byte[] message, boolean last) throws IOException {
                    try {
                        HandleMessage read = HandleMessage.read(message);
                        sent.add(TestHandleServer.code(read) + " " + read.header().has(OpFlag.CONT) + " " + last);
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
        HandleRequest call = new HandleRequest(
                request(0, HandleOperation.GET_SITE, new MessageBody.Named(Handle.SLASH)).write(),
                HandleRequest.Transport.TCP,
                PEER,
                true);
        server.service.answer(call, (_, _) -> {
            throw new IOException("gone");
        });
        assertThat(server.service.count(HandleServiceCount.UNSENT_RESPONSES)).isEqualTo(1);
    }
}
