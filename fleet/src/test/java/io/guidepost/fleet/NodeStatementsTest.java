package io.guidepost.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.UUID;
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
            List<String> schema = new ArrayList<>(List.of(FleetSchema.keyspace("model", "datacenter1", 1)));
            schema.addAll(FleetSchema.tables("model"));
            FleetSchema.create(settings, schema);
            FleetSchema.create(settings, schema);
            FleetReport report = FleetReport.of(settings);
            assertThat(report.warnings()).singleElement().asString().startsWith("1 replicas");
            try (DriverCql real = DriverCql.open(settings)) {
                compare(real, new ClusterModel(1).frontEnd(), seed);
            }
        }
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
                    long expected = random.nextInt(4) == 0 ? random.nextInt(5) : RecordRow.version(there);
                    boolean deleted = random.nextInt(3) == 0;
                    boolean settled = random.nextBoolean();
                    RecordRow next = new RecordRow(
                            RecordRow.version(there) + 1 + random.nextInt(3),
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
                    long version = random.nextInt(3) == 0 ? 1 : RecordRow.version(there);
                    real.settle(key, version, 0);
                    model.settle(key, version, 0);
                }
                case 4 -> {
                    long stamp = (1L << 57) + random.nextInt(200);
                    real.list(key, stamp, random.nextBoolean() ? 0 : 100_000);
                    model.list(key, stamp, 0);
                }
                case 5 -> {
                    long stamp = (1L << 57) + random.nextInt(200);
                    real.unlist(key, stamp);
                    model.unlist(key, stamp);
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
