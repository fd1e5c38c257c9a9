package io.guidepost.middlebox.nat;

import static org.assertj.core.api.Assertions.assertThat;

import io.guidepost.middlebox.Packet;
import io.guidepost.packet.Drop;
import io.guidepost.packet.LogCapture;
import io.guidepost.packet.ip.InterfaceAddress;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Flows that share outside ports, as their remote endpoints differ. */
class SharedPortsTest extends NatFixture {
    SharedPortsTest() {
        super(Set.of());
    }

    private void ports(int min, int max) {
        translator(min, max, 200_000, false);
        meet();
    }

    private static byte[] packet(int protocol, String source, int sourcePort, String destination, int destinationPort) {
        return protocol == Packet.UDP
                ? Packet.udp(source, sourcePort, destination, destinationPort, "data")
                : Packet.tcp(source, sourcePort, destination, destinationPort, 0x10);
    }

    private void reaches(byte[] frame, String host, int port) {
        assertThat(inward(frame)).hasSize(1).allMatch(
                each -> Packet.destination(each).equals(host) && Packet.destinationPort(each) == port);
    }

    @ParameterizedTest
    @ValueSource(ints = {Packet.UDP, Packet.TCP})
    void onePortServesEveryRemoteEndpoint(int protocol) {
        ports(4000, 4000);
        assertThat(List.of(
                        outward(packet(protocol, "10.0.0.2", 5000, "192.0.2.7", 53)),
                        outward(packet(protocol, "10.0.0.3", 5000, "192.0.2.8", 53)),
                        outward(packet(protocol, "10.0.0.3", 6000, "192.0.2.7", 54)),
                        outward(packet(protocol, "10.0.0.2", 5000, "192.0.2.8", 55))))
                .extracting(Packet::sourcePort)
                .containsOnly(4000);
        reaches(packet(protocol, "192.0.2.7", 53, OUTSIDE, 4000), "10.0.0.2", 5000);
        reaches(packet(protocol, "192.0.2.8", 53, OUTSIDE, 4000), "10.0.0.3", 5000);
        reaches(packet(protocol, "192.0.2.7", 54, OUTSIDE, 4000), "10.0.0.3", 6000);
        reaches(packet(protocol, "192.0.2.8", 55, OUTSIDE, 4000), "10.0.0.2", 5000);
        assertThat(inward(packet(protocol, "192.0.2.8", 54, OUTSIDE, 4000))).as("no flow of this port").isEmpty();
        assertThat(inward(packet(protocol, "192.0.2.9", 53, OUTSIDE, 4000))).as("no flow of this address").isEmpty();
        assertThat(nat.counts()).containsEntry("mappings", 4L).containsEntry("no_mapping", 2L);
    }

    @Test
    void anInsidePortStaysItselfWhileItIsFreeToTheDestination() {
        assertThat(Packet.sourcePort(outward(packet(Packet.TCP, "10.0.0.2", 5000, "192.0.2.7", 80)))).isEqualTo(5000);
        assertThat(Packet.sourcePort(outward(packet(Packet.TCP, "10.0.0.2", 5000, "192.0.2.8", 80)))).isEqualTo(5000);
        assertThat(Packet.sourcePort(outward(packet(Packet.TCP, "10.0.0.3", 5000, "192.0.2.7", 81)))).isEqualTo(5000);
        assertThat(Packet.sourcePort(outward(packet(Packet.TCP, "10.0.0.3", 5000, "192.0.2.7", 80)))).isNotEqualTo(5000);
    }

    @Test
    void thousandsOfFlowsPassThroughFourPorts() {
        ports(4000, 4003);
        // Packets for which the neighbours are asked: more than a few would not wait for them.
        outward(packet(Packet.UDP, "10.0.0.2", 4000, "192.0.2.7", 53));
        outward(packet(Packet.UDP, "10.0.0.3", 4001, "192.0.2.7", 53));
        reaches(packet(Packet.UDP, "192.0.2.7", 53, OUTSIDE, 4000), "10.0.0.2", 4000);
        reaches(packet(Packet.UDP, "192.0.2.7", 53, OUTSIDE, 4001), "10.0.0.3", 4001);
        int flows = 6_400;
        long shared = 0;
        for (int start = 0; start < flows; start += 32) {
            for (int i = start; i < start + 32; i++) {
                inside.sendTo(0, Packet.udp(host(i), port(i), remote(i), 53, "q"));
            }
            work();
            List<byte[]> out = outside.received();
            assertThat(out).hasSize(32);
            shared += out.stream().filter(each -> Packet.sourcePort(each) == 4000).count();
            for (int i = start; i < start + 32; i++) {
                outside.sendTo(0, Packet.udp(remote(i), 53, OUTSIDE, Packet.sourcePort(out.get(i - start)), "a"));
            }
            work();
            List<byte[]> back = inside.received();
            assertThat(back).hasSize(32);
            for (int i = start; i < start + 32; i++) {
                assertThat(Packet.destination(back.get(i - start))).isEqualTo(host(i));
                assertThat(Packet.destinationPort(back.get(i - start))).isEqualTo(port(i));
            }
        }
        assertThat(shared).isGreaterThan(640);
        assertThat(nat.counts()).containsEntry("mappings", flows + 2L).containsEntry("inward", flows + 2L);
    }

