package io.guidepost.gnrs.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.guidepost.gnrs.GnrsDoorStand;
import io.guidepost.names.Binding;
import io.guidepost.names.Guid;
import io.guidepost.names.Locator;
import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketException;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The client and the door of one house, with a real socket between them. */
class ClientAndDoorTest {
    private static final Guid GUID = Guid.ofAscii("somewhere");

    private final GnrsDoorStand stand = new GnrsDoorStand();
    private final DatagramSocket socket = open();
    private String seenAs = "127.0.0.1";
    private Thread thread = Thread.ofPlatform().unstarted(() -> {});

    private static DatagramSocket open() {
        try {
            return new DatagramSocket(0, InetAddress.ofLiteral("127.0.0.1"));
        } catch (SocketException e) {
            throw new AssertionError(e);
        }
    }

    /** Starts the door; it sees every asker under one address, as if an address translator stood between. */
    private GnrsClient client(String address) throws IOException {
        seenAs = address;
        thread = Thread.ofPlatform().start(this::serve);
        return GnrsClient.open(
                (InetSocketAddress) socket.getLocalSocketAddress(), new GnrsClientSettings(250, 6, 16));
    }

    private void serve() {
        DatagramPacket packet = new DatagramPacket(new byte[65_536], 65_536);
        try {
            while (!socket.isClosed()) {
                packet.setLength(65_536);
                socket.receive(packet);
                byte[] question = Arrays.copyOf(packet.getData(), packet.getLength());
                for (GnrsDoorStand.Answer answer : stand.ask(GnrsDoorStand.Peer.of(seenAs, packet.getPort()), question)) {
                    socket.send(new DatagramPacket(
                            answer.bytes(),
                            answer.bytes().length,
                            packet.getAddress(),
                            answer.to().port()));
                }
            }
        } catch (SocketException e) {
            // The test is over.
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    @AfterEach
    void stop() throws InterruptedException {
        socket.close();
        thread.join();
    }

    private static List<Binding> places(int from, int to, long ttlMillis) {
        return IntStream.range(from, to)
                .mapToObj(i -> new Binding(new Locator(0, new byte[] {10, 0, 0, (byte) i, 0, 1}), ttlMillis, 0))
                .toList();
    }

    @Test
    void namesComeAndGo() throws Exception {
        try (GnrsClient client = client("127.0.0.1")) {
            assertThat(client.lookup(GUID).bindings()).isEmpty();
            client.insert(GUID, places(0, 2, 30_000));
            client.insert(Guid.ofAscii("link"), List.of(Binding.of(Locator.of(GUID))));
            assertThat(client.lookup(GUID).bindings()).isEqualTo(places(0, 2, 30_000));
            assertThat(client.lookup(Guid.ofAscii("link")).bindings())
                    .containsExactly(Binding.of(Locator.of(GUID)));
            assertThat(client.lookup(Guid.ofAscii("link"), true).bindings())
                    .extracting(Binding::locator)
                    .isEqualTo(places(0, 2, 0).stream().map(Binding::locator).toList());
            client.update(GUID, List.of(Binding.of(Locator.parse("[2001:db8::1]:5001"))));
            assertThat(client.lookup(GUID).bindings())
                    .containsExactly(Binding.of(Locator.parse("[2001:db8::1]:5001")));
            client.delete(GUID);
            assertThat(client.lookup(GUID).bindings()).isEmpty();
            assertThat(client.ignored()).isZero();
        }
    }

    @Test
    void behindAddressTranslationTheOriginIsLeftOutAndLongAnswersArePaidFor() throws Exception {
        try (GnrsClient client = client("192.0.2.1")) {
            client.insert(GUID, places(0, 12, 30_000));
            GnrsResponse timed = client.lookup(GUID);
            assertThat(timed.bindings()).isEqualTo(places(0, 12, 30_000));
            assertThat(timed.complete()).isTrue();
            client.insert(GUID, places(12, 40, 30_000));
            GnrsResponse many = client.lookup(GUID);
            // From sixteen on, answers carry no times: old receivers could not read them.
            assertThat(many.bindings()).isEqualTo(places(0, 40, 0));
            assertThat(many.complete()).isTrue();
        }
    }

    @Test
    void whatBelongsElsewhereIsRefused() throws Exception {
        stand.placer = (segment, offset) -> false;
        try (GnrsClient client = client("127.0.0.1")) {
            assertThatThrownBy(() -> client.lookup(GUID)).isInstanceOf(GnrsException.class);
            assertThatThrownBy(() -> client.insert(GUID, places(0, 1, 0)))
                    .isInstanceOf(GnrsException.class)
                    .hasMessageContaining("answered FAILED to INSERT");
        }
    }
}
