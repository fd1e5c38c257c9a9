package io.guidepost.store.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.guidepost.store.StoreDamagedException;
import io.guidepost.store.StoreOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Logs as a power loss leaves them, and as a failing disk does. */
final class LogTailTest {
    private static final int GROUPS = 60;
    private static final int VALUES = 3;
    private static final int VALUE_BYTES = 1_000;
    private static final int SECTOR_BYTES = 512;

    /** Header, count and sequence, and what stands around three keys of two bytes and their values. */
    private static final int GROUP_BYTES_MIN = VALUES * VALUE_BYTES;

    @TempDir
    Path folder;

    private String name = "";
    private Path log = Path.of("");
    private byte[] whole = new byte[0];

    @BeforeEach
    void writeSynced() throws IOException {
        write("synced", true);
    }

    /** Writes groups, and copies the files as they are while the engine is open: as kill -9 leaves them. */
    private void write(String store, boolean sync) throws IOException {
        name = store;
        Path live = folder.resolve("live-" + name);
        Path left = folder.resolve(name);
        RocksEngine engine = RocksEngine.open(StoreFolder.open(live), StoreOptions.in(live));
        SplittableRandom random = new SplittableRandom(1);
        for (int group = 0; group < GROUPS; group++) {
            WriteBatchBuffer batch = new WriteBatchBuffer();
            batch.clear();
            for (int value = 0; value < VALUES; value++) {
                byte[] bytes = new byte[VALUE_BYTES];
                random.nextBytes(bytes);
                batch.put(key(group, value), bytes);
            }
            engine.write(batch, sync);
        }
        copy(live, left);
        engine.close();
        try (Stream<Path> files = Files.list(engine())) {
            log = files.filter(each -> each.toString().endsWith(".log")).findFirst().orElseThrow();
        }
        whole = Files.readAllBytes(log);
        assertThat(whole.length).isGreaterThan(GROUPS * GROUP_BYTES_MIN);
    }

    private Path engine() {
        return folder.resolve(name).resolve("engine");
    }

    private static byte[] key(int group, int value) {
        return new byte[] {1, (byte) group, (byte) value};
    }

    private static void copy(Path from, Path to) throws IOException {
        try (Stream<Path> files = Files.walk(from)) {
            for (Path each : files.toList()) {
                Files.copy(each, to.resolve(from.relativize(each)));
            }
        }
    }

    /** Opens the store, and returns how many groups are there: all of the first, whole, and none after them. */
    private int groups() throws IOException {
        Path store = folder.resolve(name);
        RocksEngine engine = RocksEngine.open(StoreFolder.open(store), StoreOptions.in(store));
        try {
            int groups = 0;
            for (int group = 0; group < GROUPS; group++) {
                int there = 0;
                for (int value = 0; value < VALUES; value++) {
                    there += engine.get(key(group, value)) == null ? 0 : 1;
                }
                assertThat(there).as("values of group %d", group).isIn(0, VALUES);
                assertThat(there == 0 || groups == group).as("group %d after a hole", group).isTrue();
                groups += there == 0 ? 0 : 1;
            }
            return groups;
        } finally {
            engine.close();
        }
    }

    private void zero(int from, int to) throws IOException {
        byte[] bytes = whole.clone();
        Arrays.fill(bytes, from, to, (byte) 0);
        Files.write(log, bytes);
    }

    @Test
    void wholeLogsStayAsTheyAre() throws IOException {
        LogTail.cut(engine());
        assertThat(Files.readAllBytes(log)).isEqualTo(whole);
        assertThat(groups()).isEqualTo(GROUPS);
    }

    @Test
    void aGroupWithoutOneOfItsSectorsIsCutOff() throws IOException {
        int last = whole.length / SECTOR_BYTES * SECTOR_BYTES;
        for (int sector = last; sector > whole.length - GROUP_BYTES_MIN; sector -= SECTOR_BYTES) {
            zero(sector, Math.min(sector + SECTOR_BYTES, whole.length));
            LogTail.cut(engine());
            assertThat(Files.size(log)).as("sector at %d", sector).isBetween(
                    whole.length - GROUP_BYTES_MIN - 200L, whole.length - (long) GROUP_BYTES_MIN);
        }
        assertThat(groups()).isEqualTo(GROUPS - 1);
    }

    @Test
    void aLogThatEndsAnywhereIsReadUpToThere() throws IOException {
        for (int size = whole.length; size > whole.length - 2 * GROUP_BYTES_MIN; size -= 97) {
            Files.write(log, Arrays.copyOf(whole, size));
            LogTail.cut(engine());
            assertThat(Files.size(log)).isLessThanOrEqualTo(size);
            Files.write(log, Arrays.copyOf(Arrays.copyOf(whole, size), size + 5000));
            LogTail.cut(engine());
            assertThat(Files.size(log)).as("zeros after %d", size).isLessThanOrEqualTo(size);
        }
        assertThat(groups()).isBetween(GROUPS - 3, GROUPS - 2);
    }