    private static String host(int flow) {
        return flow % 2 == 0 ? "10.0.0.2" : "10.0.0.3";
    }

    private static int port(int flow) {
        return 1024 + flow / 2;
    }

    /** Returns another address for each flow, all behind the gateway. */
    private static String remote(int flow) {
        return "198." + (18 + (flow >>> 16)) + "." + (flow >>> 8 & 0xff) + "." + (flow & 0xff);
    }

    @Test
    void aDestinationIsExhaustedAlone() {
        ports(4000, 4001);
        try (LogCapture log = new LogCapture(RefusalNotice.class)) {
            outward(packet(Packet.TCP, "10.0.0.2", 5000, "192.0.2.7", 80));
            outward(packet(Packet.TCP, "10.0.0.2", 5001, "192.0.2.7", 80));
            inside.sendTo(0, packet(Packet.TCP, "10.0.0.3", 5000, "192.0.2.7", 80));
            work();
            assertThat(outside.received()).isEmpty();
            byte[] error = inside.received().getFirst();
            assertThat(Packet.isRight(error)).isTrue();
            assertThat(Arrays.copyOfRange(error, 34, 36)).as("host unreachable").containsExactly(3, 1);
            assertThat(Packet.destination(error)).isEqualTo("10.0.0.3");
            assertThat(inside.port().rx(0).statistics().drops(Drop.TABLE_FULL)).isEqualTo(1);
            assertThat(nat.counts())
                    .containsEntry("destination_exhausted", 1L)
                    .containsEntry("ports_exhausted", 0L)
                    .containsEntry("table_exhausted", 0L);
            outward(packet(Packet.TCP, "10.0.0.3", 5000, "192.0.2.8", 80));
            outward(packet(Packet.TCP, "10.0.0.3", 5000, "192.0.2.7", 443));
            outward(packet(Packet.TCP, "10.0.0.2", 5001, "192.0.2.7", 80));
            assertThat(log.messages())
                    .containsExactly("no port from 4000 to 4001 was found free to a destination: new flows are refused");
        }
        now += NatLimits.TCP_TRANSITORY_MILLIS;
        sweepAll();
        assertThat(nat.counts()).containsEntry("expired", 4L);
        meet();
        outward(packet(Packet.TCP, "10.0.0.3", 5000, "192.0.2.7", 80));
    }

    @Test
    void eachReasonForARefusalIsTold() {
        NatState state = new NatState(new NatSettings(
                InterfaceAddress.parse("10.0.0.1/24"), InterfaceAddress.parse("192.0.2.1/24"), 0, 7, 8, 9,
                Set.of(NatProtocol.UDP), false), new SplittableRandom(1));
        try (LogCapture log = new LogCapture(RefusalNotice.class)) {
            state.notice(NatProtocol.UDP, NatTable.PORTS_FULL).refused(5);
            state.notice(NatProtocol.TCP, NatTable.PORTS_FULL).refused(5);
            state.notice(NatProtocol.UDP, NatTable.HOST_FULL).refused(5);
            state.notice(NatProtocol.TCP, NatTable.TABLE_FULL).refused(5);
            state.look(5);
            assertThat(log.messages()).containsExactly(
                    "no port from 7 to 8 was found free: new flows are refused",
                    "no port from 7 to 8 was found free to a destination: new flows are refused",
                    "an inside host has its 9 mappings: new flows are refused",
                    "a protocol that shares ports has its 262144 mappings: new flows are refused");
            state.look(4 + NatLimits.NOTICE_MILLIS);
            assertThat(log.messages()).hasSize(4);
            state.look(5 + NatLimits.NOTICE_MILLIS);
            assertThat(log.messages()).hasSize(8);
        }
    }

