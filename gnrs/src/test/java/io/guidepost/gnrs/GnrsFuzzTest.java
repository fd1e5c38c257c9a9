package io.guidepost.gnrs;

import static org.assertj.core.api.Assertions.assertThat;

import io.guidepost.base.Malformed;
import io.guidepost.gnrs.GnrsDoorStand.Answer;
import io.guidepost.gnrs.GnrsDoorStand.Peer;
import io.guidepost.gnrs.wire.GnrsMessage;
import io.guidepost.gnrs.wire.GnrsParseResult;
import io.guidepost.gnrs.wire.RandomGnrsMessages;
import io.guidepost.names.Name;
import io.guidepost.names.Record;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Mutated datagrams against codec and door: no exception escapes, answers are bounded by their questions and are read by
 * our own codec, what the codec takes it writes again, and nothing grows. What was found once stands as a file under
 * {@code src/test/resources/fuzz} and is tried again in every build.
 */
class GnrsFuzzTest {
    private static final int NAMES_MAX = 5_000;

    private final GnrsDoorStand stand = new GnrsDoorStand();

    @Test
    void mutatedDatagramsDoNoHarm() {
        run(200_000, 42);
    }

    @Test
    @Tag("long")
    void tenMillionMutatedDatagramsDoNoHarm() {
        long start = System.nanoTime();
        run(10_000_000, System.getProperty("fuzz.seed") == null ? 4242 : Long.getLong("fuzz.seed"));
        long nanos = System.nanoTime() - start;
        System.out.printf(
                "fuzz: 10,000,000 datagrams in %.1f s, %,.0f a second%n", nanos / 1e9, 1e16 / nanos);
    }

    @Test
    void whatWasFoundOnceDoesNoHarm() throws IOException {
        Path folder = Path.of("src/test/resources/fuzz");
        List<Path> files;
        try (Stream<Path> all = Files.list(folder)) {
            files = all.filter(file -> file.toString().endsWith(".hex")).sorted().toList();
        }
        assertThat(files).isNotEmpty();
        for (Path file : files) {
            byte[] datagram =
                    HexFormat.of().parseHex(Files.readString(file).lines().reduce("", String::concat).strip());
            tryOne(GnrsDoorStand.CLIENT, datagram, file.getFileName().toString());
        }
    }

    static List<byte[]> seeds(SplittableRandom random) {
        List<byte[]> seeds = new ArrayList<>();
        GnrsVectors.all().values().forEach(hex -> seeds.add(GnrsVectors.bytes(hex)));
        for (int i = 0; i < 300; i++) {
            seeds.add(RandomGnrsMessages.any(random).write());
        }
        return seeds;
    }

    private void run(int datagrams, long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        List<byte[]> seeds = seeds(random);
        long heapBefore = 0;
        for (int i = 0; i < datagrams; i++) {
            if (i == datagrams / 10) {
                heapBefore = heap();
            }
            byte[] datagram = MessageMutator.mutated(random, seeds);
            Peer peer = random.nextInt(8) == 0 ? Peer.of("2001:db8::9", 4001) : GnrsDoorStand.CLIENT;
            tryOne(peer, datagram, "seed " + seed + ", datagram " + i);
            if (random.nextInt(64) == 0) {
                upset(random);
            }
        }
        forget();
        // Ten megabytes are noise of the collector; a leak of one byte a datagram is as much in the long run.
        assertThat(heap() - heapBefore).isLessThan(10 << 20);
        // A datagram that is malformed as a whole is one message here.
        assertThat(family("REQUESTS_")).isEqualTo(datagrams + stand.count(GnrsCount.CONCATENATED_MESSAGES));
        assertThat(stand.count(GnrsCount.RESPONSES_LOOKUP_SUCCESS)).isPositive();
        countsAddUp();
        for (GnrsParseResult reason : GnrsParseResult.values()) {
            assertThat(stand.count(reason) > 0).as(reason.name()).isEqualTo(reason != GnrsParseResult.OK);
        }
    }

