package io.guidepost.middlebox.generator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.guidepost.base.Memory;
import io.guidepost.packet.Burst;
import io.guidepost.packet.FrameSettings;
import io.guidepost.packet.Port;
import io.guidepost.packet.frame.HeaderParser;
import io.guidepost.packet.frame.InternetChecksum;
import io.guidepost.packet.memory.MemoryLink;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TrafficGeneratorTest {
    private final MemoryLink link = new MemoryLink(FrameSettings.of("test"));
    private final Port left = link.left();
    private final Port right = link.right();
    private long nowNanos = 5_000_000_000L;

    private static TrafficProfile traffic(boolean ipv6, int vlan, Integer... sizes) {
        return new TrafficProfile(
                List.of(sizes),
                InetAddress.ofLiteral(ipv6 ? "2001:2::1" : "198.18.0.1"),
                3,
                InetAddress.ofLiteral(ipv6 ? "2001:2::1:1" : "198.19.0.1"),
                2,
                1_024,
                5,
                5_000,
                1,
                vlan,
                0x02_00_00_00_00_01L,
                0x02_00_00_00_00_02L,
                0xa5);
    }

    private TrafficGenerator generator(TrafficProfile traffic, long count, TrafficGenerator.Rate rate) {
        return new TrafficGenerator(left.tx(0), traffic, 7, count, rate, () -> nowNanos);
    }

    @ParameterizedTest
    @CsvSource({"false, -1", "false, 5", "true, -1", "true, 4095"})
    void framesAreWhatWasAskedFor(boolean ipv6, int vlan) {
        Integer[] sizes = {100, 128, 257, 1_518};
        TrafficGenerator generator = generator(traffic(ipv6, vlan, sizes), 60, TrafficGenerator.Rate.UNLIMITED);
        generator.work(0);
        assertThat(generator.isDone()).isTrue();
        Burst in = right.rx(0).burst();
        assertThat(right.rx(0).receive(in)).isEqualTo(60);
        HeaderParser headers = new HeaderParser();
        Set<String> flows = new HashSet<>();
        for (int i = 0; i < 60; i++) {
            assertThat(in.length(i)).isEqualTo(sizes[i % 4] - 4);
            assertThat(headers.read(in, i)).isTrue();
            assertThat(headers.vlan()).isEqualTo(vlan);
            assertThat(headers.isIpv6()).isEqualTo(ipv6);
            assertThat(headers.networkEnd()).isEqualTo(in.length(i));
            flows.add(headers.sourceLow() + " " + headers.destinationLow() + " " + headers.ports());
            checksums(in, i, headers);
            long probe = in.offset(i) + headers.payloadOffset();
            assertThat(Memory.i64(probe)).isEqualTo(ProbePayload.head(7, i));
            assertThat(Memory.i64(probe + 8)).isEqualTo(nowNanos);
            for (int b = headers.payloadOffset() + ProbePayload.BYTES; b < in.length(i); b++) {
                assertThat(Memory.u8(in.offset(i) + b)).isEqualTo(0xa5);
            }
        }
        assertThat(flows).as("3 sources, 2 destinations, 5 ports").hasSize(30);
    }

    private static void checksums(Burst in, int index, HeaderParser headers) {
        long network = in.offset(index) + headers.networkOffset();
        int bytes = in.length(index) - headers.transportOffset();
        boolean ipv4 = headers.isIpv4();
        if (ipv4) {
            assertThat(InternetChecksum.of(network, 20)).isZero();
        }
        long pseudo = InternetChecksum.add(17L + bytes, network + (ipv4 ? 12 : 8), ipv4 ? 8 : 32);
        long transport = in.offset(index) + headers.transportOffset();
        assertThat(Memory.u16(transport + 6)).isNotZero();
        assertThat(InternetChecksum.fold(InternetChecksum.add(pseudo, transport, bytes))).isZero();
    }

    @ParameterizedTest
    @CsvSource({"50000, false, 50000", "51200000, true, 100000"})
    void theRateIsKeptAndAPauseIsNotMadeUpFor(double perSecond, boolean bits, long perSecondExpected) {
        TrafficGenerator generator =
                generator(traffic(false, -1, 64), Long.MAX_VALUE, new TrafficGenerator.Rate(perSecond, bits));
        Burst in = right.rx(0).burst();
        long begun = nowNanos;
        while (nowNanos < begun + 1_000_000_000L) {
            generator.work(0);
            right.rx(0).receive(in);
            nowNanos += 1 + generator.restNanos();
        }
        assertThat(generator.made()).isCloseTo(perSecondExpected, within(2L));
        long before = generator.made();
        nowNanos += 10_000_000_000L;
        for (int i = 0; i < 20; i++) {
            generator.work(0);
            right.rx(0).receive(in);
        }
        assertThat(generator.made() - before).as("frames after a pause").isEqualTo(perSecondExpected / 500);
    }

    @Test
    void aPortWithoutPlaceLosesNothing() {
        TrafficGenerator generator = generator(traffic(false, -1, 64), 5_000, TrafficGenerator.Rate.UNLIMITED);
        TrafficReceiver receiver = new TrafficReceiver(right, () -> nowNanos + 300);
        for (int i = 0; i < 200; i++) {
            generator.work(0);
        }
        assertThat(generator.made()).isBetween(1_024L, 1_200L);
        while (!generator.isDone() || receiver.work(0) > 0) {
            generator.work(0);
            receiver.work(0);
        }
        assertThat(receiver.counts()).hasSize(1);
        TrafficReceiver.Count count = receiver.counts().getFirst();
        assertThat(count.stream()).isEqualTo(7);
        assertThat(count.received()).isEqualTo(5_000);
        assertThat(count.lost() + count.reordered() + count.duplicate() + count.late()).isZero();
        assertThat(count.nanosMax()).isBetween(282L, 300L);
    }

    @Test
    void framesOfAFileAreSentAgainAndAgain(@TempDir Path folder) throws IOException {
        Path file = folder.resolve("three.pcap");
        ByteBuffer bytes = ByteBuffer.allocate(1_000).order(ByteOrder.LITTLE_ENDIAN);
        bytes.putInt(0xa1b2c3d4).putShort((short) 2).putShort((short) 4).putLong(0).putInt(65_535).putInt(1);
        for (int i = 0; i < 3; i++) {
            bytes.putInt(i).putInt(0).putInt(60 + i).putInt(60 + i).put(new byte[60 + i]);
            bytes.put(bytes.position() - 1, (byte) (i + 1));
        }
        Files.write(file, java.util.Arrays.copyOf(bytes.array(), bytes.position()));
        TrafficGenerator generator = new TrafficGenerator(left.tx(0), RecordedFrames.read(file), 7, TrafficGenerator.Rate.UNLIMITED);
        generator.work(0);
        Burst in = right.rx(0).burst();
        assertThat(right.rx(0).receive(in)).isEqualTo(7);
        for (int i = 0; i < 7; i++) {
            assertThat(in.length(i)).isEqualTo(60 + i % 3);
            assertThat(Memory.u8(in.offset(i) + in.length(i) - 1)).isEqualTo(i % 3 + 1);
            assertThat(Memory.i64(in.offset(i) + 40)).isZero();
        }
        Files.write(file, java.util.Arrays.copyOf(bytes.array(), 24));
        assertThatThrownBy(() -> RecordedFrames.read(file)).hasMessage(file + ": there are no frames in it");
    }

    @Test
    void otherFramesAreOthers() {
        TrafficReceiver receiver = new TrafficReceiver(right);
        Burst out = left.tx(0).burst();
        new FrameTemplate(traffic(false, -1, 64), 64).write(out.room(), 1, 2, 3, 0x1234, 5);
        out.append(60);
        out.append(14);
        left.tx(0).send(out);
        assertThat(receiver.work(0)).isEqualTo(2);
        assertThat(receiver.others()).isEqualTo(2);
        assertThat(receiver.counts()).isEmpty();
    }

    /** A record against a model that remembers everything, over the place where numbers begin again. */
    @Test
    void lossReorderingAndDuplicatesAreToldApart() {
        long seed = System.nanoTime();
        SplittableRandom random = new SplittableRandom(seed);
        SequenceWindow record = new SequenceWindow();
        Set<Integer> seen = new HashSet<>();
        long expected = 0;
        long reordered = 0;
        long duplicate = 0;
        for (int step = 0; step < 200_000; step++) {
            long number = expected + (random.nextInt(3) == 0 ? random.nextInt(-40, 20) : 0);
            if (number < 0) {
                continue;
            }
            record.note((int) number, 10);
            if (!seen.add((int) number)) {
                duplicate++;
            } else if (number < expected) {
                reordered++;
            }
            expected = Math.max(expected, number + 1);
        }
        TrafficReceiver.Count count = record.count(0);
        assertThat(count.received()).as("seed %d", seed).isEqualTo(seen.size());
        assertThat(count.lost()).as("seed %d", seed).isEqualTo(expected - seen.size());
        assertThat(count.reordered()).as("seed %d", seed).isEqualTo(reordered);
        assertThat(count.duplicate()).as("seed %d", seed).isEqualTo(duplicate);
        assertThat(count.late()).isZero();
        record.note((int) (expected + 10L * SequenceWindow.WINDOW), 10);
        record.note((int) expected, 10);
        assertThat(record.count(0).late()).isEqualTo(1);
        assertThat(record.count(0).lost()).isEqualTo(count.lost() + 10L * SequenceWindow.WINDOW);
    }

    @Test
    void numbersBeginAgainAtZero() {
        SequenceWindow record = new SequenceWindow();
        // In leaps below half of the range, as differences are signed.
        for (long number : new long[] {0, 1L << 30, 2L << 30, 3L << 30, 0xffff_fffeL, 0xffff_ffffL, 1L << 32, (1L << 32) + 1}) {
            record.note((int) number, 1);
        }
        TrafficReceiver.Count count = record.count(0);
        assertThat(count.received()).isEqualTo(8);
        assertThat(count.lost()).isEqualTo((1L << 32) + 2 - 8);
        assertThat(count.reordered() + count.duplicate() + count.late()).isZero();
    }

    @Test
    void whatCannotBeIsRefused() {
        assertThatThrownBy(() -> traffic(false, -1, 63)).hasMessage("the size is 63; it must be 64 to 16000");
        assertThatThrownBy(() -> traffic(true, -1, 64)).hasMessage("the size is 64; it must be 82 to 16000");
        assertThatThrownBy(() -> traffic(false, 7, 64)).hasMessage("the size is 64; it must be 66 to 16000");
        assertThatThrownBy(() -> generator(traffic(false, -1, 4_000), 1, TrafficGenerator.Rate.UNLIMITED))
                .hasMessageContaining("does not fit packet memory with 1792 bytes");
    }
}