    @Test
    void eachFlippedBitIsRefused() throws IOException {
        refuseFlips();
        write("relaxed", false);
        refuseFlips();
    }

    private void refuseFlips() throws IOException {
        SplittableRandom random = new SplittableRandom(2);
        for (int i = 0; i < 300; i++) {
            byte[] bytes = whole.clone();
            int at = random.nextInt(whole.length - 2 * GROUP_BYTES_MIN);
            bytes[at] ^= (byte) (1 << random.nextInt(8));
            if (isPadding(at)) {
                continue;
            }
            Files.write(log, bytes);
            assertThatThrownBy(() -> LogTail.cut(engine()))
                    .as("byte %d", at)
                    .isInstanceOf(StoreDamagedException.class)
                    .hasMessageContaining(log.getFileName().toString())
                    .hasMessageContaining("restore a backup");
            assertThat(Files.readAllBytes(log)).isEqualTo(bytes);
        }
    }

    /** Returns whether a byte may be one of the at most six zeros before the end of a block. */
    private static boolean isPadding(int at) {
        return (at + 6) / (32 << 10) > at / (32 << 10);
    }

    @Test
    void aStoreWithADamagedLogDoesNotOpen() throws IOException {
        byte[] bytes = whole.clone();
        bytes[whole.length / 2] ^= 1;
        Files.write(log, bytes);
        assertThatThrownBy(this::groups)
                .isInstanceOf(StoreDamagedException.class)
                .hasMessageContaining(log.getFileName().toString());
        Files.write(log, whole);
        assertThat(groups()).isEqualTo(GROUPS);
    }

    @Test
    void aSectorLostBeforeASyncedGroupIsRefused() throws IOException {
        zero(40 * SECTOR_BYTES, 41 * SECTOR_BYTES);
        assertThatThrownBy(() -> LogTail.cut(engine())).isInstanceOf(StoreDamagedException.class);
    }

    private Path manifest() throws IOException {
        return engine().resolve(Files.readString(engine().resolve("CURRENT")).strip());
    }

    @Test
    void aTornManifestIsCutOff() throws IOException {
        byte[] before = Files.readAllBytes(manifest());
        int length = 4 * SECTOR_BYTES;
        byte[] torn = Arrays.copyOf(before, before.length + 7 + length);
        Arrays.fill(torn, before.length, torn.length, (byte) 1);
        torn[before.length + 4] = 0;
        torn[before.length + 5] = (byte) (length >> 8);
        int lost = (before.length / SECTOR_BYTES + 2) * SECTOR_BYTES;
        Arrays.fill(torn, lost, lost + SECTOR_BYTES, (byte) 0);
        Files.write(manifest(), torn);
        assertThat(groups()).isEqualTo(GROUPS);
    }

    @Test
    void aDamagedManifestIsRefused() throws IOException {
        byte[] bytes = Files.readAllBytes(manifest());
        bytes[bytes.length / 2] ^= 4;
        Files.write(manifest(), bytes);
        assertThatThrownBy(this::groups)
                .isInstanceOf(StoreDamagedException.class)
                .hasMessageContaining(manifest().getFileName().toString());
    }

    @Test
    void damageIsRefusedIfTheNextLogWasSynced() throws IOException {
        Files.copy(log, log.resolveSibling("999999.log"));
        Files.write(log, Arrays.copyOf(whole, whole.length - 5));
        assertThatThrownBy(() -> LogTail.cut(engine())).isInstanceOf(StoreDamagedException.class);
    }

    @Test
    void aLogWithoutAGroupMayBeLostBeforeSyncedOnes() throws IOException {
        Path closed = folder.resolve("live-synced").resolve("engine");
        Path begun;
        try (Stream<Path> files = Files.list(closed)) {
            begun = files.filter(each -> each.toString().endsWith(".log")).max(Path::compareTo).orElseThrow();
        }
        byte[] predecessor = Files.readAllBytes(begun);
        assertThat(predecessor).hasSize(7 + 3 * Long.BYTES);
        assertThat(predecessor[6] & 0xff).as("the type of the first record").isEqualTo(130);
        Path next = closed.resolve("999999.log");
        Files.write(next, whole);
        Files.write(begun, new byte[predecessor.length]);
        LogTail.cut(closed);
        assertThat(begun).isEmptyFile();
        assertThat(next).hasBinaryContent(whole);

        Files.write(begun, new byte[predecessor.length + 1]);
        assertThatThrownBy(() -> LogTail.cut(closed)).isInstanceOf(StoreDamagedException.class);
    }

    @Test
    void aLogThatWasNotSyncedEndsAtItsFirstHole() throws IOException {
        write("relaxed", false);
        zero(whole.length / 2, whole.length / 2 + 8 * SECTOR_BYTES);
        assertThat(groups()).isBetween(GROUPS / 2 - 1, GROUPS / 2);
    }
}
