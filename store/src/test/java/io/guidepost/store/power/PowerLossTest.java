package io.guidepost.store.power;

import static org.assertj.core.api.Assertions.assertThat;

import io.guidepost.names.Binding;
import io.guidepost.names.Name;
import io.guidepost.names.Record;
import io.guidepost.store.RecordStore;
import io.guidepost.store.RecordStore.Durability;
import io.guidepost.store.StoreDamagedException;
import io.guidepost.store.TestImages;
import io.guidepost.store.TestMemory;
import io.guidepost.store.embedded.EmbeddedStore;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Cuts the power of a writing process at any of its calls, and looks whether the store opens on each disk that could be left,
 * and holds what was acknowledged; and nothing else.
 */
final class PowerLossTest {
    private static final int ACKNOWLEDGED_MIN = 9_000;

    /** Of this many cuts one has the store opened a second time as well, and another the last backup restored. */
    private static final int MORE_EACH = 4;

    private static final Logger LOG = Logger.getLogger("io.guidepost.store");

    @TempDir
    Path temporary;

    /** Each cut would tell what was cut off. */
    @BeforeEach
    void quiet() {
        LOG.setLevel(Level.WARNING);
    }

    @AfterEach
    void loud() {
        LOG.setLevel(null);
    }

    @Test
    void acknowledgedWritesAreThereWithFsync() throws Exception {
        cut(Durability.FSYNC, 80);
    }

    @Test
    void aPrefixIsThereWithOs() throws Exception {
        cut(Durability.OS, 60);
    }

    @Test
    void aPrefixIsThereWithMemory() throws Exception {
        cut(Durability.MEMORY, 20);
    }

    @Test
    void aRestoredStoreIsWholeOrRefused() throws Exception {
        restore(20);
    }

    @Test
    @Tag("long")
    void everythingHoldsAtThousandsOfCuts() throws Exception {
        for (int i = 0; i < 8; i++) {
            for (Durability each : Durability.values()) {
                cut(each, 400);
            }
            restore(60);
        }
    }

    private PowerCuts cuts() throws IOException {
        return new PowerCuts(Files.createTempDirectory(temporary, "cuts"));
    }

    private void cut(Durability durability, int number) throws Exception {
        PowerCuts cuts = cuts();
        WriteHistory history = new WriteHistory();
        List<String> arguments = List.of(durability.name(), Long.toString(cuts.random().nextLong()));
        long[] lost = {0};
        int[] cut = {0};
        WriteJournal journal = cuts.run(number, PowerLossChild.class, arguments, (image, marks, where) -> {
            history.hear(marks);
            int least = durability == Durability.FSYNC ? history.acknowledged() : history.acknowledgedAtClose();
            int prefix = check(image, durability, history, least, where);
            lost[0] += Math.max(0, history.acknowledged() - prefix);
            switch (cut[0]++ % MORE_EACH) {
                case 0 -> checkAgain(image, durability, history.after(prefix), where);
                case 1 -> checkBackup(image, history, where);
                default -> {}
            }
        });
        System.out.printf("%s: %d writes acknowledged, %d of those at a cut were not there%n",
                durability, history.acknowledged(), lost[0]);
        assertThat(history.acknowledged()).as("acknowledged writes").isGreaterThan(ACKNOWLEDGED_MIN);
        if (durability == Durability.FSYNC) {
            assertThat(journal.count('s')).as("syncs").isGreaterThan(ACKNOWLEDGED_MIN / PowerLossChild.OUTSTANDING);
        } else {
            assertThat(lost[0]).as("acknowledged writes that cuts took: else they took nothing").isPositive();
        }
    }

    private static EmbeddedStore open(Path root, Durability durability, Arena memory) throws IOException {
        return EmbeddedStore.open(PowerLossChild.options(root, durability).withMemory(TestMemory.of(memory)));
    }

