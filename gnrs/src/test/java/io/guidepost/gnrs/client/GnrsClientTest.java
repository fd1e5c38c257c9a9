package io.guidepost.gnrs.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.guidepost.base.FaultyFile;
import io.guidepost.base.Malformed;
import io.guidepost.gnrs.client.GnrsResponse.Outcome;
import io.guidepost.gnrs.wire.GnrsMessage;
import io.guidepost.gnrs.wire.GnrsOption;
import io.guidepost.names.Binding;
import io.guidepost.names.Guid;
import io.guidepost.names.Locator;
import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The client against servers that behave well, badly, or not at all. */
class GnrsClientTest {
    private static final Guid GUID = Guid.ofAscii("somewhere");
    private static final Locator PLACE = new Locator(0, new byte[] {10, 1, 2, 3, 0x11, 0x5c});
    /** For servers that answer: nothing is sent twice, however busy the machine. */
    private static final GnrsClientSettings PATIENT = new GnrsClientSettings(20_000, 1, 16);

    /** Some seconds of them. */
    private static final int FOLLOWING_MAX = 50_000;

    private static final GnrsClientSettings QUICK = new GnrsClientSettings(20, 3, 16);

    /** A server on loopback whose answers are given by a function of each message. */
    private static final class Peer implements AutoCloseable {
        final DatagramSocket socket;
        final List<GnrsMessage> asked = Collections.synchronizedList(new ArrayList<>());
        private final Thread thread;

        Peer(String host, Function<GnrsMessage, List<GnrsMessage>> behaviour) throws IOException {
            socket = new DatagramSocket(0, InetAddress.ofLiteral(host));
            thread = Thread.ofPlatform().start(() -> serve(behaviour));
        }

        private void serve(Function<GnrsMessage, List<GnrsMessage>> behaviour) {
            DatagramPacket packet = new DatagramPacket(new byte[65_536], 65_536);
            try {
                while (!socket.isClosed()) {
                    socket.receive(packet);
                    GnrsMessage message = GnrsMessage.read(java.util.Arrays.copyOf(packet.getData(), packet.getLength()));
                    asked.add(message);
                    for (GnrsMessage answer : behaviour.apply(message)) {
                        byte[] bytes = answer.write();
                        socket.send(new DatagramPacket(bytes, bytes.length, packet.getSocketAddress()));
                    }
                }
            } catch (SocketException e) {
                // The test is over.
            } catch (IOException | Malformed e) {
                throw new AssertionError(e);
            }
        }

        InetSocketAddress address() {
            return (InetSocketAddress) socket.getLocalSocketAddress();
        }

        GnrsClient client() throws IOException {
            return GnrsClient.open(address(), PATIENT);
        }

        @Override
        public void close() {
            socket.close();
            try {
                thread.join();
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        }
    }

    private static GnrsMessage success(GnrsMessage request, Locator... places) {
        int id = request.id();
        return switch (request) {
            case GnrsMessage.Lookup lookup ->
                new GnrsMessage.LookupResponse(id, GnrsMessage.noOrigin(), GnrsMessage.Code.SUCCESS, List.of(places), List.of());
            case GnrsMessage.Insert insert ->
                new GnrsMessage.InsertResponse(id, GnrsMessage.noOrigin(), GnrsMessage.Code.SUCCESS, List.of());
            default -> new GnrsMessage.UpdateResponse(id, GnrsMessage.noOrigin(), GnrsMessage.Code.SUCCESS, List.of());
        };
    }

    /** A server that keeps names in a map. */
    private static Function<GnrsMessage, List<GnrsMessage>> store() {
        Map<Guid, List<Binding>> names = new HashMap<>();
        return message -> {
            switch (message) {
                case GnrsMessage.Insert insert ->
                    names.computeIfAbsent(insert.guid(), none -> new ArrayList<>()).addAll(insert.bindings());
                case GnrsMessage.Update update -> names.put(update.guid(), new ArrayList<>(update.bindings()));
                case GnrsMessage.Lookup lookup -> {
                    List<Binding> bindings = names.getOrDefault(lookup.guid(), List.of());
                    List<GnrsOption> times = GnrsMessage.Insert.of(0, GnrsMessage.noOrigin(), GUID, bindings).options();
                    return List.of(new GnrsMessage.LookupResponse(
                            message.id(),
                            GnrsMessage.noOrigin(),
                            GnrsMessage.Code.SUCCESS,
                            bindings.stream().map(Binding::locator).toList(),
                            times));
                }
                default -> throw new AssertionError(message);
            }
            return List.of(success(message));
        };
    }

