package io.guidepost.packet.pcap;

import static org.assertj.core.api.Assertions.assertThat;

import io.guidepost.base.Memory;
import io.guidepost.packet.frame.Fence;
import io.guidepost.packet.frame.FrameMaker;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What was written is read; and files with changed bytes, cut off anywhere, are read without reading outside of them. */
class CaptureFuzzTest {
    private record Packet(byte[] bytes, int wireLength, long timeNanos) {
        boolean same(Packet other) {
            return Arrays.equals(bytes, other.bytes) && wireLength == other.wireLength && timeNanos == other.timeNanos;
        }
    }

    @TempDir
    Path folder;

    private static List<Packet> make(SplittableRandom random, int number) {
        FrameMaker maker = new FrameMaker(random.nextLong());
        List<Packet> packets = new ArrayList<>();
        for (int i = 0; i < number; i++) {
            byte[] frame = maker.make();
            int wire = frame.length + (random.nextBoolean() ? 0 : random.nextInt(9_000));
            packets.add(new Packet(frame, wire, random.nextLong(1L << 62)));
        }
        return packets;
    }

    private static void write(Path file, List<Packet> packets, SplittableRandom random) throws IOException {
        MemorySegment memory = Arena.ofAuto().allocate(2_048);
        try (CaptureWriter writer = CaptureWriter.create(file, "a test", random.nextBoolean() ? "" : "about it")) {
            for (Packet each : packets) {
                Memory.copy(each.bytes, 0, memory.address(), each.bytes.length);
                String comment = random.nextInt(4) > 0 ? "" : "n".repeat(random.nextInt(2_000));
                writer.write(memory.address(), each.bytes.length, each.wireLength, each.timeNanos, comment);
            }
        }
    }

    private static List<Packet> read(CaptureReader reader) {
        List<Packet> packets = new ArrayList<>();
        while (reader.next()) {
            byte[] bytes = new byte[reader.length()];
            Memory.copy(reader.address(), bytes, 0, bytes.length);
            packets.add(new Packet(bytes, reader.wireLength(), reader.timeNanos()));
        }
        return packets;
    }

    @ParameterizedTest
    @ValueSource(strings = {"a.pcap", "a.pcapng"})
    void whatWasWrittenIsRead(String name) throws IOException {
        SplittableRandom random = new SplittableRandom(7);
        // The classic format has seconds of 32 bits.
        List<Packet> packets = make(random, 5_000).stream()
                .map(each -> new Packet(each.bytes, each.wireLength, each.timeNanos % (1L << 61)))
                .toList();
        Path file = folder.resolve(name);
        write(file, packets, random);
        CaptureReader reader = CaptureReader.open(file);
        List<Packet> there = read(reader);
        assertThat(reader.failure()).isEmpty();
        assertThat(there).hasSameSizeAs(packets);
        for (int i = 0; i < packets.size(); i++) {
            assertThat(there.get(i).same(packets.get(i))).as("packet " + i).isTrue();
        }
    }

    @Test
    void twentyThousandBrokenFiles() throws IOException {
        broken(8, 20_000);
    }

    @Test
    @Tag("long")
    void twoMillionBrokenFiles() throws IOException {
        broken(System.nanoTime(), 2_000_000);
    }

    static List<byte[]> files(Path folder, SplittableRandom random) throws IOException {
        List<byte[]> files = new ArrayList<>();
        for (String name : List.of("a.pcap", "b.pcapng", "c.pcapng")) {
            Path file = folder.resolve(name);
            write(file, make(random, 12), random);
            files.add(Files.readAllBytes(file));
        }
        return files;
    }

    private void broken(long seed, int number) throws IOException {
        SplittableRandom random = new SplittableRandom(seed);
        Fence fence = new Fence(1 << 17);
        List<byte[]> files = files(folder, random);
        int whole = 0;
        int failed = 0;
        for (int i = 0; i < number; i++) {
            byte[] bytes = files.get(random.nextInt(files.size())).clone();
            for (int k = random.nextInt(4); k > 0; k--) {
                int at = random.nextBoolean() ? random.nextInt(200) : random.nextInt(bytes.length);
                bytes[at] = (byte) (random.nextBoolean() ? random.nextInt(256) : bytes[at] ^ 1 << random.nextInt(8));
            }
            int length = random.nextBoolean() ? bytes.length : random.nextInt(bytes.length + 1);
            long at = fence.place(bytes, length);
            if (walk(at, length, "seed " + seed + ", file " + i)) {
                whole++;
            } else {
                failed++;
            }
        }
        assertThat(whole).isGreaterThan(number / 10);
        assertThat(failed).isGreaterThan(number / 10);
    }

    /** Whether it was read to its end. */
    static boolean walk(long at, int length, String which) {
        CaptureReader reader;
        try {
            reader = CaptureReader.over(Path.of("file"), MemorySegment.ofAddress(at).reinterpret(length));
        } catch (IOException e) {
            assertThat(e.getMessage()).startsWith("file:0: ");
            return false;
        }
        long last = at;
        long sum = 0;
        while (reader.next()) {
            if (reader.address() < last || reader.length() < 0 || reader.address() + reader.length() > at + length) {
                throw new AssertionError(which + ": a packet outside of the file, or before the last one");
            }
            last = reader.address() + reader.length();
            for (int i = 0; i < reader.length(); i++) {
                sum += Memory.u8(reader.address() + i);
            }
        }
        assertThat(sum).isNotNegative();
        return reader.failure().isEmpty();
    }
}
