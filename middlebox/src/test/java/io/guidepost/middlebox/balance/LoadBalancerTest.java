package io.guidepost.middlebox.balance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.guidepost.base.Malformed;
import io.guidepost.middlebox.BoxWire;
import io.guidepost.middlebox.Packet;
import io.guidepost.packet.ip.InterfaceAddress;
import io.guidepost.packet.ip.LinkQueue;
import io.guidepost.packet.worker.DutyCycle;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LoadBalancerTest {
    private static final String OWN = "10.0.0.5";
    private static final String SERVICE = "10.0.0.80";

    private final BoxWire wire = new BoxWire("link");
    private final List<LoadBalancer.BackEnd> all = List.of(backEnd(1, false), backEnd(2, false), backEnd(3, false));
    private final LoadBalancer balancer = new LoadBalancer(
            wire.port(), new InterfaceAddress(address(5), 24), LinkQueue.UNTAGGED, new VirtualService(6, address(80), 443), all);
    private final DutyCycle duty = balancer.duty(0);
    private long now = 10_000;

    private static int address(int host) {
        return 10 << 24 | host;
    }

    private static LoadBalancer.BackEnd backEnd(int host, boolean drains) {
        return new LoadBalancer.BackEnd(address(host), drains);
    }

    @AfterEach
    void close() {
        wire.close();
    }

    private byte[] toBalancer(byte[] frame) {
        byte[] copy = frame.clone();
        System.arraycopy(Packet.ethernet(wire.port().mac(), 0, 0, new byte[0]), 0, copy, 0, 6);
        return copy;
    }

    /** Lets so many milliseconds pass, in which some back ends answer all that they are asked, with some flags. */
    private void pass(int millis, int flags, int... answering) {
        for (int i = 0; i < millis; i += 500) {
            now += 500;
            duty.work(now);
            answer(wire.received(), flags, answering);
            duty.work(now);
            answer(wire.received(), flags, answering);
            duty.work(now);
            for (byte[] frame : wire.received()) {
                assertThat(frame[47] & 4).as("what answers a probe is reset").isEqualTo(4);
            }
        }
    }

    private void answer(List<byte[]> frames, int flags, int... answering) {
        for (byte[] frame : frames) {
            for (int each : answering) {
                String host = "10.0.0." + each;
                if (frame[13] == 6 && frame[41] == each) {
                    wire.send(Packet.arp(2, each, host, wire.port().mac(), OWN));
                } else if (frame[13] == 0 && Packet.destination(frame).equals(host) && (frame[47] & 2) != 0) {
                    assertThat(Packet.isRight(frame)).isTrue();
                    byte[] segment = Packet.tcp(host, 443, OWN, Packet.sourcePort(frame), flags);
                    System.arraycopy(frame, 38, segment, 42, 4);
                    segment[45]++;
                    wire.send(toBalancer(segment));
                }
            }
        }
    }

    /** Which back end a segment of a client goes to, 0 if to none. */
    private int ask(int client, int port) {
        return send(Packet.tcp("10.0.0." + client, port, SERVICE, 443, 2));
    }

    /** Which back end a packet for the service goes to, 0 if to none. */
    private int send(byte[] packet) {
        wire.send(toBalancer(packet));
        duty.work(now);
        // Beside it there may be questions of the balancer's own.
        List<byte[]> frames = wire.received().stream()
                .filter(each -> each[13] == 0 && Packet.destination(each).equals(SERVICE))
                .toList();
        assertThat(frames.size()).isLessThanOrEqualTo(1);
        if (frames.isEmpty()) {
            return 0;
        }
        byte[] frame = frames.getFirst();
        assertThat(Arrays.copyOfRange(frame, 12, frame.length)).as("all behind the Ethernet addresses")
                .isEqualTo(Arrays.copyOfRange(packet, 12, packet.length));
        return frame[5];
    }

    @Test
    void connectionsAreSpreadAndStayWhereTheyAre() {
        assertThat(ask(100, 1)).isZero();
        pass(3000, 0x12, 1, 2, 3);
        Map<Integer, Integer> shares = new HashMap<>();
        Map<Integer, Integer> where = new HashMap<>();
        for (int port = 1000; port < 4000; port++) {
            int to = ask(100, port);
            where.put(port, to);
            shares.merge(to, 1, Integer::sum);
        }
        assertThat(shares).containsOnlyKeys(1, 2, 3);
        assertThat(shares.values()).allSatisfy(share -> assertThat(share).isBetween(900, 1100));
        // One drains: it keeps what it has, and gets nothing new.
        balancer.publish(List.of(backEnd(1, false), backEnd(2, true), backEnd(3, false)));
        for (int port = 1000; port < 4000; port++) {
            assertThat(ask(100, port)).isEqualTo(where.get(port));
            assertThat(ask(101, port)).isNotEqualTo(2).isPositive();
        }
        // It is gone: its connections move, those of others do not.
        balancer.publish(List.of(backEnd(1, false), backEnd(3, false)));
        for (int port = 1000; port < 4000; port++) {
            int to = ask(100, port);
            assertThat(to).isNotEqualTo(2).isPositive();
            if (where.getOrDefault(port, 0) != 2) {
                assertThat(to).isEqualTo(where.get(port));
            }
        }
        assertThat(balancer.counts()).containsEntry("moved", (long) shares.getOrDefault(2, 0));
        assertThat(balancer.backEnds().getFirst().connections()).isGreaterThan(2000);
    }

    @Test
    void whoIsSilentOrRefusesGetsNothing() {
        pass(3000, 0x12, 1, 2);
        assertThat(balancer.backEnds()).extracting(LoadBalancer.Count::isUp).containsExactly(true, true, false);
        pass(6000, 0x12, 2);
        assertThat(balancer.backEnds()).extracting(LoadBalancer.Count::isUp).containsExactly(false, true, false);
        assertThat(ask(100, 1)).isEqualTo(2);
        pass(1500, 0x14, 2);
        assertThat(ask(100, 1)).isZero();
        assertThat(balancer.counts()).containsEntry("no_back_end", 1L);
    }

    /** What a router says that has dropped an answer of the service: it quotes the answer's header and its first 8 bytes. */
    private static byte[] error(int type, byte[] answer) {
        return Packet.icmp("10.0.0.1", SERVICE, type, type == 3 ? 4 : 0, 1400, Arrays.copyOfRange(answer, 14, 42));
    }

    @ParameterizedTest
    @ValueSource(ints = {3, 11, 12})
    void anErrorGoesToTheBackEndOfTheFlowThatItQuotes(int type) {
        pass(3000, 0x12, 1, 2, 3);
        Map<Integer, Integer> where = new HashMap<>();
        for (int port = 1000; port < 1030; port++) {
            where.put(port, ask(100, port));
        }
        // The one that drains keeps its connections, which the hash alone would send elsewhere.
        balancer.publish(List.of(backEnd(1, false), backEnd(2, true), backEnd(3, false)));
        for (int port = 1000; port < 1030; port++) {
            assertThat(send(error(type, Packet.tcp(SERVICE, 443, "10.0.0.100", port, 0x18)))).isEqualTo(where.get(port));
        }
        assertThat(where.values()).contains(1, 2, 3);
        assertThat(balancer.counts()).containsEntry("icmp_error", 30L);
        assertThat(balancer.backEnds().stream().mapToLong(LoadBalancer.Count::connections).sum()).isEqualTo(30);
    }

    @Test
    void anErrorAboutNoFlowOfTheServiceGoesNowhere() {
        pass(3000, 0x12, 1, 2, 3);
        byte[] options = Packet.tcp(SERVICE, 443, "10.0.0.100", 7, 0x18);
        options[14] = 0x4f;
        byte[] later = Packet.ip(SERVICE, "10.0.0.100", 6, new byte[20], 5, 64);
        for (byte[] quoted : List.of(
                Packet.tcp(SERVICE, 80, "10.0.0.100", 7, 0x18),
                Packet.tcp("10.0.0.81", 443, "10.0.0.100", 7, 0x18),
                Packet.udp(SERVICE, 443, "10.0.0.100", 7, "other"),
                options,
                later)) {
            assertThat(send(error(3, quoted))).isZero();
        }
        assertThat(send(Packet.icmp("10.0.0.1", SERVICE, 3, 4, 1400, new byte[27]))).isZero();
        assertThat(send(Packet.icmp("10.0.0.1", SERVICE, 5, 0, 0, new byte[28]))).isZero();
        assertThat(balancer.counts()).containsEntry("icmp_error", 0L);
    }

    @Test
    void fragmentsFollowTheirFirst() {
        pass(3000, 0x12, 1, 2, 3);
        Map<Integer, Integer> where = new HashMap<>();
        for (int client = 100; client < 130; client++) {
            where.put(client, ask(client, 9));
        }
        for (int client = 100; client < 130; client++) {
            byte[] segment = Arrays.copyOfRange(Packet.tcp("10.0.0." + client, 9, SERVICE, 443, 0x18), 34, 54);
            byte[] later = Packet.ip("10.0.0." + client, SERVICE, 6, new byte[24], 3, 64);
            assertThat(send(later)).as("before the first").isZero();
            assertThat(send(Packet.ip("10.0.0." + client, SERVICE, 6, Arrays.copyOf(segment, 24), 0x2000, 64)))
                    .isEqualTo(where.get(client));
            assertThat(send(later)).isEqualTo(where.get(client));
            assertThat(send(Packet.ip("10.0.0." + client, SERVICE, 17, new byte[24], 3, 64))).as("another packet").isZero();
        }
        assertThat(where.values()).contains(1, 2, 3);
        assertThat(balancer.counts()).containsEntry("fragment_unknown", 60L).containsEntry("moved", 0L);
        now += BalancerLimits.FRAGMENT_MILLIS;
        assertThat(send(Packet.ip("10.0.0.100", SERVICE, 6, new byte[24], 3, 64))).as("as much later").isZero();
    }

    @Test
    void itsAddressesAnswer() {
        wire.send(Packet.arp(1, 0x64, "10.0.0.100", 0, SERVICE));
        wire.send(toBalancer(Packet.icmp("10.0.0.100", SERVICE, 8, 0, 1, new byte[8])));
        now -= 10_000;
        duty.work(now);
        List<byte[]> frames = new ArrayList<>(wire.received());
        assertThat(frames).anySatisfy(each ->
                assertThat(each).isEqualTo(Packet.arp(2, wire.port().mac(), SERVICE, 0x64, "10.0.0.100")));
        assertThat(frames).anySatisfy(each -> assertThat(each[34]).isZero());
    }

    @Test
    void aBackEndElsewhereIsRefused() {
        assertThatThrownBy(() -> balancer.publish(List.of(new LoadBalancer.BackEnd(0x0b00_0001, false))))
                .hasMessageContaining("11.0.0.1 is not on the link of 10.0.0.5/24");
    }

    @ParameterizedTest
    @ValueSource(strings = {"10.0.0.80", "10.0.0.80:", "10.0.0.80:0", "10.0.0.80:70000", "x:80", "10.0.0.0/8:80"})
    void whatIsNoServiceIsRefused(String text) {
        assertThatThrownBy(() -> VirtualService.parse(text)).isInstanceOf(Malformed.class);
    }

    @Test
    void aServiceHasAProtocol() throws Malformed {
        assertThat(VirtualService.parse("10.0.0.80:443")).isEqualTo(new VirtualService(6, address(80), 443));
        assertThat(VirtualService.parse("udp:10.0.0.80:53")).isEqualTo(new VirtualService(17, address(80), 53));
    }

    @Test
    void fewPlacesChangeWhenABackEndComes() {
        List<LoadBalancer.BackEnd> all = new ArrayList<>();
        boolean[] ten = new boolean[11];
        boolean[] eleven = new boolean[11];
        for (int i = 0; i < 11; i++) {
            all.add(backEnd(10 + i, false));
            ten[i] = i < 10;
            eleven[i] = true;
        }
        MaglevTable before = MaglevTable.of(all, ten);
        MaglevTable after = MaglevTable.of(all, eleven);
        int[] share = new int[11];
        int moved = 0;
        for (int i = 0; i < BalancerLimits.PLACES; i++) {
            share[before.find(i)]++;
            moved += before.find(i) != after.find(i) && after.find(i) != 10 ? 1 : 0;
        }
        for (int i = 0; i < 10; i++) {
            assertThat(share[i]).isBetween(BalancerLimits.PLACES / 10 - 1, BalancerLimits.PLACES / 10 + 1);
        }
        // The paper's figure: some few of a hundred move beyond those that must.
        assertThat(moved).isLessThan(BalancerLimits.PLACES / 20);
    }
}
