package io.guidepost.packet.frame;

import static org.assertj.core.api.Assertions.assertThat;

import io.guidepost.base.Memory;
import java.util.Random;
import org.junit.jupiter.api.Test;

class InternetChecksumTest {
    private final Random random = new Random(4);

    /** As RFC 1071 section 4.1 writes it, word by word. */
    private static int plain(byte[] bytes, int from, int length) {
        long sum = 0;
        for (int i = 0; i < length; i++) {
            int value = bytes[from + i] & 0xff;
            sum += i % 2 == 0 ? value << 8 : value;
        }
        while (sum >>> 16 != 0) {
            sum = (sum >>> 16) + (sum & 0xffff);
        }
        return (int) ~sum & 0xffff;
    }

    @Test
    void theExampleOfRfc1071() {
        Bytes bytes = Bytes.of("0001 f203 f4f5 f6f7");
        assertThat(InternetChecksum.of(bytes.address, 8)).isEqualTo(~0xddf2 & 0xffff);
    }

    @Test
    void anyLengthAtAnyPlaceAsThePlainLoopHasIt() {
        Bytes room = Bytes.room(4096);
        byte[] bytes = new byte[4096];
        for (int round = 0; round < 3_000; round++) {
            random.nextBytes(bytes);
            if (round % 10 == 0) {
                java.util.Arrays.fill(bytes, (byte) (round % 20 == 0 ? 0xff : 0));
            }
            Memory.copy(bytes, 0, room.address, bytes.length);
            int from = random.nextInt(64);
            int length = round < 200 ? round : random.nextInt(4096 - 64);
            assertThat(InternetChecksum.of(room.address + from, length)).isEqualTo(plain(bytes, from, length));
        }
    }

    @Test
    void partsAddUp() {
        Bytes room = Bytes.room(512);
        byte[] bytes = new byte[512];
        random.nextBytes(bytes);
        Memory.copy(bytes, 0, room.address, 512);
        for (int cut = 0; cut <= 512; cut += 2) {
            long sum = InternetChecksum.add(InternetChecksum.add(0, room.address + cut, 512 - cut), room.address, cut);
            assertThat(InternetChecksum.fold(sum)).isEqualTo(plain(bytes, 0, 512));
        }
    }

    @Test
    void changesAreWhatANewSumWouldBe() {
        Bytes room = Bytes.room(64);
        byte[] bytes = new byte[64];
        for (int round = 0; round < 20_000; round++) {
            random.nextBytes(bytes);
            bytes[0] = 1;
            Memory.copy(bytes, 0, room.address, 64);
            int before = InternetChecksum.of(room.address, 64);
            int at = 2 * (1 + random.nextInt(20));
            long change = 0;
            int port = Memory.u16(room.address + 62);
            int portAfter = edge(port) & 0xffff;
            Memory.put16(room.address + 62, portAfter);
            change += InternetChecksum.change16(port, portAfter);
            if (round % 2 == 0) {
                int word = Memory.i32(room.address + at);
                int after = edge(word);
                Memory.put32(room.address + at, after);
                assertThat(InternetChecksum.update16(InternetChecksum.update32(before, word, after), port, portAfter))
                        .isEqualTo(InternetChecksum.of(room.address, 64));
                change += InternetChecksum.change32(word, after);
            } else {
                long high = Memory.i64(room.address + at);
                long low = Memory.i64(room.address + at + 8);
                long highAfter = random.nextLong();
                long lowAfter = edge((int) low);
                Memory.put64(room.address + at, highAfter);
                Memory.put64(room.address + at + 8, lowAfter);
                change += InternetChecksum.change32((int) (high >>> 32), (int) (highAfter >>> 32))
                        + InternetChecksum.change32((int) high, (int) highAfter)
                        + InternetChecksum.change32((int) (low >>> 32), (int) (lowAfter >>> 32))
                        + InternetChecksum.change32((int) low, (int) lowAfter);
            }
            assertThat(InternetChecksum.apply(before, change)).isEqualTo(InternetChecksum.of(room.address, 64));
        }
    }

    private int edge(int before) {
        return switch (random.nextInt(5)) {
            case 0 -> 0;
            case 1 -> -1;
            case 2 -> ~before;
            case 3 -> before;
            default -> random.nextInt();
        };
    }

