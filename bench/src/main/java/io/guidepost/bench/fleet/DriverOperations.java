package io.guidepost.bench.fleet;

import com.datastax.oss.driver.api.core.ConsistencyLevel;
import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.config.DefaultDriverOption;
import com.datastax.oss.driver.api.core.config.DriverConfigLoader;
import com.datastax.oss.driver.api.core.cql.AsyncResultSet;
import com.datastax.oss.driver.api.core.cql.BatchStatement;
import com.datastax.oss.driver.api.core.cql.BatchType;
import com.datastax.oss.driver.api.core.cql.BoundStatement;
import com.datastax.oss.driver.api.core.cql.PreparedStatement;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import io.guidepost.bench.load.SyntheticRecords;
import io.guidepost.fleet.FleetStatement;
import io.guidepost.fleet.KeyLists;
import io.guidepost.names.Name;
import io.guidepost.names.Record;
import io.guidepost.store.RecordImage;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * The driver of Apache Cassandra alone: the statements that a front end makes for each operation, in the same order, some of them at
 * once as there, over rows of the same size. What comes back is read and not looked at; no thread waits.
 */
final class DriverOperations implements ClusterClients.Operations {
    private static final int PLACES_MAX = 200;
    private static final int FORM_BYTES = 64;
    private static final int SAID_BYTES = 16;

    private final CqlSession session;
    private final Map<FleetStatement, PreparedStatement> statements = new EnumMap<>(FleetStatement.class);
    private final AtomicLong stamps = new AtomicLong(System.currentTimeMillis() << 16);

    @SuppressWarnings("MustBeClosedChecker") // The process ends with it.
    DriverOperations(InetSocketAddress contactPoint, String keyspace) {
        session = CqlSession.builder()
                .addContactPoint(contactPoint)
                .withConfigLoader(DriverConfigLoader.programmaticBuilder()
                        .withString(DefaultDriverOption.LOAD_BALANCING_POLICY_CLASS, "DcInferringLoadBalancingPolicy")
                        .withString(DefaultDriverOption.METRICS_FACTORY_CLASS, "NoopMetricsFactory")
                        .build())
                .build();
        for (FleetStatement each : FleetStatement.values()) {
            statements.put(each, session.prepare(SimpleStatement.newInstance(each.text(keyspace))
                    .setConsistencyLevel(ConsistencyLevel.LOCAL_QUORUM)
                    .setSerialConsistencyLevel(ConsistencyLevel.LOCAL_SERIAL)
                    .setIdempotent(each.idempotent())));
        }
    }

    private BoundStatement bind(FleetStatement statement, @Nullable Object... values) {
        return Objects.requireNonNull(statements.get(statement)).bind(values);
    }

    /** Returns the key of a record that is compared and set. */
    static byte[] handle(long record) {
        byte[] name = ("X1234/" + record).getBytes(StandardCharsets.UTF_8);
        name[0] = Name.Namespace.HANDLE.code();
        return name;
    }

    /** Returns the image that such a record is made with. */
    static byte[] image(byte[] key) {
        return RecordImage.writeForm(key, Record.ABSENT, new byte[FORM_BYTES]);
    }

    @Override
    public CompletionStage<?> begin(ClusterClients.Operation operation, long record) {
        byte[] key = Name.of(SyntheticRecords.guid(record)).key();
        return switch (operation) {
            case MISS -> read(key);
            case MERGE -> read(key).thenCompose(_ -> merge(key, record, (record & 1) != 0));
            case IMPORT -> read(key).thenCompose(_ -> merge(key, record, false));
            case CREATE -> create(handle(record));
        };
    }

    private CompletableFuture<Integer> read(byte[] key) {
        CompletionStage<AsyncResultSet> places =
                session.executeAsync(bind(FleetStatement.PLACES, ByteBuffer.wrap(key), PLACES_MAX));
        return session.executeAsync(bind(FleetStatement.READ, ByteBuffer.wrap(key)))
                .thenCombine(places, (record, of) -> rows(record) + rows(of))
                .toCompletableFuture();
    }

    private static int rows(AsyncResultSet answer) {
        int bytes = 0;
        for (var each : answer.currentPage()) {
            for (int i = 0; i < each.size(); i++) {
                ByteBuffer cell = each.getBytesUnsafe(i);
                bytes += cell == null ? 0 : cell.remaining();
            }
        }
        return bytes;
    }

    private CompletableFuture<AsyncResultSet> merge(byte[] key, long record, boolean clears) {
        long stamp = stamps.incrementAndGet();
        ByteBuffer name = ByteBuffer.wrap(key);
        byte[] place = {0, 0, 0, 6, 10, (byte) (record >> 16), (byte) (record >> 8), (byte) record, 0, 0};
        BatchStatement batch = BatchStatement.newInstance(BatchType.UNLOGGED)
                .setConsistencyLevel(ConsistencyLevel.LOCAL_QUORUM)
                .setIdempotent(true);
        if (clears) {
            place[9] = (byte) stamp;
            batch = batch.add(bind(FleetStatement.CLEAR, 2 * stamp, name))
                    .add(bind(FleetStatement.CLEARED, 2 * stamp + 1, 0, stamp, name));
        }
        batch = batch.add(
                bind(FleetStatement.PLACE, 2 * stamp + 1, 0, ByteBuffer.allocate(SAID_BYTES), name, ByteBuffer.wrap(place)));
        BatchStatement made = batch;
        return list(key, FleetStatement.LIST_BY_PLACES, stamp).thenCompose(_ -> session.executeAsync(made)).toCompletableFuture();
    }

    private CompletionStage<AsyncResultSet> list(byte[] key, FleetStatement by, long stamp) {
        return session.executeAsync(bind(by, stamp, 0, Set.of(KeyLists.life(0)), KeyLists.bucket(key), ByteBuffer.wrap(key)));
    }

    private CompletionStage<?> create(byte[] key) {
        long version = stamps.incrementAndGet();
        ByteBuffer name = ByteBuffer.wrap(key);
        byte[] image = RecordImage.withVersion(image(key), version);
        return session.executeAsync(bind(FleetStatement.READ, name))
                .thenCompose(found -> {
                    rows(found);
                    return list(key, FleetStatement.LIST_BY_ROW, version);
                })
                .thenCompose(_ -> session.executeAsync(bind(
                        FleetStatement.COMPARE_AND_SET, 0, version, UUID.randomUUID(), ByteBuffer.wrap(image), null, true, name, null)))
                .thenAccept(answer -> {
                    if (!answer.wasApplied()) {
                        throw new CompletionException(new IllegalStateException("the record is there"));
                    }
                });
    }
}
