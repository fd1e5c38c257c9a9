package io.guidepost.store.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.guidepost.names.Record;
import io.guidepost.store.RecordStore;
import io.guidepost.store.StoreDamagedException;
import io.guidepost.store.StoreOptions;
import io.guidepost.store.TestImages;
import io.guidepost.store.TestMemory;
import io.guidepost.store.engine.StoreFolder;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.lang.foreign.Arena;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.logging.Level;
import java.util.logging.Logger;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Files that are not as they were left. */
final class DamageTest {
    private static final Logger LOG = Logger.getLogger("io.guidepost.store");
    private static final int RECORDS = 2_000;

    @TempDir
    Path folder;

    @BeforeAll
    static void quiet() {
        LOG.setLevel(Level.OFF);
    }

    @AfterAll
    static void loud() {
        LOG.setLevel(null);
    }

    private static StoreOptions options(Path store) {
        return StoreOptions.in(store)
                .withDurability(RecordStore.Durability.OS)
                .withIndexBytesMax(16 << 20)
                .withBlockCacheBytes(1 << 20)
                .withMemtableBytes(512 << 10);
    }

    /** A store with sorted files and, as it is copied before it closes, a log. */
    private Path made() throws IOException {
        Path original = folder.resolve("original");
        Path copy = folder.resolve("copy");
        for (int round = 0; round < 2; round++) {
            try (EmbeddedStore store = EmbeddedStore.open(options(original))) {
                write(store, round);
            }
        }
        try (EmbeddedStore store = EmbeddedStore.open(options(original))) {
            write(store, 2);
            assertThat(store.delete(TestImages.name(RECORDS))).isFalse();
            copy(original, copy);
        }
        return copy;
    }

    private static void write(EmbeddedStore store, int round) {
        for (int i = 0; i < RECORDS; i++) {
            int content = 3 * i + round;
            while (!store.submit(TestImages.key(i), TestImages.write(content), (outcome, version) -> {})) {
                Thread.onSpinWait();
            }
        }
    }

    private static void copy(Path from, Path to) throws IOException {
        try (Stream<Path> files = Files.walk(from)) {
            for (Path each : files.toList()) {
                Path target = to.resolve(from.relativize(each));
                if (Files.isDirectory(each)) {
                    Files.createDirectories(target);
                } else {
                    Files.copy(each, target);
                }
            }
        }
    }

    private static void delete(Path tree) throws IOException {
        try (Stream<Path> files = Files.walk(tree)) {
            for (Path each : files.sorted((a, b) -> b.compareTo(a)).toList()) {
                Files.delete(each);
            }
        }
    }

    @Test
    void aFlippedBitIsFoundOrHarmless() throws IOException {
        flips(40);
    }

    @Test
    @Tag("long")
    void aFlippedBitIsFoundOrHarmlessFourThousandTimes() throws IOException {
        flips(4_000);
    }

    private void flips(int times) throws IOException {
        long seed = System.nanoTime();
        SplittableRandom random = new SplittableRandom(seed);
        Path whole = made();
        int refused = 0;
        int partly = 0;
        for (int i = 0; i < times; i++) {
            Path damaged = folder.resolve("damaged");
            copy(whole, damaged);
            List<Path> files = engineFiles(damaged);
            Path file = files.get(random.nextInt(files.size()));
            long offset = random.nextLong(Files.size(file));
            int bit = random.nextInt(8);
            flip(file, offset, bit);
            String where = "seed " + seed + ", flip " + i + ": bit " + bit + " of byte " + offset + " of "
                    + Files.size(file) + " of " + file.getFileName();
            try (Arena memory = Arena.ofShared();
                    EmbeddedStore store = EmbeddedStore.open(options(damaged).withMemory(TestMemory.of(memory)))) {
                partly += read(store, where) ? 0 : 1;
            } catch (StoreDamagedException e) {
                assertThat(e).as(where).hasMessageContaining("restore a backup");
                refused++;
            }
            delete(damaged);
        }
        System.out.printf("%d flips: %d refused on opening, %d found on reading, %d harmless%n",
                times, refused, partly, times - refused - partly);
        assertThat(refused + partly).isPositive();
    }

    private static List<Path> engineFiles(Path store) throws IOException {
        try (Stream<Path> files = Files.list(store.resolve("engine"))) {
            return files.filter(each -> each.getFileName()
                            .toString()
                            .matches(".*\\.sst|.*\\.log|MANIFEST.*|CURRENT"))
                    .filter(each -> each.toFile().length() > 0)
                    .sorted()
                    .toList();
        }
    }

