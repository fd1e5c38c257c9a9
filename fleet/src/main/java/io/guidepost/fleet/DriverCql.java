package io.guidepost.fleet;

import com.datastax.oss.driver.api.core.AllNodesFailedException;
import com.datastax.oss.driver.api.core.ConsistencyLevel;
import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.DriverException;
import com.datastax.oss.driver.api.core.NoNodeAvailableException;
import com.datastax.oss.driver.api.core.cql.AsyncResultSet;
import com.datastax.oss.driver.api.core.cql.BatchStatement;
import com.datastax.oss.driver.api.core.cql.BatchType;
import com.datastax.oss.driver.api.core.cql.BatchableStatement;
import com.datastax.oss.driver.api.core.cql.BoundStatement;
import com.datastax.oss.driver.api.core.cql.PreparedStatement;
import com.datastax.oss.driver.api.core.cql.ResultSet;
import com.datastax.oss.driver.api.core.cql.Row;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import com.datastax.oss.driver.api.core.cql.Statement;
import com.datastax.oss.driver.api.core.servererrors.UnavailableException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** The statements by the driver of Apache Cassandra. */
final class DriverCql implements Cql {
    private final CqlSession session;
    private final ConsistencyLevel quorum;
    private final ConsistencyLevel serial;
    private final Semaphore room = new Semaphore(FleetLimits.STATEMENTS_MAX);
    private final Map<FleetStatement, PreparedStatement> prepared = new EnumMap<>(FleetStatement.class);

    private DriverCql(CqlSession session, FleetSettings settings) {
        this.session = session;
        boolean local = settings.consistency() == FleetSettings.Consistency.LOCAL_QUORUM;
        this.quorum = local ? ConsistencyLevel.LOCAL_QUORUM : ConsistencyLevel.QUORUM;
        this.serial = local ? ConsistencyLevel.LOCAL_SERIAL : ConsistencyLevel.SERIAL;
        for (FleetStatement each : FleetStatement.values()) {
            prepared.put(each, session.prepare(SimpleStatement.newInstance(each.text(settings.keyspace()))
                    .setConsistencyLevel(quorum)
                    .setSerialConsistencyLevel(serial)
                    .setIdempotent(each.idempotent())));
        }
    }

    /**
     * Connects, and looks whether the tables are there.
     *
     * @throws ClusterException if the cluster does not answer
     * @throws IOException in one line, if the tables are not those of this version, or the cluster refuses the user
     */
    @SuppressWarnings("MustBeClosedChecker") // What is opened is closed by close().
    static DriverCql open(FleetSettings settings) throws IOException {
        CqlSession session = FleetSession.connect(settings);
        try {
            FleetSession.check(session, settings);
            return new DriverCql(session, settings);
        } catch (IOException | DriverException e) {
            session.close();
            throw e instanceof IOException known ? known : new ClusterException(FleetSession.reason((DriverException) e), false);
        }
    }

    private BoundStatement bind(FleetStatement statement, @Nullable Object... values) {
        return Objects.requireNonNull(prepared.get(statement)).bind(values);
    }

    private ResultSet execute(Statement<?> statement) throws ClusterException {
        return bounded(() -> session.execute(statement));
    }

    /** Makes a call when there is room for it, and says of what fails whether it may be done. */
    private <T> T bounded(Call<T> call) throws ClusterException {
        acquire();
        try {
            return call.make();
        } catch (DriverException e) {
            throw new ClusterException(FleetSession.reason(e), !wasRefused(e));
        } catch (IllegalStateException e) {
            throw new ClusterException("the session is closed", true);
        } finally {
            room.release();
        }
    }

