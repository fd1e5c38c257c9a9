package io.guidepost.alto.proxidor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.guidepost.alto.protocol.Candidate;
import io.guidepost.alto.protocol.RankClient.Ranked;
import io.guidepost.base.Address;
import io.guidepost.proximity.ranking.Ranking;
import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.SplittableRandom;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

/** The client against the door, over sockets. */
class ProxidorClientTest {
    /** Answers each datagram on a thread of its own with those that a function makes of it. */
    private static final class Server implements AutoCloseable {
        private final DatagramSocket socket = new DatagramSocket(0, InetAddress.getLoopbackAddress());

        Server(Function<byte[], List<byte[]>> answers) throws IOException {
            Thread.ofPlatform().daemon().start(() -> serve(answers));
        }

        private void serve(Function<byte[], List<byte[]>> answers) {
            byte[] buffer = new byte[2000];
            while (true) {
                DatagramPacket packet = new DatagramPacket(buffer, buffer.length);
                try {
                    socket.receive(packet);
                    for (byte[] each : answers.apply(Arrays.copyOf(buffer, packet.getLength()))) {
                        socket.send(new DatagramPacket(each, each.length, packet.getSocketAddress()));
                    }
                } catch (IOException e) {
                    return;
                }
            }
        }

        ProxidorClient client(int millis, int attempts) throws IOException {
            InetSocketAddress address = new InetSocketAddress(InetAddress.getLoopbackAddress(), socket.getLocalPort());
            return ProxidorClient.open(address, Duration.ofMillis(millis), attempts, new Random(1));
        }

        @Override
        public void close() {
            // Its thread ends by that.
            socket.close();
        }
    }

    private final ProxidorDoorFixture stand = new ProxidorDoorFixture(true);

    private List<byte[]> answer(byte[] question) {
        return List.of(stand.ask(ProxidorDoorFixture.CUSTOMER, question));
    }

    private static double cost(Candidate candidate) {
        Ranking ranking = ProxidorDoorFixture.RANKING;
        int source = ranking.source(ranking.place(ProxidorDoorFixture.CUSTOMER.high(), ProxidorDoorFixture.CUSTOMER.low()));
        double cost = ranking.cost(source, ranking.place(candidate.block().high(), candidate.block().low()));
        return Double.isNaN(cost) ? Double.POSITIVE_INFINITY : cost;
    }

    @Test
    void ranksListsOfAnyLength() throws Exception {
        SplittableRandom random = new SplittableRandom(5);
        try (Server server = new Server(this::answer);
                ProxidorClient client = server.client(5000, 1)) {
            for (int size : new int[] {1, 2, 90, 91, 363, 364, 1000, 3000}) {
                List<Candidate> candidates = new ArrayList<>();
                for (int i = 0; i < size; i++) {
                    Address address = size % 2 == 0 ? ProxidorDoorFixture.anyIpv4(random) : ProxidorDoorFixture.anyIpv6(random);
                    candidates.add(Candidate.of(address));
                }
                List<Candidate> sorted = new ArrayList<>(candidates);
                sorted.sort(Comparator.comparingDouble(ProxidorClientTest::cost));
                Ranked ranked = client.rank(candidates, Optional.empty());
                assertThat(ranked.order()).as("%d candidates", size).isEqualTo(sorted);
                assertThat(ranked.ttlSeconds()).isEqualTo(60);
                assertThat(ranked.questions()).isLessThan(size < 90 ? 2 : 2 + size * 8 / 90);
            }
        }
    }

    @Test
    void leavesOutOfALongListWhatTheServerLeavesOut() throws Exception {
        ProxidorDoorFixture dropping = new ProxidorDoorFixture(false);
        SplittableRandom random = new SplittableRandom(6);
        try (Server server = new Server(question -> List.of(dropping.ask(ProxidorDoorFixture.CUSTOMER, question)));
                ProxidorClient client = server.client(5000, 1)) {
            List<Candidate> candidates = new ArrayList<>();
            for (int i = 0; i < 1000; i++) {
                candidates.add(Candidate.of(ProxidorDoorFixture.anyIpv4(random)));
            }
            List<Candidate> sorted = new ArrayList<>(candidates);
            sorted.removeIf(each -> cost(each) == Double.POSITIVE_INFINITY);
            sorted.sort(Comparator.comparingDouble(ProxidorClientTest::cost));
            assertThat(client.rank(candidates, Optional.empty()).order()).isEqualTo(sorted);
            Candidate unknown = Candidate.parse("198.51.100.1");
            assertThat(client.rank(List.of(unknown), Optional.empty()).order()).isEmpty();
        }
    }

    @Test
    void asksAgainAndTakesOnlyTheAnswer() throws Exception {
        int[] seen = new int[1];
        try (Server server = new Server(question -> {
                    byte[] right = stand.ask(ProxidorDoorFixture.CUSTOMER, question);
                    byte[] other = right.clone();
                    other[ProxidorWire.ID]++;
                    // The first is lost; to the second somebody else's answer and half an answer come before.
                    return seen[0]++ == 0 ? List.of() : List.of(other, Arrays.copyOf(right, 9), right);
                });
                ProxidorClient client = server.client(300, 30)) {
            List<Candidate> candidates = List.of(Candidate.parse("10.9.0.1"), Candidate.parse("10.1.0.1"));
            assertThat(client.rank(candidates, Optional.empty()).order()).isEqualTo(candidates.reversed());
            assertThat(client.strays()).isGreaterThanOrEqualTo(2);
            assertThat(client.roundTripNanos()).isPositive();
        }
    }

    @Test
    void saysWhyThereIsNoAnswer() throws Exception {
        List<Candidate> candidates = List.of(Candidate.parse("10.9.0.1"), Candidate.parse("10.1.0.1"));
        try (Server server = new Server(question -> List.of());
                ProxidorClient client = server.client(10, 2)) {
            assertThatThrownBy(() -> client.rank(candidates, Optional.empty()))
                    .hasMessageMatching("no answer from 127.0.0.1 port \\d+ within 10 ms, asked 2 times: .*");
        }
        Address nowhere = ProxidorDoorFixture.ipv4(198, 18, 0, 1);
        try (Server server = new Server(question -> List.of(stand.ask(nowhere, question)));
                ProxidorClient client = server.client(5000, 1)) {
            assertThatThrownBy(() -> client.rank(candidates, Optional.empty()))
                    .isInstanceOf(RankRefusedException.class)
                    .hasMessageEndingWith("does not rank: the server does not know where the source is attached to its network");
        }
    }
}
