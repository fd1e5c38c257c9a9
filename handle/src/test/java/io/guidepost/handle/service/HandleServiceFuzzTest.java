package io.guidepost.handle.service;

import static io.guidepost.handle.service.TestHandleSession.answer;
import static io.guidepost.handle.service.TestHandleSession.request;
import static org.assertj.core.api.Assertions.assertThat;

import io.guidepost.base.Malformed;
import io.guidepost.handle.Handle;
import io.guidepost.handle.key.PublicKeyRecord;
import io.guidepost.handle.message.HandleMessage;
import io.guidepost.handle.message.HandleOperation;
import io.guidepost.handle.message.MessageBody;
import io.guidepost.handle.message.OpFlag;
import io.guidepost.handle.operation.RemoteResolver;
import io.guidepost.handle.value.HandleValue;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Messages that were valid until some bytes of them changed, without a proof and with one: each is answered, nothing fails
 * inside, and what is not proven changes nothing. {@code -Dguidepost.fuzz=1000000} goes on for longer.
 */
class HandleServiceFuzzTest {
    private static final int TRIES = 20_000;

    private final SplittableRandom random = new SplittableRandom(51);

    private byte[] mutated(byte[] message) {
        byte[] bytes = message.clone();
        for (int n = 1 + random.nextInt(3); n > 0; n--) {
            int at = random.nextInt(bytes.length);
            switch (random.nextInt(5)) {
                case 0 -> bytes[at] = (byte) random.nextInt();
                case 1 -> bytes[at] ^= (byte) (1 << random.nextInt(8));
                case 2 -> bytes = Arrays.copyOf(bytes, 1 + random.nextInt(bytes.length));
                case 3 -> bytes[at] = (byte) (random.nextBoolean() ? 0 : 0xff);
                default -> {
                    int from = random.nextInt(bytes.length);
                    int length = Math.min(bytes.length - Math.max(at, from), 1 + random.nextInt(8));
                    System.arraycopy(bytes, from, bytes, at, length);
                }
            }
        }
        return bytes;
    }

    private void send(TestHandleServer server, byte[] message) {
        HandleRequest.Transport[] ways = HandleRequest.Transport.values();
        HandleRequest.Transport way = ways[random.nextInt(ways.length)];
        long bounded = server.service.count(HandleServiceCount.WITHHELD_ERRORS);
        List<byte[]> answers = server.send(message, way, random.nextInt(4) > 0);
        boolean dropped = server.service.count(HandleServiceCount.WITHHELD_ERRORS) > bounded;
        assertThat(answers.isEmpty()).isEqualTo(dropped);
        assertThat(!dropped || way == HandleRequest.Transport.UDP && message.length < 48).isTrue();
        for (byte[] each : answers) {
            assertThat(each.length).isGreaterThanOrEqualTo(44);
        }
        // Nobody waits for what senders cost here.
        server.millis.addAndGet(50);
    }

    private void nothingFailed(TestHandleServer server) {
        assertThat(server.service.count(HandleServiceCount.FAILED_REQUESTS)).isZero();
        assertThat(server.service.count(HandleServiceCount.UNSENT_RESPONSES)).isZero();
    }

    private void unproven(int tries) throws Exception {
        try (TestHandleServer server = new TestHandleServer()) {
            List<Object> before = new ArrayList<>();
            server.records.scan(new byte[0], null, before::add);
            List<HandleOperation> operations = List.of(HandleOperation.values());
            List<OpFlag> flags = List.of(OpFlag.values());
            for (int i = 0; i < tries; i++) {
                HandleOperation operation = operations.get(random.nextInt(operations.size()));
                OpFlag flag = flags.get(random.nextInt(flags.size()));
                send(server, mutated(request(0, operation, HandleProtocolServerTest.body(operation), flag).write()));
            }
            nothingFailed(server);
            List<Object> after = new ArrayList<>();
            server.records.scan(new byte[0], null, after::add);
            assertThat(after).isEqualTo(before);
            assertThat(server.homes.all()).containsExactly("0.NA/1234");
        }
    }

    /** The request is changed, and then signed by those who may do anything: rights do not save the service. */
    private void proven(int tries) throws Exception {
        try (TestHandleServer server = new TestHandleServer(
                settings -> settings.withServerAdminFullAccess(true), RemoteResolver.NONE)) {
            TestHandleSession session = new TestHandleSession(server);
            session.bind();
            List<HandleOperation> operations = List.of(HandleOperation.values());
            int done = 0;
            for (int i = 0; i < tries; i++) {
                HandleOperation operation = operations.get(random.nextInt(operations.size()));
                if (operation == HandleOperation.END_SESSION) {
                    continue;
                }
                byte[] body = mutated(request(session.id, operation, HandleProtocolServerTest.body(operation)).write());
                try {
                    HandleMessage message = HandleMessage.readRequest(body);
                    if (message.operation().orElseThrow() == HandleOperation.END_SESSION) {
                        continue;
                    }
                    HandleMessage sealed = session.key.seal(
                            message.with(message.envelope().withSession(session.id)), ++session.counter);
                    byte[] sent = sealed.write();
                    send(server, random.nextBoolean() ? session.key.encrypt(sent, random) : sent);
                    done++;
                } catch (Malformed | IllegalArgumentException e) {
                    send(server, body);
                }
                if (server.service.sessions() == 0 || i % 500 == 0) {
                    session = new TestHandleSession(server);
                    byte[] key = PublicKeyRecord.of(TestHandleServer.RSA_KEYS.getPublic()).write();
                    server.put(TestHandleServer.ADMIN, HandleValue.of(300, "HS_PUBKEY", key));
                    server.homes.home(Handle.of("0.NA/1234"));
                    session.bind();
                }
            }
            nothingFailed(server);
            assertThat(done).isGreaterThan(tries / 4);
        }
    }

    /** Answers to challenges, changed. */
    private void answers(int tries) throws Exception {
        try (TestHandleServer server = new TestHandleServer()) {
            for (int i = 0; i < tries; i++) {
                Handle handle = Handle.of("1234/f" + i);
                MessageBody body = new MessageBody.Values(handle, List.of(TestHandleServer.url(1, "a:b")));
                HandleMessage challenge = server.ask(request(0, HandleOperation.CREATE, body));
                byte[] right = answer(challenge).write();
                byte[] wrong = mutated(right);
                send(server, wrong);
                server.millis.addAndGet(200);
            }
            nothingFailed(server);
        }
    }

    @Test
    void whatIsNotProvenChangesNothing() throws Exception {
        unproven(TRIES);
    }

    @Test
    void whatIsProvenFailsNothing() throws Exception {
        proven(TRIES);
    }

    @Test
    void answersThatChangedFailNothing() throws Exception {
        answers(TRIES / 40);
    }

    @Test
    @Tag("long")
    void theSameForLonger() throws Exception {
        int tries = Integer.getInteger("guidepost.fuzz", 1_000_000);
        unproven(tries);
        proven(tries);
        answers(tries / 20);
    }
}
