package io.guidepost.packet.ip;

import static org.assertj.core.api.Assertions.assertThat;

import io.guidepost.base.Addresses;
import io.guidepost.base.Memory;
import io.guidepost.packet.Burst;
import io.guidepost.packet.Drop;
import io.guidepost.packet.frame.HeaderParser;
import io.guidepost.packet.frame.InternetChecksum;
import io.guidepost.packet.worker.DatagramHandler;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Whatever comes, a host throws nothing, keeps no frame, and what it says is well-formed. */
class HostFuzzTest {
    private static final int POOL_AT_HAND = 4 * 128;

    private final HeaderParser headers = new HeaderParser();

    private static List<byte[]> seeds() throws IOException {
        List<byte[]> seeds = new ArrayList<>();
        try (InputStream resource = HostFuzzTest.class.getResourceAsStream("host.scn")) {
            assertThat(resource).isNotNull();
            new String(resource.readAllBytes(), StandardCharsets.UTF_8)
                    .lines()
                    .filter(each -> each.startsWith("send "))
                    .forEach(each -> seeds.add(HexFormat.of().parseHex(each.substring(5))));
        }
        return seeds;
    }

    @Test
    void mutatedFramesDoNoHarm() throws IOException {
        play(1, 100_000);
    }

    @Tag("long")
    @Test
    void manyMutatedFramesDoNoHarm() throws IOException {
        play(2, 10_000_000);
    }

    private void play(long seed, int number) throws IOException {
        SplittableRandom random = new SplittableRandom(seed);
        List<byte[]> seeds = seeds();
        long[] datagrams = new long[1];
        DatagramHandler handler = (in, i, out) -> {
            datagrams[0]++;
            assertThat(in.length(i)).isBetween(0, 2048);
            int bytes = random.nextInt(out.roomBytes());
            Memory.put64(out.room(), in.length(i) >= 8 ? Memory.i64(in.offset(i)) : 7);
            out.append(bytes, in, i);
        };
        try (HostStand stand = new HostStand(HostPortSettings.of(HostStand.PORT, HostStand.IPV4, HostStand.IPV6), handler)) {
            long answers = 0;
            for (int i = 0; i < number; i += 16) {
                for (int j = 0; j < 16; j++) {
                    stand.send(mutated(seeds, random));
                }
                stand.nanos += random.nextInt(10_000_000);
                for (byte[] each : stand.turn()) {
                    answers++;
                    assertWellFormed(each);
                }
                if (random.nextInt(64) == 0) {
                    stand.tell(HostStand.address("10.0.0." + (1 + random.nextInt(250))), "hello");
                }
            }
            assertThat(answers).as("answers").isGreaterThan(number / 50);
            assertThat(datagrams[0]).as("datagrams").isGreaterThan(number / 100);
            assertThat(stand.host.rx(0).statistics().drops(Drop.FAULT)).isZero();
            assertThat(stand.pool().free()).as("frames that nobody has").isGreaterThanOrEqualTo(1024 - POOL_AT_HAND);
        }
    }

    /** A frame of the scenarios with some bytes changed, and sometimes cut; IP checksums are made right again in half. */
    private static byte[] mutated(List<byte[]> seeds, SplittableRandom random) {
        byte[] frame = seeds.get(random.nextInt(seeds.size())).clone();
        for (int i = random.nextInt(4); i > 0; i--) {
            frame[random.nextInt(frame.length)] = (byte) random.nextInt(256);
        }
        if (random.nextInt(8) == 0) {
            frame = java.util.Arrays.copyOf(frame, random.nextInt(frame.length + 40));
        }
        return frame;
    }

    private void assertWellFormed(byte[] frame) {
        Burst burst = new Scratch().burst(frame);
        assertThat(headers.read(burst, 0)).as(HexFormat.of().formatHex(frame)).isTrue();
        long at = burst.offset(0);
        assertThat(Memory.i64(at + 6) >>> 16).as("sender").isEqualTo(0x02_00_00_00_00_0aL);
        if (!headers.isIpv4() && !headers.isIpv6()) {
            assertThat(headers.etherType()).isEqualTo(HeaderParser.ARP);
            return;
        }
        int end = headers.networkEnd();
        int transport = headers.transportOffset();
        long sum = headers.isIpv4()
                ? InternetChecksum.pseudoIpv4(
                        (int) headers.sourceLow(), (int) headers.destinationLow(), headers.protocol(), end - transport)
                : InternetChecksum.pseudoIpv6(
                        headers.sourceHigh(), headers.sourceLow(), headers.destinationHigh(), headers.destinationLow(),
                        headers.protocol(), end - transport);
        if (headers.isIpv4()) {
            assertThat(InternetChecksum.of(at + headers.networkOffset(), 20)).as("IP checksum").isZero();
            assertThat(Addresses.isIpv4(headers.sourceHigh(), headers.sourceLow())).isTrue();
        }
        long covered = headers.protocol() == HeaderParser.ICMP ? 0 : sum;
        assertThat(InternetChecksum.fold(InternetChecksum.add(covered, at + transport, end - transport)))
                .as("checksum of " + HexFormat.of().formatHex(frame))
                .isZero();
    }

    /** A place to look at a frame that came as bytes. */
    private static final class Scratch {
        private static final io.guidepost.packet.FramePool POOL = new io.guidepost.packet.FramePool(64, 2048, 0);
        private static final io.guidepost.packet.PacketMemory VIEW = POOL.view("scratch");
        private static final Burst BURST = Burst.ofFrames(VIEW, 1, 0);

        Burst burst(byte[] frame) {
            BURST.clear();
            Memory.copy(frame, 0, BURST.room(), frame.length);
            BURST.append(frame.length);
            return BURST;
        }
    }
}