    @ParameterizedTest
    @ValueSource(strings = {"127.0.0.1", "::1"})
    void writesAndReadsOverBothFamilies(String host) throws Exception {
        assumeTrue(!host.equals("::1") || ipv6(), "needs IPv6 on loopback");
        try (Peer peer = new Peer(host, store());
                GnrsClient client = peer.client()) {
            assertThat(client.lookup(GUID).bindings()).isEmpty();
            client.insert(GUID, List.of(new Binding(PLACE, 30_000, 0), new Binding(Locator.of(GUID), 0, 7)));
            client.insert(GUID, List.of(Binding.of(Locator.parse("[2001:db8::1]:1"))));
            GnrsResponse answer = client.lookup(GUID, true);
            assertThat(answer.bindings())
                    .containsExactly(
                            new Binding(PLACE, 30_000, 0),
                            new Binding(Locator.of(GUID), 0, 7),
                            Binding.of(Locator.parse("[2001:db8::1]:1")));
            assertThat(answer.outcome()).isEqualTo(Outcome.SUCCESS);
            assertThat(answer.complete()).isTrue();
            assertThat(answer.server()).isEqualTo(peer.address());
            assertThat(answer.roundTripNanos()).isPositive();
            client.update(GUID, List.of(Binding.of(PLACE)));
            assertThat(client.lookup(GUID).bindings()).containsExactly(Binding.of(PLACE));
            client.delete(GUID);
            assertThat(client.lookup(GUID).bindings()).isEmpty();
            assertThat(peer.asked).filteredOn(message -> !(message instanceof GnrsMessage.Lookup))
                    .allMatch(message -> ((GnrsMessage.Request) message).recursive());
            assertThat(peer.asked).allMatch(message -> message.origin().data().length > 0);
        }
    }

    private static boolean ipv6() {
        try (DatagramSocket socket = new DatagramSocket(0, InetAddress.ofLiteral("::1"))) {
            return socket.isBound();
        } catch (IOException e) {
            return false;
        }
    }

    @Test
    void aLostDatagramIsSentAgainUnderANewIdAndWithoutOrigin() throws Exception {
        int[] seen = {0};
        try (Peer peer = new Peer(
                        "127.0.0.1",
                        message -> seen[0]++ == 0 ? List.of() : List.of(success(message, PLACE)));
                GnrsClient client = GnrsClient.open(peer.address(), QUICK)) {
            GnrsResponse answer = client.lookup(GUID);
            assertThat(answer.bindings()).containsExactly(Binding.of(PLACE));
            assertThat(answer.datagrams()).isGreaterThanOrEqualTo(2);
            assertThat(peer.asked.get(0).id()).isNotEqualTo(peer.asked.get(1).id());
            assertThat(peer.asked.get(0).origin().data()).hasSize(6);
            assertThat(peer.asked.get(1).origin()).isEqualTo(GnrsMessage.noOrigin());
        }
    }

    @Test
    void aLostDatagramIsSentAgainThoughOthersFollowIt() throws Exception {
        int[] seen = {0};
        int[] sent = {0};
        boolean[] answered = {false};
        Iterator<GnrsRequest> others = new Iterator<>() {
            @Override
            public boolean hasNext() {
                return !answered[0] && sent[0] < FOLLOWING_MAX;
            }

            @Override
            public GnrsRequest next() {
                LockSupport.parkNanos(100_000);
                return GnrsRequest.lookup(sent[0]++ == 0 ? GUID : Guid.ofAscii("g" + sent[0]), false);
            }
        };
        try (Peer peer = new Peer("127.0.0.1", message -> seen[0]++ == 0 ? List.of() : List.of(success(message, PLACE)));
                GnrsClient client = GnrsClient.open(peer.address(), new GnrsClientSettings(20, 3, 1 << 16))) {
            client.batch(others, answer -> answered[0] |= answer.request().guid().equals(GUID));
            assertThat(sent[0]).isLessThan(FOLLOWING_MAX);
        }
    }

