package io.guidepost.store.index;

import static org.assertj.core.api.Assertions.assertThat;

import io.guidepost.base.Memory;
import io.guidepost.store.IndexMemory;
import io.guidepost.store.RecordImage;
import io.guidepost.store.RecordReader;
import io.guidepost.store.StoreLimits;
import io.guidepost.store.TestImages;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The index against a map, by one thread. */
final class ReadIndexTest {
    private static ReadIndex index(long bytesMax, long seed) {
        return new ReadIndex(bytesMax, new SplittableRandom(seed)::nextLong, IndexMemory.ofRuntime());
    }

    /** The image that a reader finds, or null. */
    private static byte[] find(RecordReader reader, byte[] key) {
        reader.enter();
        try {
            // Whatever it fetches ahead must change nothing, and read nothing that is not there.
            reader.prefetch(key[0], MemorySegment.ofArray(key), 1, key.length - 1);
            return switch (reader.find(key[0], MemorySegment.ofArray(key), 1, key.length - 1)) {
                case YES ->
                    Memory.read(reader.offset(), RecordImage.length(reader.segment(), reader.offset()));
                case NO -> new byte[0];
                case UNKNOWN -> new byte[] {-1};
            };
        } finally {
            reader.exit();
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6})
    void agreesWithAMap(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        ReadIndex index = index(64 << 20, seed);
        index.completed();
        RecordReader reader = index.reader();
        TreeMap<byte[], byte[]> model = new TreeMap<>(Arrays::compareUnsigned);
        int keys = 1 << random.nextInt(3, 15);
        for (int step = 1; step <= 60_000; step++) {
            byte[] key = key(random, keys);
            long hash = index.hash(key);
            switch (random.nextInt(8)) {
                case 0, 1, 2, 3 -> {
                    byte[] image = TestImages.image(key, step, random.nextInt(100));
                    index.put(key, hash, image);
                    model.put(key, image);
                }
                case 4, 5 -> {
                    index.remove(key, hash);
                    model.remove(key);
                }
                case 6 -> index.tidy();
                default ->
                    assertThat(find(reader, key))
                            .as("seed %d, step %d", seed, step)
                            .isEqualTo(model.getOrDefault(key, new byte[0]));
            }
        }
        assertThat(index.records()).as("seed %d", seed).isEqualTo(model.size());
        model.forEach((key, image) -> assertThat(find(reader, key)).as("seed %d", seed).isEqualTo(image));
        assertThat(index.evicted()).isZero();
    }

    @Test
    void aWordBesideAnImageStaysWithIt() {
        ReadIndex index = ReadIndex.withNotes(64 << 20, new SplittableRandom(1)::nextLong, IndexMemory.ofRuntime());
        RecordReader reader = index.reader();
        SplittableRandom random = new SplittableRandom(3);
        Map<Integer, Long> notes = new HashMap<>();
        for (int i = 0; i < 600_000; i++) {
            int number = i < 20_000 ? i : random.nextInt(10_000);
            byte[] key = TestImages.key(number);
            if (i % 3 == 0 && notes.containsKey(number)) {
                ReadIndex.note(index.address(key, index.hash(key)), i);
            } else {
                index.put(key, index.hash(key), TestImages.image(key, 1, random.nextInt(4)), i);
            }
            notes.put(number, (long) i);
            index.tidy();
        }
        notes.forEach((number, note) -> {
            byte[] key = TestImages.key(number);
            reader.enter();
            assertThat(reader.find(key[0], MemorySegment.ofArray(key), 1, key.length - 1)).isEqualTo(RecordReader.Found.YES);
            assertThat(ReadIndex.note(reader.offset())).as("name %d", number).isEqualTo(note);
            reader.exit();
        });
        assertThat(index.evicted()).isZero();
        assertThat(index.bytes()).as("chunks were compacted").isLessThan(32 << 20);
    }

