package io.guidepost.middlebox.forward;

import static org.assertj.core.api.Assertions.assertThat;

import io.guidepost.base.FaultyFile;
import io.guidepost.middlebox.BoxWire;
import io.guidepost.middlebox.Packet;
import io.guidepost.packet.Drop;
import io.guidepost.packet.worker.DutyCycle;
import java.nio.ByteBuffer;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class RouterIpv6Test {
    private static final long HOST = 0x02_00_00_00_00_11L;
    private static final long NEIGHBOUR = 0x02_00_00_00_00_88L;
    private static final String PORTS = "port 1 fd01::1/64\nport 2 192.0.2.1/24\nport 2 fd02::1/64\n";

    private final BoxWire left = new BoxWire("left");
    private final BoxWire right = new BoxWire("right");
    private final DutyCycle duty = new IpRouter(
                    List.of(left.port(), right.port()),
                    routes(PORTS + "fd03::/16 via fd02::8\nfd03:9::/32 unreachable\n"))
            .duty(0);
    private long now = 1_000;

    private static RoutingTable routes(String text) {
        try {
            return RoutingTable.parse("routes", text, 2);
        } catch (FaultyFile e) {
            throw new AssertionError(e.faults().toString(), e);
        }
    }

    @BeforeEach
    void meet() {
        left.send(Packet.neighbour(135, "fd01::2", "ff02::1:ff00:1", "fd01::1", HOST));
        duty.work(now);
        byte[] answer = left.received().getFirst();
        assertThat(Packet.isRightIpv6(answer)).isTrue();
        assertThat(answer[54]).isEqualTo((byte) 136);
        assertThat(Packet.address(answer, 38)).isEqualTo("fd01:0:0:0:0:0:0:2");
        assertThat(ByteBuffer.wrap(answer).getLong(0) >>> 16).isEqualTo(HOST);
        assertThat(ByteBuffer.wrap(answer).getLong(78) & 0xffff_ffff_ffffL).isEqualTo(left.port().mac());
    }

    @AfterEach
    void close() {
        left.close();
        right.close();
    }

    private void send(byte[] frame) {
        left.sendTo(0, frame);
        duty.work(now);
    }

    private static byte[] packet(String to, int hops) {
        return Packet.ip("fd01::2", to, Packet.UDP, new byte[] {1, 2, 3, 4, 0, 8, 0, 0}, 0, hops);
    }

    private byte[] told(int type) {
        assertThat(right.received()).isEmpty();
        byte[] error = left.received().getFirst();
        assertThat(Packet.isRightIpv6(error)).isTrue();
        assertThat(Packet.address(error, 22)).isEqualTo("fd01:0:0:0:0:0:0:1");
        assertThat(Packet.address(error, 38)).isEqualTo("fd01:0:0:0:0:0:0:2");
        assertThat(error[54]).isEqualTo((byte) type);
        return error;
    }

    @Test
    void aPacketWaitsForItsNextHopAndLeavesWhenThatAnswers() {
        send(packet("fd03::5", 64));
        byte[] question = right.received().getFirst();
        assertThat(Packet.isRightIpv6(question)).isTrue();
        assertThat(question[54]).isEqualTo((byte) 135);
        assertThat(ByteBuffer.wrap(question).getLong(0) >>> 16).isEqualTo(0x3333_ff00_0008L);
        assertThat(Packet.address(question, 38)).isEqualTo("ff02:0:0:0:0:1:ff00:8");
        assertThat(Packet.address(question, 62)).isEqualTo("fd02:0:0:0:0:0:0:8");
        right.sendTo(0, Packet.neighbour(136, "fd02::8", "fd02::1", "fd02::8", NEIGHBOUR));
        duty.work(now);
        byte[] left = right.received().getFirst();
        assertThat(Packet.address(left, 38)).isEqualTo("fd03:0:0:0:0:0:0:5");
        assertThat(left[5]).isEqualTo((byte) 0x88);
        assertThat(left[21]).isEqualTo((byte) 63);
    }

    @Test
    void whoWaitsTooLongIsGivenUp() {
        send(packet("fd02::9", 64));
        right.received();
        now += 4_000;
        duty.work(now);
        assertThat(right.port().tx(0).statistics().drops(Drop.UNREACHABLE)).isEqualTo(1);
    }

    @Test
    void whoAsksForWhatCannotBeIsTold() {
        send(packet("fd03:9::1", 64));
        told(1);
        send(packet("fd77::1", 64));
        told(1);
        send(packet("fd03::5", 1));
        told(3);
        // Errors about errors are not told, nor to those who have no address.
        send(Packet.icmpv6("fd01::2", "fd77::1", 1, 0, new byte[48], 64));
        send(Packet.ip("::", "fd77::1", Packet.UDP, new byte[] {1, 2, 3, 4, 0, 8, 0, 0}));
        assertThat(left.received()).isEmpty();
    }

    @Test
    void whatIsTooLongIsToldWithTheLengthThatFits() {
        DutyCycle narrow = new IpRouter(List.of(left.port(), new NarrowPort(right.port(), 1514)), routes(PORTS)).duty(0);
        left.sendTo(0, Packet.ip("fd01::2", "fd02::8", 59, new byte[1600]));
        narrow.work(now);
        byte[] error = told(2);
        assertThat(ByteBuffer.wrap(error).getInt(58)).isEqualTo(1500);
        assertThat(error).hasSize(14 + 1280);
    }

    @Test
    void itAnswersEchoAndProbesForItsAddress() {
        send(Packet.icmpv6("fd01::2", "fd01::1", 128, 7, new byte[] {1, 2, 3, 4, 5}, 64));
        byte[] echo = left.received().getFirst();
        assertThat(Packet.isRightIpv6(echo)).isTrue();
        assertThat(echo[54]).isEqualTo((byte) 129);
        assertThat(Packet.address(echo, 22)).isEqualTo("fd01:0:0:0:0:0:0:1");
        left.send(Packet.neighbour(135, "::", "ff02::1:ff00:1", "fd01::1", HOST));
        duty.work(now);
        byte[] answer = left.received().getFirst();
        assertThat(Packet.isRightIpv6(answer)).isTrue();
        assertThat(Packet.address(answer, 38)).isEqualTo("ff02:0:0:0:0:0:0:1");
        // Its link-local address follows from its Ethernet address 02:..:0b.
        left.send(Packet.neighbour(135, "fe80::2", "ff02::1:ff00:b", "fe80::ff:fe00:b", HOST));
        duty.work(now);
        assertThat(Packet.address(left.received().getFirst(), 62)).isEqualTo("fe80:0:0:0:0:ff:fe00:b");
    }

    @Test
    void whatBelongsToOneLinkStaysThereAndWhatIsBrokenIsDropped() {
        send(packet("fd02::8", 64));
        right.neighbour("fd02::8", NEIGHBOUR).answer();
        duty.work(now);
        right.received();
        send(packet("ff05::1", 64));
        send(packet("fe80::8", 64));
        send(packet("::1", 64));
        byte[] mapped = packet("fd02::8", 64);
        ByteBuffer.wrap(mapped).putLong(38, 0).putLong(46, 0xffff_c000_0208L);
        send(mapped);
        send(Packet.ip("fe80::2", "fd02::8", Packet.UDP, new byte[] {1, 2, 3, 4, 0, 8, 0, 0}));
        assertThat(right.received()).isEmpty();
        assertThat(left.port().rx(0).statistics().drops(Drop.NOT_OURS)).isEqualTo(5);
        // An answer that came over a router, or whose checksum is wrong.
        byte[] far = Packet.neighbour(136, "fd02::9", "fd02::1", "fd02::9", NEIGHBOUR);
        far[21] = 64;
        byte[] wrong = Packet.neighbour(136, "fd02::9", "fd02::1", "fd02::9", NEIGHBOUR);
        wrong[60] ^= 1;
        right.sendTo(0, far, wrong);
        duty.work(now);
        assertThat(right.port().rx(0).statistics().drops(Drop.MALFORMED)).isEqualTo(2);
        send(packet("fd02::9", 64));
        assertThat(right.received()).hasSize(1).allMatch(frame -> frame[54] == (byte) 135);
        send(packet("fd02::8", 64));
        assertThat(right.received()).hasSize(1).allMatch(frame -> frame[5] == (byte) 0x88);
    }
}
