package io.guidepost.fleet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import com.datastax.oss.driver.api.core.metadata.Node;
import io.guidepost.names.Binding;
import io.guidepost.store.RecordImage;
import io.guidepost.store.RecordMerge;
import io.guidepost.store.RecordStore;
import io.guidepost.store.TestImages;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.UUID;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Holds the model of a cluster against a node of Cassandra: the same statements give the same rows. */
@Tag("long")
final class NodeStatementsTest {
    private static final int STATEMENTS = 10_000;
    private static final int KEYS = 40;

    @TempDir
    private Path folder;

    @Test
    void theModelAnswersAsANodeDoes() throws Exception {
        long seed = System.nanoTime();
        try (CassandraNode node = CassandraNode.start(folder, Path.of("..").toAbsolutePath().normalize())) {
            FleetSettings settings = new FleetSettings(
                    List.of(node.address()), "model", "", "", Optional.empty(), FleetSettings.Consistency.QUORUM, 0, 0);
            String keyspace = FleetSchema.keyspace("model", "datacenter1", 1);
            assertThat(FleetSchema.create(settings, keyspace)).isFalse();
            assertThat(FleetSchema.create(settings, keyspace)).isFalse();
            FleetReport report = FleetReport.of(settings);
            assertThat(report.warnings()).singleElement().asString().startsWith("1 replicas");
            assertThat(report.lines()).anyMatch(each -> each.contains("its clock is within")).anyMatch(each -> each.contains(": Java 17"));
            settingsOfANodeAreRead(settings);
            try (DriverCql real = DriverCql.open(settings)) {
                compare(real, new ClusterModel(1).frontEnd(), seed);
                comparePlaces(real, new ClusterModel(1).frontEnd(), seed);
            }
            tablesOfTheFirstVersionAreMoved(node);
        }
    }

    private static void settingsOfANodeAreRead(FleetSettings settings) throws IOException {
        // A node of tests refuses no timestamps, so one is asked for a setting that it has.
        try (CqlSession session = FleetSession.connect(settings)) {
            Node node = session.getMetadata().getNodes().values().iterator().next();
            assertThat(FleetReport.setting(session, node, "maximum_timestamp_fail_threshold")).isEmpty();
            assertThat(FleetReport.setting(session, node, "commitlog_sync")).isEqualTo("group");
        }
    }

    private static void tablesOfTheFirstVersionAreMoved(CassandraNode node) throws IOException {
        FleetSettings settings = new FleetSettings(
                List.of(node.address()), "old", "", "", Optional.empty(), FleetSettings.Consistency.QUORUM, 0, 0);
        byte[] image = TestImages.image(TestImages.key(1), 5, 4);
        String keyspace = FleetSchema.keyspace("old", "datacenter1", 1);
        try (CqlSession session = FleetSession.connect(settings)) {
            session.execute(keyspace);
            session.execute("CREATE TABLE old.records (key blob PRIMARY KEY, version bigint, change uuid, image blob, before blob,"
                    + " settled boolean) WITH comment = 'Guidepost fleet, schema 1'");
            session.execute("CREATE TABLE old.listed (bucket int, key blob, PRIMARY KEY (bucket, key))");
            session.execute(SimpleStatement.newInstance(
                    "UPDATE old.records SET version = 5, change = ?, image = ?, settled = true WHERE key = ? IF version = null",
                    UUID.randomUUID(),
                    ByteBuffer.wrap(image),
                    ByteBuffer.wrap(TestImages.key(1))));
        }
        assertThatThrownBy(() -> FleetReport.of(settings)).hasMessageContaining("guidepost fleet schema --create");
        assertThatThrownBy(() -> DriverCql.open(settings)).hasMessageContaining("schema 1").isNotInstanceOf(ClusterException.class);
        assertThat(FleetSchema.create(settings, keyspace)).isTrue();
        assertThat(FleetSchema.create(settings, keyspace)).isFalse();
        try (DriverCql cql = DriverCql.open(settings)) {
            Places places = new Places(cql, InstantSource.system(), new ReentrantLock());
            byte[] more = RecordImage.write(TestImages.key(1), 0, List.of(Binding.of(TestImages.place(9))), List.of());
            places.change(TestImages.key(1), new TestMerge(RecordMerge.change(more, 1L << 56, false)));
            assertThat(RecordImage.bindings(MemorySegment.ofArray(places.read(TestImages.key(1), false).image()), 0)).isEqualTo(2);
        }
    }

    private record TestMerge(byte[] image) implements RecordStore.Merge {
        @Override
        public long tombstoneMillis() {
            return PlacedRecord.TOMBSTONE_MILLIS;
        }
    }