    @Test
    void whatDoesNotFitAChunkWithItsWordIsLeftOut() {
        byte[] key = TestImages.key(1);
        int rest = RecordImage.writeForm(key, 1, new byte[0]).length;
        byte[] largest = RecordImage.writeForm(key, 1, new byte[StoreLimits.CHUNK_BYTES - rest]);
        ReadIndex plain = index(16 << 20, 1);
        plain.put(key, plain.hash(key), largest);
        assertThat(plain.contains(key, plain.hash(key))).isTrue();
        ReadIndex index = ReadIndex.withNotes(16 << 20, new SplittableRandom(1)::nextLong, IndexMemory.ofRuntime());
        index.put(key, index.hash(key), TestImages.image(key, 1, 1), 1);
        index.put(key, index.hash(key), largest, 2);
        assertThat(index.contains(key, index.hash(key))).as("what it replaces is not shown either").isFalse();
        assertThat(index.records()).isZero();
    }

    /** Keys of all lengths: the hash and the comparison take them in words of different sizes. */
    private static byte[] key(SplittableRandom random, int keys) {
        int number = random.nextInt(keys);
        byte[] key = new byte[2 + number % 70];
        new SplittableRandom(number).nextBytes(key);
        key[0] = (byte) (1 + number % 2);
        return key;
    }

    @Test
    void keysThatDifferInOneByteAreTwoKeys() {
        ReadIndex index = index(8 << 20, 1);
        index.completed();
        RecordReader reader = index.reader();
        for (int length = 2; length < 60; length++) {
            byte[] key = new byte[length];
            key[0] = 1;
            index.put(key, index.hash(key), TestImages.image(key, length, 0));
            for (int i = 0; i < length; i++) {
                byte[] other = key.clone();
                other[i] ^= 8;
                assertThat(find(reader, other)).as("length %d, byte %d", length, i).isEmpty();
            }
            assertThat(find(reader, key)).isNotEmpty();
        }
    }

    @Test
    void endlessOverwritingNeedsNoMoreMemory() {
        ReadIndex index = index(256 << 20, 1);
        int records = 50_000;
        long payload = 0;
        SplittableRandom random = new SplittableRandom(5);
        long afterTwo = 0;
        for (int i = 0; i < 30 * records; i++) {
            byte[] key = TestImages.key(i < records ? i : random.nextInt(records));
            byte[] image = TestImages.image(key, i + 1, random.nextInt(4));
            payload += i < records ? image.length : 0;
            index.put(key, index.hash(key), image);
            if (i % 100 == 0) {
                index.tidy();
            }
            if (i == 3 * records) {
                afterTwo = index.bytes();
            }
        }
        assertThat(index.records()).isEqualTo(records);
        assertThat(index.bytes()).isLessThanOrEqualTo(afterTwo + (4 << 20));
        assertThat(index.bytes()).isLessThan(2 * payload + (8 << 20));
    }

    @Test
    void shrinkingGivesMemoryBackToTheIndex() {
        ReadIndex index = index(64 << 20, 1);
        for (int round = 0; round < 5; round++) {
            for (int i = 0; i < 100_000; i++) {
                byte[] key = TestImages.key(i);
                index.put(key, index.hash(key), TestImages.image(key, 1, 0));
                if (i % 64 == 0) {
                    index.tidy();
                }
            }
            for (int i = 0; i < 100_000; i++) {
                byte[] key = TestImages.key(i);
                index.remove(key, index.hash(key));
                if (i % 64 == 0) {
                    index.tidy();
                }
            }
            assertThat(index.records()).isZero();
            assertThat(index.evicted()).isZero();
        }
        assertThat(index.bytes()).isLessThan(40 << 20);
    }