    private static int check(Path image, Durability durability, WriteHistory history, int least, String where) throws IOException {
        try (Arena memory = Arena.ofShared();
                EmbeddedStore store = open(image, durability, memory)) {
            Map<Long, Long> found = contents(store);
            int prefix = history.prefix(found, least, where);
            assertThat(store.status().trouble()).as(where).isEmpty();
            for (long number = 0; number < PowerLossChild.KEYS; number++) {
                Record record = store.get(TestImages.name(number)).orElse(null);
                assertThat(record == null ? null : TestImages.content(record))
                        .as("%s, key %d", where, number)
                        .isEqualTo(found.get(number));
            }
            long added = store.put(added(), Record.ABSENT).orElseThrow();
            if (durability == Durability.FSYNC) {
                assertThat(added).as("%s: a version after those before the cut", where).isGreaterThan(history.version());
            }
            return prefix;
        }
    }

    private static void checkAgain(Path image, Durability durability, Map<Long, Long> found, String where) throws IOException {
        try (Arena memory = Arena.ofShared();
                EmbeddedStore store = open(image, durability, memory)) {
            Map<Long, Long> again = contents(store);
            assertThat(again.remove((long) PowerLossChild.KEYS)).as("%s, opened again: what was added", where).isEqualTo(1);
            assertThat(again).as("%s, opened again", where).isEqualTo(found);
        }
    }

    private static Record added() {
        return new Record(TestImages.name(PowerLossChild.KEYS), 0, List.of(Binding.of(TestImages.place(1))), List.of());
    }

    private static Map<Long, Long> contents(EmbeddedStore store) throws IOException {
        Map<Name, Long> numbers = new HashMap<>();
        for (long number = 0; number <= PowerLossChild.KEYS; number++) {
            numbers.put(TestImages.name(number), number);
        }
        Map<Long, Long> found = new HashMap<>();
        store.scan(new byte[0], null, record -> {
            Long number = numbers.get(record.name());
            if (number == null) {
                throw new AssertionError("a key that was never written: " + record.name());
            }
            found.put(number, TestImages.content(record));
            return true;
        });
        return found;
    }

    /** The last backup that was finished has what was there before it. */
    private static void checkBackup(Path image, WriteHistory history, String where) throws IOException {
        if (history.lastBackup() < 0) {
            return;
        }
        Path restored = image.resolve("restored");
        EmbeddedStore.restore(image.resolve("backups").resolve(Long.toString(history.lastBackup())), restored.resolve("store"));
        try (Arena memory = Arena.ofShared();
                EmbeddedStore store = open(restored, Durability.FSYNC, memory)) {
            assertThat(contents(store))
                    .as("%s, backup %d", where, history.lastBackup())
                    .isEqualTo(history.after(history.acknowledgedAtBackup()));
        }
    }

    private void restore(int number) throws Exception {
        PowerCuts cuts = cuts();
        Map<Long, Long> whole;
        try (EmbeddedStore store =
                EmbeddedStore.open(PowerLossChild.options(cuts.root().resolve("before"), Durability.FSYNC))) {
            for (long key = 0; key < PowerLossChild.KEYS; key++) {
                assertThat(store.submit(TestImages.key(key), TestImages.write(3 * key), (outcome, version) -> {})).isTrue();
            }
            store.put(added(), Record.ABSENT);
            store.backup(cuts.root().resolve("backup"));
            whole = contents(store);
        }
        assertThat(whole).hasSize(PowerLossChild.KEYS + 1);
        JournaledProcess.delete(cuts.root().resolve("before"));
        cuts.run(number, RestoreChild.class, List.of(), (image, marks, where) -> {
            Path folder = image.resolve("store");
            boolean begun = EmbeddedStore.exists(folder);
            try (Arena memory = Arena.ofShared();
                    EmbeddedStore store = open(image, Durability.FSYNC, memory)) {
                if (begun || !marks.isEmpty()) {
                    assertThat(contents(store)).as(where).isEqualTo(whole);
                }
            } catch (StoreDamagedException e) {
                assertThat(marks).as("%s: a finished restore is refused: %s", where, e.getMessage()).isEmpty();
            }
        });
    }

    /** The process whose power is lost while it restores a backup. */
    static final class RestoreChild {
        private RestoreChild() {}

        /** Argument: folder. */
        public static void main(String[] args) throws IOException {
            Path root = Path.of(args[0]);
            Marks marks = new Marks(root);
            EmbeddedStore.restore(root.resolve("backup"), root.resolve("store"));
            marks.say('R', 0, 0, 0);
            EmbeddedStore.open(PowerLossChild.options(root, RecordStore.Durability.FSYNC)).close();
        }
    }
}