    @Test
    void aHostHasItsPartOfSharedPortsToo() {
        translator(4000, 4001, 2, true);
        meet();
        int port = Packet.sourcePort(outward(packet(Packet.UDP, "10.0.0.2", 5000, "192.0.2.7", 80)));
        reaches(packet(Packet.UDP, "192.0.2.7", 80, OUTSIDE, port), "10.0.0.2", 5000);
        outward(packet(Packet.TCP, "10.0.0.2", 5000, "192.0.2.8", 80));
        inside.sendTo(0, packet(Packet.TCP, "10.0.0.2", 5000, "192.0.2.7", 81));
        work();
        assertThat(outside.received()).isEmpty();
        assertThat(nat.counts()).containsEntry("host_exhausted", 1L);
        outward(packet(Packet.TCP, "10.0.0.3", 5000, "192.0.2.7", 81));
    }

    @Test
    void anErrorReachesTheFlowThatItQuotes() {
        ports(4000, 4000);
        byte[] one = outward(packet(Packet.UDP, "10.0.0.2", 5000, "192.0.2.7", 53));
        byte[] two = outward(packet(Packet.UDP, "10.0.0.3", 6000, "192.0.2.8", 53));
        for (boolean isOne : new boolean[] {false, true}) {
            byte[] each = isOne ? one : two;
            byte[] error = inward(Packet.icmp("192.0.2.9", OUTSIDE, 3, 3, 0, Arrays.copyOfRange(each, 14, 42))).getFirst();
            assertThat(Packet.destination(error)).isEqualTo(isOne ? "10.0.0.2" : "10.0.0.3");
            byte[] quoted = Packet.ethernet(0, 0, 0x800, Arrays.copyOfRange(error, 42, 70));
            assertThat(Packet.source(quoted)).isEqualTo(isOne ? "10.0.0.2" : "10.0.0.3");
            assertThat(Packet.sourcePort(quoted)).isEqualTo(isOne ? 5000 : 6000);
        }
        byte[] stranger = Packet.udp(OUTSIDE, 4000, "192.0.2.9", 53, "never sent");
        assertThat(inward(Packet.icmp("192.0.2.9", OUTSIDE, 3, 3, 0, Arrays.copyOfRange(stranger, 14, 42)))).isEmpty();
        assertThat(nat.counts()).containsEntry("no_mapping", 1L).containsEntry("errors", 2L);
    }

    @Test
    void anErrorOfTheInsideQuotesTheSharedPort() {
        ports(4000, 4000);
        outward(packet(Packet.UDP, "10.0.0.2", 5000, "192.0.2.7", 53));
        outward(packet(Packet.UDP, "10.0.0.3", 5000, "192.0.2.8", 53));
        byte[] answer = inward(packet(Packet.UDP, "192.0.2.8", 53, OUTSIDE, 4000)).getFirst();
        byte[] error = outward(Packet.icmp("10.0.0.3", "192.0.2.8", 3, 3, 0, Arrays.copyOfRange(answer, 14, 42)));
        byte[] quoted = Packet.ethernet(0, 0, 0x800, Arrays.copyOfRange(error, 42, 70));
        assertThat(Packet.source(error)).isEqualTo(OUTSIDE);
        assertThat(Packet.destination(quoted)).isEqualTo(OUTSIDE);
        assertThat(Packet.destinationPort(quoted)).isEqualTo(4000);
        byte[] stranger = Packet.udp("192.0.2.7", 53, "10.0.0.3", 5000, "of the other flow");
        inside.sendTo(0, Packet.icmp("10.0.0.3", "192.0.2.7", 3, 3, 0, Arrays.copyOfRange(stranger, 14, 42)));
        work();
        assertThat(outside.received()).isEmpty();
        assertThat(nat.counts()).containsEntry("no_mapping", 1L);
    }

    @Test
    void identifiersOfEchoAreSharedToo() {
        ports(7, 7);
        for (int i = 0; i < 2; i++) {
            byte[] out = outward(Packet.icmp("10.0.0." + (2 + i), "192.0.2." + (7 + i), 8, 0, 0x1234_0001 + (i << 16), new byte[4]));
            assertThat(Arrays.copyOfRange(out, 38, 40)).containsExactly(0, 7);
        }
        for (int i = 1; i >= 0; i--) {
            byte[] back = inward(Packet.icmp("192.0.2." + (7 + i), OUTSIDE, 0, 0, 7 << 16 | 1, new byte[4])).getFirst();
            assertThat(Packet.destination(back)).isEqualTo("10.0.0." + (2 + i));
            assertThat(Arrays.copyOfRange(back, 38, 40)).containsExactly(0x12, 0x34 + i);
        }
        assertThat(inward(Packet.icmp("192.0.2.9", OUTSIDE, 0, 0, 7 << 16 | 1, new byte[4]))).isEmpty();
        byte[] refused = Packet.icmp("10.0.0.3", "192.0.2.7", 8, 0, 0x4321_0001, new byte[4]);
        inside.sendTo(0, refused);
        work();
        assertThat(outside.received()).isEmpty();
        assertThat(nat.counts()).containsEntry("destination_exhausted", 1L);
    }