    @Test
    void aFullIndexForgetsTheOldestAndSaysThatItDoesNotKnow() {
        ReadIndex index = index(16 << 20, 1);
        index.completed();
        RecordReader reader = index.reader();
        int records = 400_000;
        for (int i = 0; i < records; i++) {
            byte[] key = TestImages.key(i);
            index.put(key, index.hash(key), TestImages.image(key, 1, 0));
            if (i % 64 == 0) {
                index.tidy();
            }
        }
        assertThat(index.bytes()).isLessThanOrEqualTo(16 << 20);
        assertThat(index.complete()).isFalse();
        assertThat(index.records() + index.evicted()).isEqualTo(records);
        assertThat(index.records()).isGreaterThan(40_000);
        assertThat(find(reader, TestImages.key(0))).isEqualTo(new byte[] {-1});
        byte[] last = TestImages.key(records - 1);
        assertThat(find(reader, last)).isEqualTo(TestImages.image(last, 1, 0));
    }

    @Test
    void aReaderThatStaysCannotBeOverwritten() {
        ReadIndex index = index(8 << 20, 1);
        RecordReader reader = index.reader();
        byte[] first = TestImages.key(0);
        byte[] image = TestImages.image(first, 1, 0);
        index.put(first, index.hash(first), image);
        reader.enter();
        assertThat(reader.find(first[0], MemorySegment.ofArray(first), 1, 20)).isEqualTo(RecordReader.Found.YES);
        long seen = reader.offset();
        for (int i = 1; i < 300_000; i++) {
            byte[] key = TestImages.key(i);
            index.put(key, index.hash(key), TestImages.image(key, 2, 1));
            index.tidy();
        }
        assertThat(Memory.read(seen, image.length)).isEqualTo(image);
        // All that did not fit while the reader stayed is unknown, and nothing that is shown is wrong.
        assertThat(index.complete()).isFalse();
        reader.exit();
        for (int i = 0; i < 100_000; i++) {
            byte[] key = TestImages.key(i);
            index.put(key, index.hash(key), TestImages.image(key, 3, 2));
            index.tidy();
        }
        byte[] key = TestImages.key(99_999);
        assertThat(find(reader, key)).isEqualTo(TestImages.image(key, 3, 2));
    }

    @Test
    void theSweepTellsEachRecordThatHasEnded() {
        ReadIndex index = index(64 << 20, 1);
        SplittableRandom random = new SplittableRandom(11);
        Map<Integer, Long> ends = new HashMap<>();
        for (int i = 0; i < 50_000; i++) {
            long end = random.nextInt(5) == 0 ? 0 : 1 + random.nextInt(1000);
            byte[] key = TestImages.key(i);
            index.put(key, index.hash(key), TestImages.imageUntil(key, 1, end));
            ends.put(i, end);
        }
        long live = ends.values().stream().filter(end -> end == 0 || end > 500).count();
        Set<MemorySegment> told = new HashSet<>();
        while (index.sweep(500, 100, key -> {
            told.add(MemorySegment.ofArray(key));
            index.remove(key, index.hash(key));
        })) {
            assertThat(told.size()).isLessThanOrEqualTo(50_000);
        }
        assertThat(index.records()).isEqualTo(live);
        assertThat(told.size()).isEqualTo(50_000 - (int) live);
    }

    @Test
    void hashesSpreadEvenlyAndDifferBetweenProcesses() {
        KeyHash hash = new KeyHash(new SplittableRandom(1)::nextLong);
        KeyHash other = new KeyHash(new SplittableRandom(2)::nextLong);
        int[] shards = new int[256];
        int[] homes = new int[256];
        for (int i = 0; i < 256 * 400; i++) {
            byte[] key = new byte[21];
            key[0] = 1;
            Memory.longAt(key, 13, i);
            MemorySegment segment = MemorySegment.ofArray(key);
            long value = hash.hash(key[0], segment, 1, 20);
            assertThat(other.hash(key[0], segment, 1, 20)).isNotEqualTo(value);
            shards[(int) (value >>> 56)]++;
            homes[(int) value & 0xff]++;
        }
        // 400 expected, standard deviation 20: six of them are a chance of one in a billion.
        assertThat(Arrays.stream(shards).boxed()).allMatch(count -> count > 280 && count < 520);
        assertThat(Arrays.stream(homes).boxed()).allMatch(count -> count > 280 && count < 520);
    }
}
