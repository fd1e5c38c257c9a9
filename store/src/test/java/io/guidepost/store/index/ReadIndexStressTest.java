package io.guidepost.store.index;

import static org.assertj.core.api.Assertions.assertThat;

import io.guidepost.base.Memory;
import io.guidepost.store.IndexMemory;
import io.guidepost.store.RecordImage;
import io.guidepost.store.RecordReader;
import io.guidepost.store.TestImages;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Readers beside a writer that overwrites, removes, grows, compacts and reuses memory as fast as it can. Each image
 * must be whole, must be of the key asked for, and its version must be one that this key has had: not older than what
 * the reader saw of it before, and not newer than what was written. Without {@link EpochReclaimer} this fails within a second.
 */
final class ReadIndexStressTest {
    @Test
    void readersSeeWholeImagesThatWereThere() throws InterruptedException {
        run(2_000_000_000L, 64 << 20, 20_000);
    }

    @Test
    void readersSeeWholeImagesWhileTheIndexForgets() throws InterruptedException {
        run(2_000_000_000L, 16 << 20, 100_000);
    }

    @Test
    @Tag("long")
    void readersSeeWholeImagesForLong() throws InterruptedException {
        run(60_000_000_000L, 64 << 20, 20_000);
        run(60_000_000_000L, 16 << 20, 100_000);
    }

    private static void run(long nanos, long bytesMax, int keys) throws InterruptedException {
        long seed = System.nanoTime();
        ReadIndex index = new ReadIndex(bytesMax, new SplittableRandom(seed)::nextLong, IndexMemory.ofRuntime());
        AtomicLongArray written = new AtomicLongArray(keys);
        AtomicBoolean stop = new AtomicBoolean();
        AtomicReference<@Nullable String> wrong = new AtomicReference<>();
        AtomicLong looks = new AtomicLong();
        List<Thread> readers = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            long readerSeed = seed + i;
            readers.add(Thread.ofPlatform().start(() -> {
                try {
                    looks.addAndGet(read(index, readerSeed, written, stop));
                } catch (RuntimeException | Error e) {
                    wrong.compareAndSet(null, "seed " + seed + ": " + e);
                    stop.set(true);
                }
            }));
        }
        long deadline = System.nanoTime() + nanos;
        SplittableRandom random = new SplittableRandom(seed);
        for (long version = 1; !stop.get() && (version % 256 != 0 || System.nanoTime() - deadline < 0); version++) {
            int number = random.nextInt(keys);
            byte[] key = TestImages.key(number);
            long hash = index.hash(key);
            if (random.nextInt(10) == 0) {
                index.remove(key, hash);
            } else {
                written.set(number, version);
                index.put(key, hash, TestImages.image(key, version, version));
            }
            if (version % 16 == 0) {
                index.tidy();
            }
        }
        stop.set(true);
        for (Thread each : readers) {
            each.join();
        }
        assertThat(wrong.get()).isNull();
        assertThat(looks.get()).isGreaterThan(1000);
    }

    private static long read(ReadIndex index, long seed, AtomicLongArray written, AtomicBoolean stop) {
        RecordReader reader = index.reader();
        SplittableRandom random = new SplittableRandom(seed);
        long[] seen = new long[written.length()];
        int keys = written.length();
        long looks = 0;
        while (!stop.get()) {
            reader.enter();
            // Each once: of two looks for one key in a burst, the one that was named ahead may show what is older.
            int[] numbers = random.ints(0, keys).distinct().limit(64).toArray();
            for (int i = random.nextInt(64); i < 64; i++) {
                byte[] key = TestImages.key(numbers[i]);
                reader.prefetch(key[0], MemorySegment.ofArray(key), 1, 20);
            }
            for (int i = 0; i < 64; i++, looks++) {
                int number = numbers[i];
                byte[] key = TestImages.key(number);
                if (reader.find(key[0], MemorySegment.ofArray(key), 1, 20) != RecordReader.Found.YES) {
                    continue;
                }
                // Wrong memory may say any length: what is read is bounded before it is compared.
                int length = RecordImage.length(reader.segment(), reader.offset());
                check(length > 0 && length < 1024, "a length of " + length);
                byte[] image = Memory.read(reader.offset(), length);
                long version = Memory.longAt(image, 8);
                check(version >= seen[number] && version <= written.get(number), "version " + version);
                check(Arrays.equals(image, TestImages.image(key, version, version)), "an image that is not whole");
                seen[number] = version;
            }
            reader.exit();
        }
        return looks;
    }

    private static void check(boolean holds, String otherwise) {
        if (!holds) {
            throw new IllegalStateException(otherwise);
        }
    }
}