    private void acquire() throws ClusterException {
        try {
            if (!room.tryAcquire(FleetLimits.STATEMENT_MILLIS, TimeUnit.MILLISECONDS)) {
                throw new ClusterException("more statements wait than the cluster answers", false);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new ClusterException("interrupted while waiting for the cluster", false);
        }
    }

    /** Returns whether no node has begun with a statement. */
    private static boolean wasRefused(DriverException e) {
        if (e instanceof AllNodesFailedException all && !(e instanceof NoNodeAvailableException)) {
            return all.getAllErrors().values().stream().allMatch(each -> each.stream().allMatch(UnavailableException.class::isInstance));
        }
        return e instanceof NoNodeAvailableException || e instanceof UnavailableException;
    }

    @Override
    public @Nullable RecordRow read(byte[] key, boolean serially) throws ClusterException {
        return recordRow(execute(reading(key, serially)).one());
    }

    private BoundStatement reading(byte[] key, boolean serially) {
        BoundStatement statement = bind(FleetStatement.READ, ByteBuffer.wrap(key));
        return serially ? statement.setConsistencyLevel(serial) : statement;
    }

    private static @Nullable RecordRow recordRow(@Nullable Row row) {
        UUID change = row == null ? null : row.getUuid(1);
        if (row == null || change == null) {
            // A row of which a mark alone is left.
            return null;
        }
        return new RecordRow(row.getLong(0), change, bytes(row.getByteBuffer(2)), bytes(row.getByteBuffer(3)), row.getBoolean(4));
    }

    @Override
    public PlaceCells places(byte[] key) throws ClusterException {
        return cells(execute(placesOf(key)));
    }

    private BoundStatement placesOf(byte[] key) {
        return bind(FleetStatement.PLACES, ByteBuffer.wrap(key), FleetLimits.PLACES_MAX + 1);
    }

    /** Both statements at once: one after the other would take the time of two. */
    @Override
    public RowAndPlaces readBoth(byte[] key, boolean serially) throws ClusterException {
        return bounded(() -> {
            var record = session.executeAsync(reading(key, serially));
            var names = session.executeAsync(placesOf(key));
            RecordRow row = recordRow(await(record).one());
            return new RowAndPlaces(row, cells(await(names).currentPage()));
        });
    }

    private static AsyncResultSet await(CompletionStage<AsyncResultSet> answer) throws ClusterException {
        try {
            return answer.toCompletableFuture().get();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new ClusterException("interrupted while waiting for the cluster", true);
        } catch (ExecutionException e) {
            if (e.getCause() instanceof DriverException failed) {
                throw failed;
            }
            throw new IllegalStateException(e.getCause());
        }
    }

    /** A partition without places has one row of what is said of all of them. */
    private static PlaceCells cells(Iterable<Row> rows) {
        List<PlaceCell> cells = new ArrayList<>();
        long cleared = 0;
        byte[] text = null;
        long stamp = 0;
        for (Row each : rows) {
            byte[] place = bytes(each.getByteBuffer(0));
            byte[] said = bytes(each.getByteBuffer(1));
            cleared = each.getLong(3);
            text = bytes(each.getByteBuffer(4));
            stamp = PlaceCell.stamp(each.getLong(5));
            if (place != null && said != null) {
                cells.add(new PlaceCell(place, said, PlaceCell.stamp(each.getLong(2)), 0));
            }
        }
        return new PlaceCells(cells, cleared, text, stamp, 0);
    }

    /** One batch of one partition: each replica makes all of it at once. */
    @Override
    public void merge(byte[] key, PlaceCells merged) throws ClusterException {
        ByteBuffer name = ByteBuffer.wrap(key);
        List<BatchableStatement<?>> statements = new ArrayList<>();
        if (merged.cleared() != 0) {
            statements.add(bind(FleetStatement.CLEAR, PlaceCell.deletionTimestamp(merged.cleared()), name));
            statements.add(bind(
                    FleetStatement.CLEARED, PlaceCell.timestamp(merged.cleared()), merged.ttlSeconds(), merged.cleared(), name));
        }
        if (merged.text() != null) {
            statements.add(bind(
                    FleetStatement.TEXT, PlaceCell.timestamp(merged.stamp()), merged.ttlSeconds(), buffer(merged.text()), name));
        }
        for (PlaceCell each : merged.cells()) {
            statements.add(bind(
                    FleetStatement.PLACE,
                    PlaceCell.timestamp(each.stamp()), each.ttlSeconds(), buffer(each.said()), name, buffer(each.place())));
        }
        execute(BatchStatement.newInstance(BatchType.UNLOGGED, statements)
                .setConsistencyLevel(quorum)
                .setIdempotent(true));
    }

    private static byte @Nullable [] bytes(@Nullable ByteBuffer buffer) {
        if (buffer == null) {
            return null;
        }
        byte[] bytes = new byte[buffer.remaining()];
        buffer.get(bytes);
        return bytes;
    }

    private static @Nullable ByteBuffer buffer(byte @Nullable [] bytes) {
        return bytes == null ? null : ByteBuffer.wrap(bytes);
    }

    @Override
    public boolean compareAndSet(byte[] key, long expected, RecordRow next, int ttlSeconds) throws ClusterException {
        return execute(bind(
                        FleetStatement.COMPARE_AND_SET,
                        ttlSeconds,
                        next.version(),
                        next.change(),
                        buffer(next.image()),
                        buffer(next.before()),
                        next.settled(),
                        ByteBuffer.wrap(key),
                        expected == 0 ? null : expected))
                .wasApplied();
    }

    @Override
    public void settle(byte[] key, long version, int ttlSeconds) throws ClusterException {
        execute(bind(FleetStatement.SETTLE, ttlSeconds, ByteBuffer.wrap(key), version));
    }

    @Override
    public void list(byte[] key, ListedBy by, long stamp, int ttlSeconds) throws ClusterException {
        FleetStatement statement = by == ListedBy.ROW ? FleetStatement.LIST_BY_ROW : FleetStatement.LIST_BY_PLACES;
        byte life = KeyLists.life(ttlSeconds);
        execute(bind(statement, stamp, KeyLists.seconds(life), Set.of(life), KeyLists.bucket(key), ByteBuffer.wrap(key)));
    }

    @Override
    public void unlist(byte[] key, ListedBy by, long stamp) throws ClusterException {
        FleetStatement statement = by == ListedBy.ROW ? FleetStatement.UNLIST_BY_ROW : FleetStatement.UNLIST_BY_PLACES;
        execute(bind(statement, stamp, KeyLists.bucket(key), ByteBuffer.wrap(key)));
    }

    @Override
    public List<byte[]> listed(int bucket, byte[] from, int most) throws ClusterException {
        List<byte[]> keys = new ArrayList<>();
        for (Row each : execute(bind(FleetStatement.LISTED, bucket, ByteBuffer.wrap(from), most))) {
            byte[] key = bytes(each.getByteBuffer(0));
            if (key != null) {
                keys.add(key);
            }
        }
        return keys;
    }

    @Override
    public void close() {
        session.close();
    }
}