    /** Every message ended in exactly one way, and every way is counted. */
    private void countsAddUp() {
        long found = sum(GnrsCount.LOOKUPS_FOUND, GnrsCount.LOOKUPS_EMPTY);
        long failed = sum(
                GnrsCount.LOOKUPS_ELSEWHERE, GnrsCount.LOOKUPS_ENGINE_MAX, GnrsCount.LOOKUPS_ENGINE_FAILED);
        long refused = sum(
                GnrsCount.WRITES_ELSEWHERE,
                GnrsCount.WRITES_NAME_MISMATCH,
                GnrsCount.WRITES_BINDINGS_MAX,
                GnrsCount.WRITES_RECORD_BYTES_MAX,
                GnrsCount.WRITES_IN_FLIGHT_MAX,
                GnrsCount.WRITES_SOURCE_QUOTA,
                GnrsCount.WRITES_NAME_QUOTA,
                GnrsCount.WRITES_QUEUE_FULL,
                GnrsCount.WRITES_STORE_FAILED);
        long written = stand.count(GnrsCount.WRITES_DONE);
        assertThat(stand.count(GnrsCount.RESPONSES_LOOKUP_SUCCESS)).isEqualTo(found);
        assertThat(stand.count(GnrsCount.RESPONSES_LOOKUP_FAILED)).isEqualTo(failed);
        assertThat(sum(GnrsCount.RESPONSES_INSERT_SUCCESS, GnrsCount.RESPONSES_UPDATE_SUCCESS)).isEqualTo(written);
        assertThat(sum(GnrsCount.RESPONSES_INSERT_FAILED, GnrsCount.RESPONSES_UPDATE_FAILED)).isEqualTo(refused);
        long malformed = Stream.of(GnrsParseResult.values()).mapToLong(stand::count).sum();
        assertThat(stand.count(GnrsCount.DROPS_MALFORMED)).isEqualTo(malformed);
        assertThat(family("REQUESTS_")).isEqualTo(family("RESPONSES_") + family("DROPS_"));
    }

    private long family(String prefix) {
        return sum(Stream.of(GnrsCount.values()).filter(each -> each.name().startsWith(prefix)).toArray(GnrsCount[]::new));
    }

    private long sum(GnrsCount... counts) {
        return Stream.of(counts).mapToLong(stand::count).sum();
    }

    /** Lets time go on, the disk fill, the index forget: and keeps the store small, as mutated names are many. */
    void upset(SplittableRandom random) {
        stand.now += random.nextInt(1000);
        stand.store.cold = random.nextInt(4) == 0;
        stand.store.diskFull = random.nextInt(8) == 0;
        stand.store.queueMax = random.nextInt(16) == 0 ? 0 : Integer.MAX_VALUE;
        if (stand.store.status().records() > NAMES_MAX) {
            forget();
        }
    }

    private void forget() {
        List<Name> names = new ArrayList<>();
        stand.store.scan(new byte[0], null, (Record record) -> names.add(record.name()));
        names.forEach(stand.store::delete);
    }

    private static long heap() {
        System.gc();
        Runtime runtime = Runtime.getRuntime();
        return runtime.totalMemory() - runtime.freeMemory();
    }

    void tryOne(Peer peer, byte[] datagram, String where) {
        try {
            int out = 0;
            for (Answer answer : stand.ask(peer, datagram)) {
                out += answer.bytes().length;
                answer.message();
            }
            if (out > 3 * datagram.length) {
                throw new AssertionError(out + " bytes of answer");
            }
            codec(datagram);
        } catch (RuntimeException | Error e) {
            throw new AssertionError(where + ": " + HexFormat.of().formatHex(datagram), e);
        }
    }

    private static void codec(byte[] datagram) {
        GnrsMessage message;
        try {
            message = GnrsMessage.read(datagram);
        } catch (Malformed refused) {
            if (refused.offset() < 0 || refused.offset() > datagram.length) {
                throw new AssertionError("a fault outside of the message", refused);
            }
            return;
        }
        try {
            if (!GnrsMessage.read(message.write()).equals(message)) {
                throw new AssertionError("written and read again it is another message");
            }
        } catch (Malformed e) {
            throw new AssertionError("what was read and written is refused", e);
        }
    }
}
