package io.guidepost.handle.door;

import static org.assertj.core.api.Assertions.assertThat;

import io.guidepost.base.Malformed;
import io.guidepost.handle.message.HandleMessage;
import io.guidepost.handle.message.HandleVectors;
import io.guidepost.handle.message.MessageFragmenter;
import io.guidepost.handle.message.MessagePacketCount;
import io.guidepost.handle.message.OpFlag;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Mutated datagrams against the whole door, with the service and a store behind it: no exception escapes, what comes out is
 * read by our own codec, records are changed by nobody who did not prove that they may, and nothing grows.
 */
class HandleDoorFuzzTest {
    private static final int[] TELLING = {0, 1, 2, 4, 0x7f, 0x80, 0xff, 0x100, 492, 512, 0x7fff, 0xffff, 0x40000};

    @Test
    void mutatedDatagramsDoNoHarm() throws IOException {
        run(100_000, 42);
    }

    @Test
    @Tag("long")
    void tenMillionMutatedDatagramsDoNoHarm() throws IOException {
        run(10_000_000, Long.getLong("fuzz.seed", 4242));
    }

    static List<byte[]> seeds() {
        List<byte[]> seeds = new ArrayList<>();
        HandleVectors.all().values().forEach(hex -> seeds.add(HandleVectors.bytes(hex)));
        for (String handle : List.of("10.5/one", "10.5/big", "10.5/some", "10.5/none", "0.NA/10.6.1", "10.9/x")) {
            seeds.add(HandleDoorTest.question(handle, List.of(), List.of(), OpFlag.PUBL));
            seeds.add(HandleDoorTest.question(handle, List.of(1, 2), List.of("URL", "HS_."), OpFlag.PUBL));
            seeds.add(HandleDoorTest.question(handle, List.of(), List.of(), OpFlag.RRDG));
        }
        byte[] several = HandleDoorTest.question(
                "10.5/one", IntStream.range(1, 300).boxed().toList(), List.of(), OpFlag.PUBL);
        several[2] |= 0x20;
        for (int i = 0; i < 4; i++) {
            seeds.addAll(MessageFragmenter.of(several));
        }
        return seeds;
    }

    private static void run(int datagrams, long seed) throws IOException {
        SplittableRandom random = new SplittableRandom(seed);
        List<byte[]> seeds = seeds();
        HandleDoorSettings settings = new HandleDoorSettings(true, 64, 0);
        try (HandleDoorStand stand = new HandleDoorStand(HandleDoorTest.SITE, settings, each -> each)) {
            HandleDoorTest.fill(stand);
            long changes = stand.store.status().writes();
            for (int i = 0; i < datagrams; i++) {
                byte[] datagram = mutated(random, seeds.get(random.nextInt(seeds.size())));
                stand.port = 1 + random.nextInt(16);
                stand.now += random.nextInt(4) == 0 ? 1 : 0;
                try {
                    check(stand.ask(datagram));
                } catch (RuntimeException | AssertionError | Malformed e) {
                    throw new AssertionError(
                            "seed " + seed + ", datagram " + i + ": " + HexFormat.of().formatHex(datagram), e);
                }
            }
            assertThat(stand.count(HandleCount.DROPS_FAULT)).isZero();
            assertThat(stand.count(HandleCount.RESPONSES_INDEX_SUCCESS)).isPositive();
            assertThat(stand.count(HandleCount.SERVICE_REQUESTS)).as("calls").isPositive();
            assertThat(stand.count(HandleCount.DROPS_RESPONSE)).as("answers").isPositive();
            assertThat(stand.door.packetCounts().get(MessagePacketCount.FRAGMENTS_ACCEPTED)).as("parts").isPositive();
            assertThat(stand.door.packetCounts().get(MessagePacketCount.REASSEMBLIES_COMPLETE)).as("joined").isPositive();
            assertThat(stand.store.status().writes()).as("changes by nobody").isEqualTo(changes);
        }
    }

    /** Packets of answers are whole messages, or the parts of one after the other. */
    static void check(List<byte[]> packets) throws Malformed {
        List<byte[]> open = new ArrayList<>();
        for (byte[] each : packets) {
            assertThat(each.length).isBetween(21, MessageFragmenter.BYTES_MAX);
            open.add(each);
            byte[] joined = HandleDoorStand.joined(open);
            int length = Integer.parseInt(HexFormat.of().formatHex(joined, 16, 20), 16);
            if (joined.length == 20 + length) {
                if ((joined[2] & 0x40) == 0) {
                    HandleMessage.read(joined);
                }
                open.clear();
            }
        }
        assertThat(open).as("parts of an answer").isEmpty();
    }

    static byte[] mutated(SplittableRandom random, byte[] seed) {
        byte[] bytes = seed.clone();
        int changes = random.nextInt(4);
        for (int i = 0; i < changes && bytes.length > 0; i++) {
            int at = random.nextInt(bytes.length);
            switch (random.nextInt(5)) {
                case 0 -> bytes[at] ^= (byte) (1 << random.nextInt(8));
                case 1 -> bytes[at] = (byte) random.nextInt();
                case 2 -> number(bytes, at & ~3, TELLING[random.nextInt(TELLING.length)] * (random.nextBoolean() ? 1 : -1));
                case 3 -> bytes = Arrays.copyOf(bytes, random.nextInt(bytes.length + 8));
                default -> number(bytes, 16, bytes.length - 20);
            }
        }
        if (bytes.length > 3 && random.nextInt(16) == 0) {
            bytes[2] |= 0x20;
        }
        return bytes.length > 2000 ? Arrays.copyOf(bytes, 2000) : bytes;
    }

    private static void number(byte[] bytes, int at, int number) {
        for (int i = 0; i < 4 && at + i < bytes.length; i++) {
            bytes[at + i] = (byte) (number >>> 24 - 8 * i);
        }
    }
}