    private static void flip(Path file, long offset, int bit) throws IOException {
        try (RandomAccessFile bytes = new RandomAccessFile(file.toFile(), "rw")) {
            bytes.seek(offset);
            int old = bytes.read();
            bytes.seek(offset);
            bytes.write(old ^ 1 << bit);
        }
    }

    /** Whether no damage was found; what could be read must be right. */
    private static boolean read(EmbeddedStore store, String where) {
        boolean all = true;
        Await.until("warm", () -> !store.status().warming());
        for (int i = 0; i < RECORDS; i++) {
            try {
                Optional<Record> record = store.get(TestImages.name(i));
                assertThat(record).as("%s, record %d", where, i).isPresent();
                assertThat(TestImages.content(record.orElseThrow())).as("%s, record %d", where, i).isEqualTo(3L * i + 2);
            } catch (IOException e) {
                all = false;
            }
        }
        if (!all) {
            assertThat(store.status().trouble()).as(where).isNotEmpty();
            assertThat(store.status().damage()).as(where).contains(".sst");
        }
        // Damage in what newer versions hide is found too, and wrongs no answer.
        return store.status().trouble().isEmpty();
    }

    @Test
    void aLogThatWasCutOffIsReadUpToThere() throws IOException {
        Path store = made();
        Path log = engineFiles(store).stream()
                .filter(each -> each.toString().endsWith(".log"))
                .reduce((a, b) -> b)
                .orElseThrow();
        try (RandomAccessFile bytes = new RandomAccessFile(log.toFile(), "rw")) {
            bytes.setLength(bytes.length() - 5);
        }
        try (EmbeddedStore opened = EmbeddedStore.open(options(store))) {
            assertThat(opened.get(TestImages.name(0))).isPresent();
            assertThat(opened.status().trouble()).isEmpty();
        }
    }

    @Test
    void aMissingFileIsNamed() throws IOException {
        Path whole = made();
        for (String missing : List.of("CURRENT", "MANIFEST", ".sst")) {
            Path damaged = folder.resolve("damaged");
            copy(whole, damaged);
            Path file = engineFilesAndCurrent(damaged, missing);
            Files.delete(file);
            assertThatThrownBy(() -> EmbeddedStore.open(options(damaged)))
                    .as(missing)
                    .isInstanceOf(StoreDamagedException.class)
                    .hasMessageContaining(file.getFileName().toString())
                    .hasMessageContaining("restore a backup");
            delete(damaged);
        }
    }

    private static Path engineFilesAndCurrent(Path store, String part) throws IOException {
        return engineFiles(store).stream()
                .filter(each -> each.getFileName().toString().contains(part))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void foreignAndNewerFoldersAreRefusedInWords() throws IOException {
        Path foreign = Files.createDirectory(folder.resolve("foreign"));
        Files.writeString(foreign.resolve("letter.txt"), "Dear Sir");
        assertThatThrownBy(() -> EmbeddedStore.open(options(foreign)))
                .isInstanceOf(StoreDamagedException.class)
                .hasMessageContaining("not a store of Guidepost")
                .hasMessageContaining("letter.txt");
        assertThatThrownBy(() -> EmbeddedStore.open(options(foreign.resolve("letter.txt"))))
                .isInstanceOf(StoreDamagedException.class)
                .hasMessageContaining("a file, not a folder");
        Path newer = folder.resolve("newer");
        EmbeddedStore.open(options(newer)).close();
        Path mark = newer.resolve(StoreFolder.MARK);
        Files.writeString(mark, Files.readString(mark).replace("format 1", "format 2"));
        assertThatThrownBy(() -> EmbeddedStore.open(options(newer)))
                .isInstanceOf(StoreDamagedException.class)
                .hasMessageContaining("format 2")
                .hasMessageContaining("reads format 1");
        Files.writeString(mark, "guidepost");
        assertThatThrownBy(() -> EmbeddedStore.open(options(newer)))
                .isInstanceOf(StoreDamagedException.class)
                .hasMessageContaining("three lines");
    }

    @Test
    void aStoreThatWasNeverReadyIsBegunAnew() throws IOException {
        Path store = folder.resolve("begun");
        EmbeddedStore.open(options(store)).close();
        StoreFolder.writeMark(store, "new");
        Files.delete(store.resolve("engine").resolve("CURRENT"));
        try (EmbeddedStore opened = EmbeddedStore.open(options(store))) {
            assertThat(opened.status().writable()).isTrue();
        }
    }
}