    @Test
    void noneOfUdpStaysNoneAndAnotherDoesNotBecomeNone() {
        assertThat(InternetChecksum.applyUdp(0, InternetChecksum.change16(1, 2))).isZero();
        // A sum of 0xfffe and one more is 0xffff, the complement of which is 0.
        assertThat(InternetChecksum.apply(0x0001, InternetChecksum.change16(0, 1))).isZero();
        assertThat(InternetChecksum.applyUdp(0x0001, InternetChecksum.change16(0, 1))).isEqualTo(0xffff);
    }

    private static HeaderParser read(Bytes bytes) {
        HeaderParser headers = new HeaderParser();
        assertThat(headers.read(bytes.address, bytes.length())).isTrue();
        return headers;
    }

    @Test
    void whatIsWithTheChecksumOfAFrame() {
        Bytes bytes = Bytes.of(Bytes.UDP4);
        HeaderParser headers = read(bytes);
        assertThat(InternetChecksum.check(headers)).isEqualTo(InternetChecksum.State.RIGHT);
        Udp udp = new Udp().wrap(bytes.address + headers.transportOffset(), 10);
        udp.checksum(0x5c5e);
        assertThat(InternetChecksum.check(headers)).isEqualTo(InternetChecksum.State.WRONG);
        udp.checksum(0);
        assertThat(InternetChecksum.check(headers)).isEqualTo(InternetChecksum.State.NONE);
        int partial = ~InternetChecksum.fold(InternetChecksum.pseudoIpv4(0x0a00_0001, 0x0a00_0002, HeaderParser.UDP, 10)) & 0xffff;
        udp.checksum(partial);
        assertThat(InternetChecksum.check(headers)).isEqualTo(InternetChecksum.State.PARTIAL);
        // A translator of addresses keeps a partial one partial.
        new Ipv4().wrap(bytes.address + 14, 20).source(0xc633_6407);
        udp.checksum(InternetChecksum.applyPartial(partial, InternetChecksum.change32(0x0a00_0001, 0xc633_6407)));
        headers = read(bytes);
        assertThat(InternetChecksum.check(headers)).isEqualTo(InternetChecksum.State.PARTIAL);
        assertThat(InternetChecksum.fill(headers)).isTrue();
        assertThat(InternetChecksum.check(headers)).isEqualTo(InternetChecksum.State.RIGHT);
        new Ipv4().wrap(bytes.address + 14, 20).fragment(Ipv4.MORE_FRAGMENTS, 0);
        headers = read(bytes);
        assertThat(InternetChecksum.check(headers)).isEqualTo(InternetChecksum.State.UNKNOWN);
        assertThat(InternetChecksum.fill(headers)).isFalse();
    }

    @Test
    void aSumOfZeroIsWrittenAsOnesForUdp() {
        Bytes bytes = Bytes.of(Bytes.UDP4);
        // The payload that makes the sum of all others 0xffff.
        Memory.put16(bytes.address + 42, 0x6869 + 0x5c5d);
        HeaderParser headers = read(bytes);
        assertThat(InternetChecksum.fill(headers)).isTrue();
        assertThat(Memory.u16(bytes.address + 40)).isEqualTo(0xffff);
        assertThat(InternetChecksum.check(headers)).isEqualTo(InternetChecksum.State.RIGHT);
    }

    @Test
    void framesOfTcpIcmpAndIpv6() {
        String addresses = "fe800000000000000000000000000001 fe800000000000000000000000000002";
        for (String each : java.util.List.of(
                "020000000001020000000002 0800 4500003c 00014000 400626b9 0a000001 0a000002 c000 0050 00000001 00000000"
                        + " a002faf0 78ba0000 020405b4 0402 080a0000000100000000 01 030307",
                "020000000001020000000002 0800 45000020 00000000 40010000 0a000001 0a000002 0800 2104 1234 0001 61626364",
                "020000000001020000000002 86dd 60000000 000c 3a ff" + addresses + "8000 abb8 1234 0001 61626364")) {
            Bytes bytes = Bytes.of(each);
            HeaderParser headers = read(bytes);
            assertThat(InternetChecksum.check(headers)).as(each).isEqualTo(InternetChecksum.State.RIGHT);
            String before = bytes.hex();
            assertThat(InternetChecksum.fill(headers)).isTrue();
            assertThat(bytes.hex()).isEqualTo(before);
        }
    }

    @Test
    void udpOverIpv6MustHaveOne() {
        Bytes bytes = Bytes.of("020000000001020000000002 86dd 60000000 0008 11 40"
                + "fe800000000000000000000000000001 fe800000000000000000000000000002 1389 1388 0008 0000");
        assertThat(InternetChecksum.check(read(bytes))).isEqualTo(InternetChecksum.State.WRONG);
    }
}
