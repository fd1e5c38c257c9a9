package io.guidepost.middlebox.forward;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.guidepost.base.FaultyFile;
import io.guidepost.middlebox.BoxWire;
import io.guidepost.middlebox.Packet;
import io.guidepost.packet.Drop;
import io.guidepost.packet.worker.DutyCycle;
import java.io.ByteArrayOutputStream;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class IpRouterTest {
    private static final String PORTS = "port 1 10.0.0.1/24\nport 2 192.0.2.1/24\n";

    private final BoxWire left = new BoxWire("left");
    private final BoxWire right = new BoxWire("right");
    private final IpRouter router = new IpRouter(
            List.of(left.port(), right.port()),
            routes(PORTS + "198.51.100.0/24 via 192.0.2.7\n198.51.100.128/25 unreachable # not there\n"));
    private final DutyCycle duty = router.duty(0);

    private static RoutingTable routes(String text) {
        try {
            return RoutingTable.parse("routes", text, 2);
        } catch (FaultyFile e) {
            throw new AssertionError(e);
        }
    }

    @BeforeEach
    void meet() {
        left.neighbour("10.0.0.2", 0x11);
        right.neighbour("192.0.2.7", 0x77).neighbour("192.0.2.8", 0x88);
    }

    private void work(DutyCycle worker) {
        worker.work(0);
        left.answer();
        right.answer();
        worker.work(0);
    }

    @AfterEach
    void close() {
        left.close();
        right.close();
    }

    private void send(byte[] frame) {
        byte[] copy = frame.clone();
        for (int i = 0; i < 6; i++) {
            copy[i] = (byte) (left.port().mac() >>> (40 - 8 * i));
        }
        left.send(copy);
        work(duty);
    }

    private static byte[] packet(String to, int hops) {
        return Packet.ip("10.0.0.2", to, Packet.UDP, new byte[] {1, 2, 3, 4, 0, 8, 0, 0}, 0, hops);
    }

    private byte[] told() {
        assertThat(right.received()).isEmpty();
        byte[] error = left.received().getFirst();
        assertThat(Packet.isRight(error)).isTrue();
        assertThat(Packet.source(error)).isEqualTo("10.0.0.1");
        assertThat(Packet.destination(error)).isEqualTo("10.0.0.2");
        return error;
    }

    @Test
    void packetsGoToTheNextHopOfTheLongestPrefix() {
        send(packet("192.0.2.8", 64));
        send(packet("198.51.100.5", 2));
        List<byte[]> frames = right.received();
        assertThat(frames).hasSize(2).allMatch(Packet::isRight);
        assertThat(frames.get(0)[5]).isEqualTo((byte) 0x88);
        assertThat(frames.get(0)[22]).isEqualTo((byte) 63);
        assertThat(frames.get(1)[5]).isEqualTo((byte) 0x77);
        assertThat(frames.get(1)[22]).isEqualTo((byte) 1);
        assertThat(Arrays.copyOfRange(frames.get(1), 6, 12))
                .isEqualTo(Arrays.copyOfRange(Packet.ethernet(0, right.port().mac(), 0, new byte[0]), 6, 12));
    }

    @Test
    void whoAsksForWhatIsNotThereIsTold() {
        send(packet("198.51.100.200", 64));
        assertThat(told()[34]).isEqualTo((byte) 3);
        send(packet("203.0.113.1", 64));
        assertThat(told()[34]).isEqualTo((byte) 3);
        send(packet("198.51.100.5", 1));
        assertThat(told()[34]).isEqualTo((byte) 11);
    }

    @Test
    void noErrorIsToldAboutErrorsAndNotMoreThanSoMany() {
        send(Packet.icmp("10.0.0.2", "203.0.113.1", 3, 1, 0, new byte[28]));
        assertThat(left.received()).isEmpty();
        int told = 0;
        for (int i = 0; i < 300; i++) {
            send(packet("203.0.113.1", 64));
            told += left.received().size();
        }
        assertThat(told).isEqualTo(100);
        assertThat(left.port().rx(0).statistics().drops(Drop.UNREACHABLE)).isEqualTo(301);
    }

    @Test
    void whatIsTooLongIsToldWithTheLengthThatFits() {
        byte[] frame = Packet.ip("10.0.0.2", "192.0.2.8", 47, new byte[1752], 0x4000, 64);
        assertThat(frame.length).isLessThanOrEqualTo(left.port().frameBytesMax());
        send(frame);
        assertThat(right.received()).hasSize(1);
        // A port that takes less than the one that it came in by.
        DutyCycle narrow = new IpRouter(List.of(left.port(), new NarrowPort(right.port(), 1514)), routes(PORTS)).duty(0);
        byte[] copy = frame.clone();
        System.arraycopy(Packet.ethernet(left.port().mac(), 0, 0, new byte[0]), 0, copy, 0, 6);
        left.send(copy);
        narrow.work(0);
        byte[] error = told();
        assertThat(error[34]).isEqualTo((byte) 3);
        assertThat(error[35]).isEqualTo((byte) 4);
        assertThat((error[40] & 0xff) << 8 | error[41] & 0xff).isEqualTo(1500);
    }

    /** RFC 1812 section 4.2.2.7: what is too long and may be cut arrives in fragments that make the same packet. */
    @ParameterizedTest
    @CsvSource({"0, 47, 0", "0x2000, 47, 0", "0x2010, 47, 0", "0x0010, 47, 0", "0, 5, 24"})
    void whatIsTooLongIsCut(String fragment, int version, int optionBytes) {
        byte[] payload = new byte[1600];
        new Random(1812).nextBytes(payload);
        int field = Integer.decode(fragment);
        byte[] frame = Packet.ip("10.0.0.2", "192.0.2.8", version, payload, field, 64);
        if (optionBytes > 0) {
            // Loose source route with its copied flag, record route without, and the end.
            frame = withOptions(frame, HexFormat.of().parseHex("8307040a00000501" + "0707040a000006" + "00".repeat(9)));
        }
        System.arraycopy(Packet.ethernet(left.port().mac(), 0, 0, new byte[0]), 0, frame, 0, 6);
        DutyCycle narrow = new IpRouter(List.of(left.port(), new NarrowPort(right.port(), 614)), routes(PORTS)).duty(0);
        left.send(frame.clone());
        work(narrow);
        assertThat(right.received()).as("while the neighbour is asked for").isEmpty();
        left.send(frame.clone());
        work(narrow);
        List<byte[]> fragments = right.received();
        assertThat(left.received()).isEmpty();
        assertThat(fragments).hasSize(3).allMatch(each -> each.length <= 614);
        ByteArrayOutputStream whole = new ByteArrayOutputStream();
        for (int i = 0; i < 3; i++) {
            byte[] each = fragments.get(i);
            int headerBytes = (each[14] & 15) * 4;
            int place = (each[20] & 0xff) << 8 | each[21] & 0xff;
            assertThat((place & 0x1fff) * 8).isEqualTo((field & 0x1fff) * 8 + whole.size());
            assertThat(place & 0x2000).isEqualTo(i < 2 ? 0x2000 : field & 0x2000);
            assertThat(each[18] << 8 | each[19]).as("identification").isEqualTo(7);
            assertThat(Packet.checksum(Arrays.copyOfRange(each, 14, 14 + headerBytes))).as("checksum").isZero();
            assertThat(each[22]).as("hops").isEqualTo((byte) 63);
            assertThat(headerBytes).isEqualTo(optionBytes == 0 ? 20 : i == 0 ? 44 : 28);
            assertThat(optionBytes == 0 || i == 0 || each[34] == (byte) 0x83).isTrue();
            whole.write(each, 14 + headerBytes, ((each[16] & 0xff) << 8 | each[17] & 0xff) - headerBytes);
        }
        assertThat(whole.toByteArray()).isEqualTo(payload);
    }

    private static byte[] withOptions(byte[] frame, byte[] options) {
        byte[] longer = new byte[frame.length + options.length];
        System.arraycopy(frame, 0, longer, 0, 34);
        System.arraycopy(options, 0, longer, 34, options.length);
        System.arraycopy(frame, 34, longer, 34 + options.length, frame.length - 34);
        longer[14] = (byte) (0x45 + options.length / 4);
        longer[16] = (byte) (longer.length - 14 >> 8);
        longer[17] = (byte) (longer.length - 14);
        longer[24] = 0;
        longer[25] = 0;
        int sum = Packet.checksum(Arrays.copyOfRange(longer, 14, 34 + options.length));
        longer[24] = (byte) (sum >> 8);
        longer[25] = (byte) sum;
        return longer;
    }

    @Test
    void brokenHeadersAndForeignFramesAreDropped() {
        byte[] broken = packet("192.0.2.8", 64);
        broken[24] ^= 1;
        send(broken);
        left.send(packet("192.0.2.8", 64));
        duty.work(0);
        assertThat(right.received()).isEmpty();
        assertThat(left.port().rx(0).statistics().drops(Drop.MALFORMED)).isEqualTo(1);
        assertThat(left.port().rx(0).statistics().drops(Drop.NOT_OURS)).isEqualTo(1);
    }

    /** The fragments of a first datagram come at once, while its next hop is asked for. */
    @Test
    void allFragmentsOfAFirstDatagramLeave() {
        byte[] header = {1, 2, 3, 4, 7, (byte) 208, 0, 0};
        byte[] first = Packet.ip("10.0.0.2", "192.0.2.9", Packet.UDP, Arrays.copyOf(header, 1480), 0x2000, 64);
        byte[] second = Packet.ip("10.0.0.2", "192.0.2.9", Packet.UDP, new byte[520], 185, 64);
        left.sendTo(0, first, second);
        duty.work(0);
        assertThat(right.received()).hasSize(1).allMatch(frame -> frame[13] == 6);
        right.send(Packet.arp(2, 0x99, "192.0.2.9", right.port().mac(), "192.0.2.1"));
        duty.work(0);
        List<byte[]> frames = right.received();
        assertThat(frames).allMatch(frame -> frame[5] == (byte) 0x99).extracting(frame -> frame.length)
                .containsExactly(first.length, second.length);
        assertThat(right.port().tx(0).statistics().drops(Drop.UNREACHABLE)).isZero();
    }

    @Test
    void whatNobodyAskedForIsNotLearnt() {
        right.send(Packet.arp(1, 0x99, "192.0.2.9", 0, "192.0.2.1"));
        right.sendTo(0, Packet.arp(2, 0x99, "192.0.2.9", right.port().mac(), "192.0.2.1"));
        duty.work(0);
        assertThat(right.received()).as("the answer to the request").hasSize(1);
        assertThat(router.interfaces().get(1).neighbours(0)).isZero();
    }

    @Test
    void whatCameToAllStationsIsNotForwardedAndNoErrorGoesToAllHosts() {
        byte[] frame = packet("192.0.2.8", 64);
        left.send(Packet.ethernet(-1L >>> 16, 0x0200_0000_0011L, 0x0800, Arrays.copyOfRange(frame, 14, frame.length)));
        duty.work(0);
        send(Packet.ip("10.0.0.255", "203.0.113.1", Packet.UDP, new byte[] {1, 2, 3, 4, 0, 8, 0, 0}));
        send(Packet.ip("127.0.0.1", "203.0.113.1", Packet.UDP, new byte[] {1, 2, 3, 4, 0, 8, 0, 0}));
        assertThat(right.received()).isEmpty();
        assertThat(left.received()).isEmpty();
    }

    @Test
    void otherRoutesTakeTheirPlace() {
        router.publish(routes(PORTS + "203.0.113.0/24 via 192.0.2.8\n"));
        send(packet("203.0.113.1", 64));
        assertThat(right.received()).hasSize(1);
        RoutingTable moved = routes("port 1 10.0.0.1/24\nport 2 192.0.2.2/24\n");
        assertThatThrownBy(() -> router.publish(moved)).hasMessageContaining("192.0.2.2/24");
    }

    @Test
    void whatIsWrongWithRoutesIsTold() {
        FaultyFile fault = catchThrowableOfType(FaultyFile.class, () -> RoutingTable.parse("f", """
                port 1 10.0.0.1/24
                port 3 10.0.1.1/24
                port 1 10.0.1.1/24
                10.1.0.0/16 via 10.9.9.9
                10.1.0.0/16 over 10.0.0.2
                10.1.0.0/16
                2001:db8::/32 via 10.0.0.2
                10.1.0.0/16 unreachable really
                """, 2));
        assertThat(fault.faults()).hasSize(8);
        assertThat(fault.faults().get(0)).startsWith("f:2: \"3\" is no port");
        assertThat(fault.faults().get(1)).startsWith("f:3: port 1 has an address already");
        assertThat(fault.faults().get(2)).startsWith("f:4: 10.9.9.9 is on no port's link");
        assertThat(fault.faults().get(7)).contains("port 2 has no address");
    }
}