    @Test
    void fragmentsInAnyOrderFollowTheirFirst() {
        ports(4000, 4000);
        outward(packet(Packet.UDP, "10.0.0.2", 5000, "192.0.2.7", 53));
        outward(packet(Packet.UDP, "10.0.0.3", 5000, "192.0.2.8", 53));
        for (String server : List.of("192.0.2.8", "192.0.2.7")) {
            outside.sendTo(0, Packet.ip(server, OUTSIDE, Packet.UDP, new byte[8], 4, 64));
        }
        work();
        assertThat(inside.received()).isEmpty();
        for (String server : List.of("192.0.2.7", "192.0.2.8")) {
            byte[] whole = Packet.udp(server, 53, OUTSIDE, 4000, "a".repeat(32));
            outside.sendTo(0, Packet.ip(server, OUTSIDE, Packet.UDP, Arrays.copyOfRange(whole, 34, 66), 0x2000, 64));
            work();
            assertThat(inside.received()).hasSize(2).allMatch(each ->
                    Packet.source(each).equals(server)
                            && Packet.destination(each).equals(server.equals("192.0.2.7") ? "10.0.0.2" : "10.0.0.3"));
        }
    }

    @Test
    void aResetEndsItsOwnConnectionAlone() {
        ports(4000, 4000);
        for (int server = 7; server < 9; server++) {
            String address = "192.0.2." + server;
            outward(Packet.tcp("10.0.0.2", 5000, address, 80, 2, 100 * server, 0));
            inward(Packet.tcp(address, 80, OUTSIDE, 4000, 0x12, 1000 * server, 100 * server + 1));
            outward(Packet.tcp("10.0.0.2", 5000, address, 80, 0x10, 100 * server + 1, 1000 * server + 1));
        }
        inward(Packet.tcp("192.0.2.8", 80, OUTSIDE, 4000, 0x14, 7001, 801));
        inward(Packet.tcp("192.0.2.7", 80, OUTSIDE, 4000, 0x14, 7001, 701));
        now += NatLimits.TCP_TRANSITORY_MILLIS;
        meet();
        assertThat(inward(Packet.tcp("192.0.2.7", 80, OUTSIDE, 4000, 0x10, 7001, 701))).as("reset").isEmpty();
        reaches(Packet.tcp("192.0.2.8", 80, OUTSIDE, 4000, 0x10, 8001, 801), "10.0.0.2", 5000);
    }

    @Test
    void aMappingKnowsNothingOfTheOneWhoseNumberItGets() {
        ports(4000, 4000);
        outward(Packet.tcp("10.0.0.2", 5000, "192.0.2.7", 80, 2, 2_000_000_000, 0));
        inward(Packet.tcp("192.0.2.7", 80, OUTSIDE, 4000, 0x12, 7000, 2_000_000_001));
        now += NatLimits.TCP_MILLIS;
        sweepAll();
        meet();
        outward(Packet.tcp("10.0.0.3", 6000, "192.0.2.8", 80, 0x10, 500, 5));
        inward(Packet.tcp("192.0.2.8", 80, OUTSIDE, 4000, 0x12, 9000, 500));
        now += NatLimits.TCP_TRANSITORY_MILLIS;
        meet();
        reaches(Packet.tcp("192.0.2.8", 80, OUTSIDE, 4000, 0x10, 9001, 500), "10.0.0.3", 6000);
    }

    @Test
    void twoHostsReachEachOtherByTheirOutsideEndpoints() {
        inside.sendTo(0, packet(Packet.UDP, "10.0.0.2", 5000, OUTSIDE, 6000));
        work();
        assertThat(inside.received()).as("the other has sent nothing yet").isEmpty();
        inside.sendTo(0, packet(Packet.UDP, "10.0.0.3", 6000, OUTSIDE, 5000));
        work();
        assertThat(inside.received()).hasSize(1).allMatch(each -> Packet.isRight(each)
                && Packet.source(each).equals(OUTSIDE)
                && Packet.sourcePort(each) == 6000
                && Packet.destination(each).equals("10.0.0.2")
                && Packet.destinationPort(each) == 5000);
        inside.sendTo(0, packet(Packet.UDP, "10.0.0.2", 5000, OUTSIDE, 6000));
        work();
        assertThat(inside.received()).hasSize(1).allMatch(each -> Packet.destination(each).equals("10.0.0.3"));
        assertThat(nat.counts()).containsEntry("hairpin", 2L);
    }
}