    private static void comparePlaces(Cql real, Cql model, long seed) throws ClusterException {
        SplittableRandom random = new SplittableRandom(seed + 1);
        int replaced = 0;
        for (int i = 0; i < STATEMENTS / 4; i++) {
            byte[] key = {1, (byte) random.nextInt(KEYS), 7};
            // Stamps of what lasts are often the same, of what ends never: in which second a node writes would decide of ties.
            boolean ends = random.nextInt(3) == 0;
            int ttl = ends ? 100_000 : 0;
            List<PlaceCell> cells = new ArrayList<>();
            for (int count = random.nextInt(4); count > 0; count--) {
                byte[] place = {0, 3, 0, 1, (byte) (4 * count + random.nextInt(3))};
                cells.add(new PlaceCell(place, bytes(random), stamp(random, ends), ttl));
            }
            long cleared = random.nextInt(3) == 0 ? stamp(random, ends) : 0;
            PlaceCells merged = new PlaceCells(cells, cleared, random.nextInt(4) == 0 ? bytes(random) : null, stamp(random, ends), ttl);
            if (!cells.isEmpty() || cleared != 0) {
                real.merge(key, merged);
                model.merge(key, merged);
                replaced += cleared == 0 ? 0 : 1;
            }
            samePlaces("places " + i + " of seed " + seed, real.readBoth(key, random.nextBoolean()).places(), model.places(key));
        }
        assertThat(replaced).isGreaterThan(STATEMENTS / 40);
        // What ends wins over what lasts, the greater cell over the lesser, and the deletion over nothing of its own stamp.
        byte[] key = {1, 99};
        byte[] place = {0, 3, 0, 0};
        for (byte[] said : List.of(new byte[] {5}, new byte[] {7}, new byte[] {6})) {
            for (Cql each : List.of(real, model)) {
                each.merge(key, new PlaceCells(List.of(new PlaceCell(place, said, 1L << 57, 0)), 1L << 57, null, 0, 0));
            }
            samePlaces("a tie", real.places(key), model.places(key));
        }
        for (Cql each : List.of(real, model)) {
            each.merge(key, new PlaceCells(List.of(new PlaceCell(place, new byte[1], 1L << 57, 100_000)), 0, null, 0, 0));
        }
        samePlaces("a tie with what ends", real.places(key), model.places(key));
        assertThat(real.places(key).cells().getFirst().said()).hasSize(1).containsOnly(0);
    }

    private static long stamp(SplittableRandom random, boolean ends) {
        return (1L << 56) + (ends ? 2L * random.nextInt(200 << 20) + 1 : 2L * ((long) random.nextInt(200) << 20));
    }

    private static void samePlaces(String what, PlaceCells real, PlaceCells model) {
        assertThat(real.cleared()).as(what).isEqualTo(model.cleared());
        assertThat(real.text()).as(what).isEqualTo(model.text());
        assertThat(real.stamp()).as(what).isEqualTo(model.stamp());
        assertThat(told(real)).as(what).isEqualTo(told(model));
    }

    private static List<String> told(PlaceCells places) {
        return places.cells().stream()
                .map(each -> Arrays.toString(each.place()) + Arrays.toString(each.said()) + each.stamp())
                .toList();
    }

    private static void compare(Cql real, Cql model, long seed) throws ClusterException {
        SplittableRandom random = new SplittableRandom(seed);
        int applied = 0;
        for (int i = 0; i < STATEMENTS; i++) {
            byte[] key = {(byte) (1 + random.nextInt(2)), (byte) random.nextInt(KEYS), 7};
            String what = "statement " + i + " of seed " + seed;
            RecordRow there = model.read(key, false);
            switch (random.nextInt(8)) {
                case 0, 1, 2 -> {
                    long expected = random.nextInt(4) == 0 ? random.nextInt(5) : RecordRow.versionOf(there);
                    boolean deleted = random.nextInt(3) == 0;
                    boolean settled = random.nextBoolean();
                    RecordRow next = new RecordRow(
                            RecordRow.versionOf(there) + 1 + random.nextInt(3),
                            new UUID(random.nextLong(), random.nextLong()),
                            deleted ? null : bytes(random),
                            settled ? null : bytes(random),
                            settled);
                    int ttl = deleted ? 100_000 : 0;
                    boolean made = model.compareAndSet(key, expected, next, ttl);
                    assertThat(real.compareAndSet(key, expected, next, ttl)).as(what).isEqualTo(made);
                    applied += made ? 1 : 0;
                }
                case 3 -> {
                    long version = random.nextInt(3) == 0 ? 1 : RecordRow.versionOf(there);
                    real.settle(key, version, 0);
                    model.settle(key, version, 0);
                }
                case 4 -> {
                    Cql.ListedBy by = by(random);
                    long stamp = (1L << 57) + random.nextInt(200);
                    real.list(key, by, stamp, random.nextBoolean() ? 0 : 100_000);
                    model.list(key, by, stamp, 0);
                }
                case 5 -> {
                    Cql.ListedBy by = by(random);
                    long stamp = (1L << 57) + random.nextInt(200);
                    real.unlist(key, by, stamp);
                    model.unlist(key, by, stamp);
                }
                case 6 -> {
                    int bucket = KeyLists.bucket(key);
                    byte[] from = random.nextBoolean() ? new byte[] {key[0]} : key;
                    assertThat(texts(real.listed(bucket, from, 3))).as(what).isEqualTo(texts(model.listed(bucket, from, 3)));
                }
                default -> {}
            }
            same(what, real.read(key, random.nextBoolean()), model.read(key, false));
        }
        assertThat(applied).isGreaterThan(STATEMENTS / 10);
    }

    private static Cql.ListedBy by(SplittableRandom random) {
        return random.nextBoolean() ? Cql.ListedBy.ROW : Cql.ListedBy.PLACES;
    }

    private static byte[] bytes(SplittableRandom random) {
        byte[] bytes = new byte[random.nextInt(100)];
        random.nextBytes(bytes);
        return bytes;
    }

    private static List<String> texts(List<byte[]> keys) {
        return keys.stream().map(Arrays::toString).toList();
    }

    private static void same(String what, @Nullable RecordRow real, @Nullable RecordRow model) {
        assertThat(real == null).as(what).isEqualTo(model == null);
        if (real != null && model != null) {
            assertThat(real.version()).as(what).isEqualTo(model.version());
            assertThat(real.change()).as(what).isEqualTo(model.change());
            assertThat(real.image()).as(what).isEqualTo(model.image());
            assertThat(real.before()).as(what).isEqualTo(model.before());
            assertThat(real.settled()).as(what).isEqualTo(model.settled());
        }
    }
}
