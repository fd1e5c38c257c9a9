package io.guidepost.middlebox.nat;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.guidepost.middlebox.Packet;
import io.guidepost.packet.Drop;
import io.guidepost.packet.LogCapture;
import io.guidepost.packet.ip.InterfaceAddress;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class NatTest extends NatFixture {
    NatTest() {
        super(NatSettings.ENDPOINT_INDEPENDENT);
    }

    @ParameterizedTest
    @ValueSource(ints = {Packet.UDP, Packet.TCP})
    void aQuestionLeavesAndItsAnswerComesBack(int protocol) {
        byte[] out = outward(protocol == Packet.UDP
                ? Packet.udp("10.0.0.2", 5000, "192.0.2.7", 53, "question")
                : Packet.tcp("10.0.0.2", 5000, "192.0.2.7", 53, 2));
        assertThat(Arrays.copyOf(out, 12)).isEqualTo(
                Arrays.copyOf(Packet.ethernet(SERVER, outside.port().mac(), 0, new byte[0]), 12));
        assertThat(Packet.source(out)).isEqualTo(OUTSIDE);
        assertThat(Packet.destination(out)).isEqualTo("192.0.2.7");
        assertThat(out[22]).isEqualTo((byte) 63);
        int port = Packet.sourcePort(out);
        assertThat(port).isEqualTo(5000);
        List<byte[]> back = inward(protocol == Packet.UDP
                ? Packet.udp("192.0.2.7", 53, OUTSIDE, port, "answer")
                : Packet.tcp("192.0.2.7", 53, OUTSIDE, port, 0x12));
        assertThat(back).hasSize(1);
        assertThat(Packet.destination(back.getFirst())).isEqualTo("10.0.0.2");
        assertThat(Packet.destinationPort(back.getFirst())).isEqualTo(5000);
        assertThat(Arrays.copyOf(back.getFirst(), 12)).isEqualTo(
                Arrays.copyOf(Packet.ethernet(HOST, inside.port().mac(), 0, new byte[0]), 12));
    }

    /** What a kernel leaves to a device passes so, and is right once the device has completed it. */
    @ParameterizedTest
    @ValueSource(ints = {Packet.UDP, Packet.TCP})
    void aPartialChecksumStaysPartial(int protocol) {
        int met = Packet.sourcePort(outward(Packet.udp("10.0.0.2", 4999, "192.0.2.7", 53, "q")));
        assertThat(inward(Packet.udp("192.0.2.7", 53, OUTSIDE, met, "a"))).hasSize(1);
        for (int i = 0; i < 300; i++) {
            int from = 5000 + 101 * i;
            String text = "question".substring(0, i % 9) + i;
            inside.sendPartial(to(inside.port().mac(), protocol == Packet.UDP
                    ? Packet.udp("10.0.0.2", from, "192.0.2.7", 53, text)
                    : Packet.tcp("10.0.0.2", from, "192.0.2.7", 53, 2)));
            duty.work(now);
            byte[] out = outside.completed().getFirst();
            assertThat(Packet.isRight(out)).isTrue();
            assertThat(Packet.source(out)).isEqualTo(OUTSIDE);
            int port = Packet.sourcePort(out);
            outside.sendPartial(to(outside.port().mac(), protocol == Packet.UDP
                    ? Packet.udp("192.0.2.7", 53, OUTSIDE, port, text)
                    : Packet.tcp("192.0.2.7", 53, OUTSIDE, port, 0x12)));
            duty.work(now);
            byte[] back = inside.completed().getFirst();
            assertThat(Packet.isRight(back)).isTrue();
            assertThat(Packet.destination(back)).isEqualTo("10.0.0.2");
            assertThat(Packet.destinationPort(back)).isEqualTo(from);
        }
    }

    @Test
    void theMappingDoesNotDependOnThePeerAndTwoHostsDoNotShareOne() {
        int first = Packet.sourcePort(outward(Packet.udp("10.0.0.2", 5000, "192.0.2.7", 53, "q")));
        assertThat(Packet.sourcePort(outward(Packet.udp("10.0.0.2", 5000, "192.0.2.8", 99, "q")))).isEqualTo(first);
        int second = Packet.sourcePort(outward(Packet.udp("10.0.0.3", 5000, "192.0.2.7", 53, "q")));
        assertThat(second).isNotEqualTo(first);
        assertThat(Packet.destination(inward(Packet.udp("192.0.2.8", 1, OUTSIDE, second, "a")).getFirst()))
                .isEqualTo("10.0.0.3");
        assertThat(nat.counts()).containsEntry("mappings", 2L);
    }

    @Test
    void aRoundCountsWhatCame() {
        int port = Packet.sourcePort(outward(Packet.udp("10.0.0.2", 5000, "192.0.2.7", 53, "q")));
        inward(Packet.udp("192.0.2.7", 53, OUTSIDE, port, "a"));
        assertThat(duty.work(now)).isZero();
        inside.sendTo(0, Packet.udp("10.0.0.2", 5000, "192.0.2.7", 53, "q"));
        assertThat(duty.work(now)).isEqualTo(1);
        outside.sendTo(0, Packet.udp("192.0.2.7", 53, OUTSIDE, port, "a"));
        assertThat(duty.work(now)).isEqualTo(1);
    }

    @Test
    void noChecksumStaysNone() {
        byte[] question = Packet.udp("10.0.0.2", 5000, "192.0.2.7", 53, "question");
        question[40] = 0;
        question[41] = 0;
        byte[] out = outward(question);
        assertThat(out[40]).isZero();
        assertThat(out[41]).isZero();
    }

    @Test
    void aBrokenChecksumIsNotMended() {
        byte[] question = Packet.udp("10.0.0.2", 5000, "192.0.2.7", 53, "question");
        question[45] ^= 1;
        inside.send(to(inside.port().mac(), question));
        work();
        assertThat(Packet.isRight(outside.received().getFirst())).isFalse();
    }

    @Test
    void filteringByAddressLetsOnlyThoseInThatWereSpokenTo() {
        translator(1024, 65535, 65_536, true);
        meet();
        int port = Packet.sourcePort(outward(Packet.udp("10.0.0.2", 5000, "192.0.2.7", 53, "q")));
        assertThat(inward(Packet.udp("192.0.2.8", 53, OUTSIDE, port, "a"))).isEmpty();
        assertThat(nat.counts()).containsEntry("filtered", 1L);
        assertThat(inward(Packet.udp("192.0.2.7", 99, OUTSIDE, port, "a"))).hasSize(1);
    }

    @Test
    void whoSpeaksToAMappingFromTheInsideComesBackIn() {
        int port = Packet.sourcePort(outward(Packet.udp("10.0.0.2", 5000, "192.0.2.7", 53, "q")));
        inside.send(to(inside.port().mac(), Packet.udp("10.0.0.3", 6000, OUTSIDE, port, "hello")));
        work();
        List<byte[]> frames = inside.received();
        assertThat(frames).hasSize(1);
        assertThat(Packet.isRight(frames.getFirst())).isTrue();
        assertThat(Packet.source(frames.getFirst())).isEqualTo(OUTSIDE);
        assertThat(Packet.sourcePort(frames.getFirst())).isEqualTo(6000);
        assertThat(Packet.destination(frames.getFirst())).isEqualTo("10.0.0.2");
        assertThat(Packet.destinationPort(frames.getFirst())).isEqualTo(5000);
    }

    @Test
    void echoPassesAndIsAnsweredForItsOwnAddresses() {
        byte[] out = outward(Packet.icmp("10.0.0.2", "192.0.2.7", 8, 0, 0x1234_0001, "ping".getBytes(
                java.nio.charset.StandardCharsets.US_ASCII)));
        int identifier = (out[38] & 0xff) << 8 | out[39] & 0xff;
        List<byte[]> back = inward(Packet.icmp("192.0.2.7", OUTSIDE, 0, 0, identifier << 16 | 1, new byte[4]));
        assertThat(back.getFirst()[38] & 0xff).isEqualTo(0x12);
        assertThat(Packet.destination(back.getFirst())).isEqualTo("10.0.0.2");
        outside.send(to(outside.port().mac(), Packet.icmp("192.0.2.7", OUTSIDE, 8, 0, 7, new byte[4])));
        inside.send(to(inside.port().mac(), Packet.icmp("10.0.0.2", "10.0.0.1", 8, 0, 7, new byte[4])));
        work();
        for (byte[] answer : List.of(outside.received().getFirst(), inside.received().getFirst())) {
            assertThat(Packet.isRight(answer)).isTrue();
            assertThat(answer[34]).isZero();
        }
    }

    @Test
    void errorsAreTranslatedWithThePacketInThem() {
        byte[] out = outward(Packet.udp("10.0.0.2", 500, "192.0.2.7", 53, "question"));
        byte[] quoted = Arrays.copyOfRange(out, 14, 14 + 28);
        List<byte[]> back = inward(Packet.icmp("192.0.2.8", OUTSIDE, 3, 3, 0, quoted));
        assertThat(back).hasSize(1);
        byte[] inner = Packet.ethernet(0, 0, 0x800, Arrays.copyOfRange(back.getFirst(), 42, 70));
        assertThat(Packet.source(inner)).isEqualTo("10.0.0.2");
        assertThat(Packet.sourcePort(inner)).isEqualTo(500);
        assertThat(Packet.checksum(Arrays.copyOfRange(inner, 14, 34))).isZero();
        byte[] original = Packet.udp("10.0.0.2", 500, "192.0.2.7", 53, "question");
        assertThat(Arrays.copyOfRange(inner, 34, 42)).isEqualTo(Arrays.copyOfRange(original, 34, 42));
        // And the other way: the inside says that nobody listens.
        List<byte[]> answer = inward(Packet.udp("192.0.2.7", 53, OUTSIDE, Packet.sourcePort(out), "answer"));
        byte[] error = outward(Packet.icmp(
                "10.0.0.2", "192.0.2.7", 3, 3, 0, Arrays.copyOfRange(answer.getFirst(), 14, 14 + 28)));
        byte[] told = Packet.ethernet(0, 0, 0x800, Arrays.copyOfRange(error, 42, 70));
        assertThat(Packet.source(error)).isEqualTo(OUTSIDE);
        assertThat(Packet.destination(told)).isEqualTo(OUTSIDE);
        assertThat(Packet.destinationPort(told)).isEqualTo(Packet.sourcePort(out));
        assertThat(Packet.checksum(Arrays.copyOfRange(told, 14, 34))).isZero();
    }

    @Test
    void portsEndAndComeBackWithTime() {
        translator(4000, 4009, 65_536, false);
        meet();
        for (int i = 0; i < 10; i++) {
            outward(Packet.udp("10.0.0.2", 6000 + i, "192.0.2.7", 53, "q"));
        }
        inside.send(to(inside.port().mac(), Packet.udp("10.0.0.2", 7000, "192.0.2.7", 53, "q")));
        work();
        assertThat(outside.received()).isEmpty();
        assertThat(nat.counts()).containsEntry("ports_exhausted", 1L);
        assertThat(inside.port().rx(0).statistics().drops(Drop.TABLE_FULL)).isEqualTo(1);
        assertThat(inside.received()).as("host unreachable").hasSize(1);
        now += NatLimits.UDP_MILLIS;
        sweepAll();
        assertThat(nat.counts()).containsEntry("expired", 10L);
        meet();
        outward(Packet.udp("10.0.0.2", 7000, "192.0.2.7", 53, "q"));
    }

    @Test
    void aHostDoesNotTakeThePortsOfOthers() {
        translator(4000, 4009, 4, false);
        meet();
        try (LogCapture log = new LogCapture(RefusalNotice.class)) {
            for (int i = 0; i < 4; i++) {
                outward(Packet.udp("10.0.0.2", 6000 + i, "192.0.2.7", 53, "q"));
            }
            inside.send(to(inside.port().mac(), Packet.udp("10.0.0.2", 7000, "192.0.2.7", 53, "q")));
            work();
            assertThat(outside.received()).isEmpty();
            byte[] error = inside.received().getFirst();
            assertThat(Packet.isRight(error)).isTrue();
            assertThat(Arrays.copyOfRange(error, 34, 36)).as("host unreachable").containsExactly(3, 1);
            assertThat(Packet.destination(error)).isEqualTo("10.0.0.2");
            assertThat(nat.counts()).containsEntry("host_exhausted", 1L).containsEntry("ports_exhausted", 0L);
            outward(Packet.udp("10.0.0.3", 7000, "192.0.2.7", 53, "q"));
            outward(Packet.udp("10.0.0.2", 6000, "192.0.2.7", 53, "what is there goes on"));
            assertThat(log.messages()).containsExactly("an inside host has its 4 mappings: new flows are refused");
            now += NatLimits.NOTICE_MILLIS;
            work();
            work();
            assertThat(log.messages()).hasSize(2).last().asString()
                    .isEqualTo("for 60 s no flow was refused because an inside host has its 4 mappings");
        }
        now += NatLimits.UDP_MILLIS;
        sweepAll();
        meet();
        outward(Packet.udp("10.0.0.2", 7000, "192.0.2.7", 53, "q"));
    }

    @Test
    void fragmentsThatComeBeforeTheirFirstWaitForIt() {
        int port = Packet.sourcePort(outward(Packet.udp("10.0.0.2", 5000, "192.0.2.7", 53, "q")));
        byte[] whole = Packet.udp("192.0.2.7", 53, OUTSIDE, port, "a".repeat(64));
        byte[] data = Arrays.copyOfRange(whole, 34, whole.length);
        outside.send(
                to(outside.port().mac(), Packet.ip("192.0.2.7", OUTSIDE, Packet.UDP, Arrays.copyOfRange(data, 64, 72), 8, 64)),
                to(outside.port().mac(), Packet.ip("192.0.2.7", OUTSIDE, Packet.UDP, Arrays.copyOfRange(data, 32, 64), 0x2004, 64)));
        work();
        assertThat(inside.received()).isEmpty();
        assertThat(duty.restNanos()).as("another worker may have the first").isLessThanOrEqualTo(1_000_000);
        outside.send(to(outside.port().mac(), Packet.ip("192.0.2.7", OUTSIDE, Packet.UDP, Arrays.copyOf(data, 32), 0x2000, 64)));
        work();
        List<byte[]> parts = inside.received();
        assertThat(parts).hasSize(3).allMatch(each -> Packet.destination(each).equals("10.0.0.2"));
        byte[] together = new byte[72];
        for (byte[] each : parts) {
            int at = ((each[20] & 0x1f) << 8 | each[21] & 0xff) << 3;
            System.arraycopy(each, 34, together, at, ((each[16] & 0xff) << 8 | each[17] & 0xff) - 20);
        }
        assertThat(Packet.transportChecksum("192.0.2.7", "10.0.0.2", Packet.UDP, together)).isZero();
        assertThat(nat.counts()).containsEntry("fragments_held", 2L).containsEntry("fragment_unknown", 0L);
        assertThat(duty.restNanos()).isGreaterThan(1_000_000);
    }

    @Test
    void noMoreFragmentsWaitThanThereIsRoomFor() {
        outward(Packet.udp("10.0.0.2", 5000, "192.0.2.7", 53, "q"));
        for (int i = 0; i < NatLimits.HELD_FRAGMENTS + 3; i++) {
            outside.send(to(outside.port().mac(), Packet.ip("192.0.2.7", OUTSIDE, Packet.UDP, new byte[8], 8 + i, 64)));
            work();
        }
        assertThat(nat.counts()).containsEntry("fragments_held", 64L).containsEntry("fragment_unknown", 3L);
        now += NatLimits.HELD_MILLIS;
        work();
        assertThat(nat.counts()).containsEntry("fragment_unknown", 67L);
        assertThat(outside.port().rx(0).statistics().drops(Drop.NOT_OURS)).isEqualTo(67);
    }

    @Test
    void laterFragmentsFollowTheirFirst() {
        int port = Packet.sourcePort(outward(Packet.udp("10.0.0.2", 5000, "192.0.2.7", 53, "q")));
        byte[] whole = Packet.udp("192.0.2.7", 53, OUTSIDE, port, "a".repeat(64));
        byte[] data = Arrays.copyOfRange(whole, 34, whole.length);
        byte[] later = Packet.ip("192.0.2.7", OUTSIDE, Packet.UDP, Arrays.copyOfRange(data, 32, 72), 4, 64);
        outside.send(
                to(outside.port().mac(), Packet.ip("192.0.2.7", OUTSIDE, Packet.UDP, Arrays.copyOf(data, 32), 0x2000, 64)),
                to(outside.port().mac(), later));
        work();
        List<byte[]> parts = inside.received();
        assertThat(parts).hasSize(2).allMatch(each -> Packet.destination(each).equals("10.0.0.2"));
        byte[] together = new byte[72];
        System.arraycopy(parts.get(0), 34, together, 0, 32);
        System.arraycopy(parts.get(1), 34, together, 32, 40);
        assertThat(Packet.transportChecksum("192.0.2.7", "10.0.0.2", Packet.UDP, together)).isZero();
    }

    @Test
    void whoseLifeIsOverIsTold() {
        byte[] question = Packet.ip("10.0.0.2", "192.0.2.7", Packet.UDP, new byte[] {19, -120, 0, 53, 0, 8, 0, 0}, 0, 1);
        inside.send(to(inside.port().mac(), question));
        work();
        assertThat(outside.received()).isEmpty();
        byte[] error = inside.received().getFirst();
        assertThat(Packet.isRight(error)).isTrue();
        assertThat(error[34]).isEqualTo((byte) 11);
        assertThat(Packet.source(error)).isEqualTo("10.0.0.1");
        assertThat(Arrays.copyOfRange(error, 42, 70)).isEqualTo(Arrays.copyOfRange(question, 14, 42));
    }

    @Test
    void aNextHopThatIsNotKnownIsAskedForAndThePacketWaits() {
        inside.send(to(inside.port().mac(), Packet.udp("10.0.0.2", 5000, "192.0.2.55", 53, "q")));
        work();
        List<byte[]> asked = outside.received();
        assertThat(asked).hasSize(1);
        assertThat(asked.getFirst()).containsExactly(
                Packet.arp(1, outside.port().mac(), OUTSIDE, 0, "192.0.2.55"));
        outside.send(Packet.arp(2, SERVER, "192.0.2.55", outside.port().mac(), OUTSIDE));
        work();
        assertThat(outside.received()).hasSize(1).allMatch(each -> Packet.destination(each).equals("192.0.2.55"));
        inside.send(to(inside.port().mac(), Packet.udp("10.0.0.2", 5000, "192.0.2.56", 53, "q")));
        work();
        now += 10_000;
        work();
        assertThat(outside.port().tx(0).statistics().drops(Drop.UNREACHABLE)).isEqualTo(1);
    }

    private static NatSettings settings(String in, String out, int min, int max, int hostMax) {
        return new NatSettings(
                InterfaceAddress.parse(in), InterfaceAddress.parse(out), 0, min, max, hostMax, NatSettings.ENDPOINT_INDEPENDENT, false);
    }

    @Test
    void settingsThatCannotBeAreRefused() {
        assertThat(settings("10.0.0.1/24", "192.0.2.1/24", 1, 0xffff, 1).gateways()).isEmpty();
        assertThat(settings("10.0.0.1/24", "192.0.2.1/24", 7, 7, 1).portMax()).isEqualTo(7);
        List<Callable<NatSettings>> wrong = List.of(
                () -> settings("10.0.0.1/24", "192.0.2.1/24", 0, 7, 1),
                () -> settings("10.0.0.1/24", "192.0.2.1/24", 1, 0x1_0000, 1),
                () -> settings("10.0.0.1/24", "192.0.2.1/24", 8, 7, 1),
                () -> settings("10.0.0.1/24", "192.0.2.1/24", 1, 7, 0),
                () -> settings("fd00::1/64", "192.0.2.1/24", 1, 7, 1),
                () -> settings("10.0.0.1/24", "fd00::1/64", 1, 7, 1),
                () -> settings("10.0.0.1/8", "10.1.0.1/24", 1, 7, 1),
                () -> settings("10.1.0.1/24", "10.0.0.1/8", 1, 7, 1));
        for (Callable<NatSettings> each : wrong) {
            assertThatThrownBy(each::call).isInstanceOf(IllegalArgumentException.class);
        }
    }

    private void count(String what, int number) {
        assertThat(nat.counts()).containsEntry(what, (long) number);
    }

    @Test
    void whatCannotBeTranslatedIsDropped() {
        int port = Packet.sourcePort(outward(Packet.udp("10.0.0.2", 5000, "192.0.2.7", 53, "q")));
        inside.sendTo(0,
                Packet.ip("10.0.0.2", "192.0.2.7", 47, new byte[8]),
                Packet.icmp("10.0.0.2", "192.0.2.7", 13, 0, 7, new byte[12]));
        outside.sendTo(0,
                Packet.ip("192.0.2.7", OUTSIDE, 47, new byte[8]),
                Packet.icmp("192.0.2.7", OUTSIDE, 13, 0, 7, new byte[12]));
        work();
        count("unsupported", 4);
        inside.sendTo(0,
                Packet.udp("10.0.1.2", 5000, "192.0.2.7", 53, "of another network"),
                Packet.udp("10.0.0.2", 5000, "10.0.0.255", 53, "to all"),
                Packet.udp("10.0.0.2", 5000, "10.0.0.1", 53, "to the translator"),
                Packet.icmp("10.0.0.3", OUTSIDE, 3, 3, 0, new byte[28]));
        outside.sendTo(0,
                Packet.udp("192.0.2.7", 53, "192.0.2.2", port, "to another"),
                Packet.udp("192.0.2.7", 53, OUTSIDE, port + 1, "to no mapping"));
        work();
        count("not_inside", 2);
        count("unsupported", 4);
        count("no_mapping", 1);
        count("outward", 1);
        assertThat(inside.received()).isEmpty();
        assertThat(outside.received()).isEmpty();
        assertThat(inside.port().rx(0).statistics().drops(Drop.NOT_OURS)).isEqualTo(6);
        assertThat(outside.port().rx(0).statistics().drops(Drop.NOT_OURS)).isEqualTo(4);
    }

    @ParameterizedTest
    @ValueSource(ints = {Packet.UDP, Packet.TCP, Packet.ICMP})
    void whatAnErrorQuotesIsThePacketAsItWasSent(int protocol) {
        byte[] sent = switch (protocol) {
            case Packet.UDP -> Packet.udp("10.0.0.2", 500, "192.0.2.7", 53, "question");
            case Packet.TCP -> Packet.tcp("10.0.0.2", 500, "192.0.2.7", 53, 2);
            default -> Packet.icmp("10.0.0.2", "192.0.2.7", 8, 0, 500 << 16 | 1, new byte[4]);
        };
        byte[] out = outward(sent);
        for (int type : new int[] {3, 11, 12}) {
            for (int quoted : protocol == Packet.TCP ? new int[] {40, 38, 28} : new int[] {28}) {
                byte[] back = inward(Packet.icmp("192.0.2.8", OUTSIDE, type, 0, 0, Arrays.copyOfRange(out, 14, 14 + quoted))).getFirst();
                assertThat(Packet.destination(back)).isEqualTo("10.0.0.2");
                assertThat(Arrays.copyOfRange(back, 42 + 12, 42 + 28)).isEqualTo(Arrays.copyOfRange(sent, 14 + 12, 14 + 28));
                assertThat(Arrays.copyOfRange(back, 42 + 28, 42 + quoted)).isEqualTo(Arrays.copyOfRange(sent, 14 + 28, 14 + quoted));
            }
        }
    }

    @Test
    void whatStandsBehindAnErrorStaysAsItIs() {
        byte[] out = outward(Packet.tcp("10.0.0.2", 500, "192.0.2.7", 53, 2));
        byte[] error = Packet.icmp("192.0.2.8", OUTSIDE, 3, 3, 0, Arrays.copyOfRange(out, 14, 42));
        byte[] back = inward(Arrays.copyOf(error, 70 + 12)).getFirst();
        assertThat(Arrays.copyOfRange(back, 70, back.length)).as("no checksum is quoted").isEqualTo(new byte[12]);
    }

    @Test
    void anErrorWithoutAWholeHeaderIsRefused() {
        byte[] out = outward(Packet.udp("10.0.0.2", 500, "192.0.2.7", 53, "question"));
        byte[] quoted = Arrays.copyOfRange(out, 14, 14 + 28);
        int refused = 0;
        for (int bytes = 0; bytes < 28; bytes++) {
            assertThat(inward(Packet.icmp("192.0.2.8", OUTSIDE, 3, 3, 0, Arrays.copyOf(quoted, bytes)))).isEmpty();
            count("unsupported", ++refused);
        }
        // Version, length of the header, offset of the fragment, protocol, and source address.
        for (int[] change : new int[][] {{0, 0x65}, {0, 0x44}, {0, 0x46}, {7, 1}, {6, 1}, {9, 47}, {15, 9}}) {
            byte[] wrong = quoted.clone();
            wrong[change[0]] = (byte) change[1];
            assertThat(inward(Packet.icmp("192.0.2.8", OUTSIDE, 3, 3, 0, wrong))).as(Arrays.toString(change)).isEmpty();
            count("unsupported", ++refused);
        }
        byte[] broken = Packet.icmp("192.0.2.8", OUTSIDE, 3, 3, 0, quoted);
        broken[36] ^= 1;
        assertThat(inward(broken)).isEmpty();
        count("unsupported", ++refused);
        count("errors", 0);
        assertThat(inward(Packet.icmp("192.0.2.8", OUTSIDE, 3, 3, 0, quoted))).hasSize(1);
        count("errors", 1);
        byte[] inner = Packet.udp("192.0.2.7", 53, "10.0.0.2", 500, "answer");
        for (int bytes = 0; bytes <= 28; bytes++) {
            inside.sendTo(0, Packet.icmp("10.0.0.2", "192.0.2.7", 3, 3, 0, Arrays.copyOfRange(inner, 14, 14 + bytes)));
            work();
            assertThat(outside.received()).hasSize(bytes == 28 ? 1 : 0);
        }
        count("unsupported", refused + 28);
    }

    @Test
    void anErrorAboutAnErrorIsRefused() {
        outward(Packet.icmp("10.0.0.2", "192.0.2.7", 8, 0, 0x1234_0001, new byte[4]));
        byte[] error = Packet.icmp(OUTSIDE, "192.0.2.7", 3, 3, 0x1234_0001, new byte[28]);
        assertThat(inward(Packet.icmp("192.0.2.7", OUTSIDE, 3, 3, 0, Arrays.copyOfRange(error, 14, 42)))).isEmpty();
        count("unsupported", 1);
    }

    @Test
    void aMappingLastsAsLongAsItIsUsed() {
        int port = Packet.sourcePort(outward(Packet.udp("10.0.0.2", 5000, "192.0.2.7", 53, "q")));
        now += NatLimits.UDP_MILLIS - 1;
        meet();
        assertThat(inward(Packet.udp("192.0.2.7", 53, OUTSIDE, port, "a"))).hasSize(1);
        now += NatLimits.UDP_MILLIS - 1;
        meet();
        assertThat(inward(Packet.udp("192.0.2.7", 53, OUTSIDE, port, "a"))).hasSize(1);
        now += NatLimits.UDP_MILLIS;
        meet();
        assertThat(inward(Packet.udp("192.0.2.7", 53, OUTSIDE, port, "a"))).isEmpty();
        outward(Packet.icmp("10.0.0.2", "192.0.2.7", 8, 0, 0x1234_0001, new byte[4]));
        now += NatLimits.ICMP_MILLIS - 1;
        meet();
        assertThat(inward(Packet.icmp("192.0.2.7", OUTSIDE, 0, 0, 0x1234_0001, new byte[4]))).hasSize(1);
        now += NatLimits.ICMP_MILLIS;
        meet();
        assertThat(inward(Packet.icmp("192.0.2.7", OUTSIDE, 0, 0, 0x1234_0001, new byte[4]))).isEmpty();
    }

    @Test
    void anErrorDoesNotMakeAMappingLast() {
        byte[] out = outward(Packet.udp("10.0.0.2", 5000, "192.0.2.7", 53, "q"));
        byte[] error = Packet.icmp("192.0.2.8", OUTSIDE, 3, 3, 0, Arrays.copyOfRange(out, 14, 42));
        now += NatLimits.UDP_MILLIS - 1;
        meet();
        assertThat(inward(error)).hasSize(1);
        now += 1;
        assertThat(inward(error)).isEmpty();
    }

    @Test
    void whoIsNotSpokenToAnyMoreIsFiltered() {
        translator(1024, 65535, 65_536, true);
        meet();
        int port = Packet.sourcePort(outward(Packet.udp("10.0.0.2", 5000, "192.0.2.7", 53, "q")));
        now += NatLimits.UDP_MILLIS - 1;
        meet();
        outward(Packet.udp("10.0.0.2", 5000, "192.0.2.8", 53, "q"));
        assertThat(inward(Packet.udp("192.0.2.7", 53, OUTSIDE, port, "a"))).hasSize(1);
        now += 1;
        assertThat(inward(Packet.udp("192.0.2.7", 53, OUTSIDE, port, "a"))).isEmpty();
        count("filtered", 1);
        assertThat(inward(Packet.udp("192.0.2.8", 53, OUTSIDE, port, "a"))).hasSize(1);
    }

    @Test
    void aLaterFragmentOfTheInsideHasTheOutsideAddress() {
        outward(Packet.udp("10.0.0.2", 5000, "192.0.2.7", 53, "q"));
        byte[] later = outward(Packet.ip("10.0.0.2", "192.0.2.7", Packet.UDP, new byte[16], 4, 64));
        assertThat(Packet.source(later)).isEqualTo(OUTSIDE);
        count("outward", 2);
        count("mappings", 1);
    }

    @Test
    void aFragmentWaitsUpToItsLastMillisecondAndByte() {
        int port = Packet.sourcePort(outward(Packet.udp("10.0.0.2", 5000, "192.0.2.7", 53, "q")));
        byte[] first = Packet.ip("192.0.2.7", OUTSIDE, Packet.UDP,
                Arrays.copyOfRange(Packet.udp("192.0.2.7", 53, OUTSIDE, port, "a".repeat(24)), 34, 66), 0x2000, 64);
        byte[] longest = Packet.ip("192.0.2.7", OUTSIDE, Packet.UDP, new byte[NatLimits.HELD_BYTES - 20], 4, 64);
        byte[] longer = Packet.ip("192.0.2.7", OUTSIDE, Packet.UDP, new byte[NatLimits.HELD_BYTES - 19], 4, 64);
        outside.sendTo(0, longest);
        outside.sendTo(0, longer);
        work();
        count("fragments_held", 1);
        count("fragment_unknown", 1);
        now += NatLimits.HELD_MILLIS - 1;
        work();
        count("fragment_unknown", 1);
        outside.sendTo(0, first);
        work();
        assertThat(inside.received()).hasSize(2);
        count("inward", 2);
    }

    private static byte[] fragment(String server, int protocol, int identification, int place, byte[] data) {
        byte[] frame = Packet.ip(server, OUTSIDE, protocol, data, place, 64);
        frame[19] = (byte) identification;
        frame[24] = 0;
        frame[25] = 0;
        int checksum = Packet.checksum(Arrays.copyOfRange(frame, 14, 34));
        frame[24] = (byte) (checksum >>> 8);
        frame[25] = (byte) checksum;
        return frame;
    }

    private static byte[] first(String server, int identification, int port) {
        byte[] data = Arrays.copyOfRange(Packet.udp(server, 53, OUTSIDE, port, "a".repeat(24)), 34, 66);
        return fragment(server, Packet.UDP, identification, 0x2000, data);
    }

    @Test
    void aLaterFragmentFollowsNoOtherPacketsFirst() {
        int one = Packet.sourcePort(outward(Packet.udp("10.0.0.2", 5000, "192.0.2.7", 53, "q")));
        int two = Packet.sourcePort(outward(Packet.udp("10.0.0.3", 5000, "192.0.2.7", 53, "q")));
        outside.sendTo(0, first("192.0.2.7", 7, one), first("192.0.2.7", 8, two));
        work();
        assertThat(inside.received()).hasSize(2);
        outside.sendTo(0,
                fragment("192.0.2.7", Packet.UDP, 7, 4, new byte[8]),
                fragment("192.0.2.7", Packet.UDP, 8, 4, new byte[8]),
                fragment("192.0.2.7", Packet.UDP, 9, 4, new byte[8]),
                fragment("192.0.2.7", Packet.TCP, 7, 4, new byte[8]));
        work();
        assertThat(inside.received()).extracting(Packet::destination).containsExactly("10.0.0.2", "10.0.0.3");
        count("fragments_held", 2);
    }

    @Test
    void aFragmentThatWaitsOnStaysWholeWhenAnotherLeaves() {
        int port = Packet.sourcePort(outward(Packet.udp("10.0.0.2", 5000, "192.0.2.7", 53, "q")));
        byte[] data = {1, 2, 3, 4, 5, 6, 7, 8};
        outside.sendTo(0,
                fragment("192.0.2.7", Packet.UDP, 7, 4, new byte[24]),
                fragment("192.0.2.8", Packet.UDP, 7, 4, data));
        work();
        outside.sendTo(0, first("192.0.2.7", 7, port));
        work();
        assertThat(inside.received()).hasSize(2);
        outside.sendTo(0, first("192.0.2.8", 7, port));
        work();
        List<byte[]> frames = inside.received();
        assertThat(frames).hasSize(2);
        assertThat(Arrays.copyOfRange(frames.getLast(), 34, 42)).isEqualTo(data);
    }
}