    @Test
    void silenceIsATimeoutThatSaysHowLongAndHowOften() throws Exception {
        try (Peer peer = new Peer("127.0.0.1", message -> List.of());
                GnrsClient client = GnrsClient.open(peer.address(), QUICK)) {
            GnrsException silence = catchThrowableOfType(GnrsException.class, () -> client.lookup(GUID));
            assertThat(silence.answer().outcome()).isEqualTo(Outcome.TIMEOUT);
            assertThat(silence)
                    .hasMessageMatching("no answer from 127.0.0.1:\\d+ to LOOKUP of 736f6d65776865726500.* within"
                            + " \\d+ ms \\(3 datagrams sent\\)");
            assertThat(silence.answer().roundTripNanos()).isGreaterThanOrEqualTo((20 + 40 + 80) * 1_000_000L);
            assertThat(QUICK.millisMax()).isEqualTo(140);
        }
    }

    @Test
    void aPortWhereNothingListensIsSaid() throws Exception {
        InetSocketAddress nobody;
        try (Peer peer = new Peer("127.0.0.1", message -> List.of())) {
            nobody = peer.address();
        }
        try (GnrsClient client = GnrsClient.open(nobody, QUICK)) {
            assertThatThrownBy(() -> client.delete(GUID))
                    .isInstanceOf(GnrsException.class)
                    .hasMessageEndingWith("nothing listens at that port");
        }
    }

    @Test
    void failedIsSaid() throws Exception {
        try (Peer peer = new Peer(
                        "127.0.0.1",
                        message -> List.of(new GnrsMessage.InsertResponse(
                                message.id(), GnrsMessage.noOrigin(), GnrsMessage.Code.FAILED, List.of())));
                GnrsClient client = peer.client()) {
            assertThatThrownBy(() -> client.insert(GUID, List.of(Binding.of(PLACE))))
                    .isInstanceOf(GnrsException.class)
                    .hasMessageContaining("answered FAILED to INSERT of");
        }
    }

    @Test
    void whatIsNoAnswerIsIgnored() throws Exception {
        try (Peer peer = new Peer(
                        "127.0.0.1",
                        message -> List.of(
                                // Another id, another type, a request: none of them is the answer.
                                new GnrsMessage.LookupResponse(
                                        message.id() + 1,
                                        GnrsMessage.noOrigin(),
                                        GnrsMessage.Code.SUCCESS,
                                        List.of(),
                                        List.of()),
                                new GnrsMessage.InsertResponse(
                                        message.id(), GnrsMessage.noOrigin(), GnrsMessage.Code.SUCCESS, List.of()),
                                message,
                                success(message, PLACE)));
                GnrsClient client = peer.client()) {
            assertThat(client.lookup(GUID).bindings()).containsExactly(Binding.of(PLACE));
            assertThat(client.ignored()).isEqualTo(3);
        }
    }

    @Test
    void answersFromElsewhereAreNotSeen() throws Exception {
        try (DatagramSocket stranger = new DatagramSocket(0, InetAddress.ofLiteral("127.0.0.1"));
                Peer peer = new Peer("127.0.0.1", message -> {
                    byte[] forged = success(message).write();
                    Locator asker = message.origin();
                    try {
                        // The origin of the client's first try is its own address.
                        int port = (asker.data()[4] & 0xff) << 8 | asker.data()[5] & 0xff;
                        stranger.send(new DatagramPacket(
                                forged,
                                forged.length,
                                new InetSocketAddress(InetAddress.ofLiteral("127.0.0.1"), port)));
                    } catch (IOException e) {
                        throw new AssertionError(e);
                    }
                    return List.of(success(message, PLACE));
                });
                GnrsClient client = peer.client()) {
            assertThat(client.lookup(GUID).bindings()).containsExactly(Binding.of(PLACE));
        }
    }

    @Test
    void oldServersMayAnswerAnUpdateAsAnInsert() throws Exception {
        try (Peer peer = new Peer(
                        "127.0.0.1",
                        message -> List.of(new GnrsMessage.InsertResponse(
                                message.id(), GnrsMessage.noOrigin(), GnrsMessage.Code.SUCCESS, List.of())));
                GnrsClient client = peer.client()) {
            assertThat(client.update(GUID, List.of()).outcome()).isEqualTo(Outcome.SUCCESS);
        }
    }

    /** A server that gives as much of 40 places as three times the question holds. */
    private static List<GnrsMessage> miserly(GnrsMessage message) {
        Locator[] all = IntStream.range(0, 40)
                .mapToObj(i -> new Locator(0, new byte[] {10, 0, 0, (byte) i, 0, 1}))
                .toArray(Locator[]::new);
        int room = 3 * message.write().length;
        int fit = Math.min(40, (room - 40) / 10);
        return List.of(new GnrsMessage.LookupResponse(
                message.id(),
                GnrsMessage.noOrigin(),
                GnrsMessage.Code.SUCCESS,
                List.of(all).subList(0, fit),
                List.of(GnrsOption.partial(40))));
    }

    @Test
    void whatIsMissingIsAskedForAgainWithALongerQuestion() throws Exception {
        try (Peer peer = new Peer("127.0.0.1", GnrsClientTest::miserly);
                GnrsClient client = peer.client()) {
            GnrsResponse answer = client.lookup(GUID);
            assertThat(answer.bindings()).hasSize(40);
            assertThat(answer.total()).isEqualTo(40);
            assertThat(answer.complete()).isTrue();
            assertThat(answer.datagrams()).isEqualTo(2);
        }
    }

    @Test
    void aPartIsGivenWhereTheLongerQuestionIsLost() throws Exception {
        int[] seen = {0};
        try (Peer peer = new Peer(
                        "127.0.0.1", message -> seen[0]++ == 0 ? miserly(message) : List.of());
                GnrsClient client = GnrsClient.open(peer.address(), QUICK)) {
            GnrsResponse answer = client.lookup(GUID);
            assertThat(answer.outcome()).isEqualTo(Outcome.SUCCESS);
            assertThat(answer.bindings()).isNotEmpty();
            assertThat(answer.total()).isEqualTo(40);
            assertThat(answer.complete()).isFalse();
        }
    }

    @Test
    void aBatchIsAnsweredWholeThroughLossDuplicatesAndDisorder() throws Exception {
        SplittableRandom random = new SplittableRandom(7);
        List<GnrsMessage> held = new ArrayList<>();
        int[] underWayMax = {0};
        try (Peer peer = new Peer("127.0.0.1", message -> {
                    List<GnrsMessage> answers = new ArrayList<>();
                    int fate = random.nextInt(10);
                    GnrsMessage answer = success(message, new Locator(1, ((GnrsMessage.Request) message).guid().toBytes()));
                    if (fate == 0) {
                        held.add(answer);
                    } else if (fate > 1) {
                        answers.add(answer);
                        answers.addAll(fate == 2 ? List.of(answer) : List.of());
                        answers.addAll(held);
                        held.clear();
                    }
                    return answers;
                });
                GnrsClient client = GnrsClient.open(peer.address(), new GnrsClientSettings(20, 8, 16))) {
            Set<Guid> answered = new HashSet<>();
            int[] asked = {0};
            client.batch(
                    IntStream.range(0, 3_000)
                            .mapToObj(i -> GnrsRequest.lookup(Guid.ofAscii("g" + i), false))
                            .peek(request -> underWayMax[0] =
                                    Math.max(underWayMax[0], ++asked[0] - answered.size()))
                            .iterator(),
                    answer -> {
                        assertThat(answer.outcome()).isEqualTo(Outcome.SUCCESS);
                        assertThat(answer.bindings())
                                .containsExactly(Binding.of(Locator.of(answer.request().guid())));
                        assertThat(answered.add(answer.request().guid())).isTrue();
                    });
            assertThat(answered).hasSize(3_000);
            // The stream may be one request ahead of the window.
            assertThat(underWayMax[0]).isBetween(2, 17);
        }
    }

    @Test
    void aRequestHasItsBounds() {
        List<Binding> many = Collections.nCopies(32, new Binding(PLACE, 1, 0));
        assertThatThrownBy(() -> GnrsRequest.insert(GUID, many))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("at most 31 bindings with lifetimes");
        assertThatThrownBy(() -> new GnrsClientSettings(0, 1, 1)).isInstanceOf(IllegalArgumentException.class);
    }
}
