package io.guidepost.fleet;

import com.datastax.oss.driver.api.core.AllNodesFailedException;
import com.datastax.oss.driver.api.core.ConsistencyLevel;
import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.DriverException;
import com.datastax.oss.driver.api.core.NoNodeAvailableException;
import com.datastax.oss.driver.api.core.cql.BoundStatement;
import com.datastax.oss.driver.api.core.cql.PreparedStatement;
import com.datastax.oss.driver.api.core.cql.ResultSet;
import com.datastax.oss.driver.api.core.cql.Row;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import com.datastax.oss.driver.api.core.servererrors.UnavailableException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** The statements by the driver of Apache Cassandra. */
final class DriverCql implements Cql {
    private final CqlSession session;
    private final ConsistencyLevel serial;
    private final Semaphore room = new Semaphore(FleetLimits.STATEMENTS_MAX);
    private final PreparedStatement read;
    private final PreparedStatement compareAndSet;
    private final PreparedStatement settle;
    private final PreparedStatement list;
    private final PreparedStatement unlist;
    private final PreparedStatement listed;

    private DriverCql(CqlSession session, FleetSettings settings) {
        this.session = session;
        boolean local = settings.consistency() == FleetSettings.Consistency.LOCAL_QUORUM;
        ConsistencyLevel quorum = local ? ConsistencyLevel.LOCAL_QUORUM : ConsistencyLevel.QUORUM;
        this.serial = local ? ConsistencyLevel.LOCAL_SERIAL : ConsistencyLevel.SERIAL;
        String records = FleetSchema.quoted(settings.keyspace()) + ".records";
        String lists = FleetSchema.quoted(settings.keyspace()) + ".listed";
        this.read = prepare("SELECT version, change, image, before, settled FROM " + records + " WHERE key = ?", quorum, true);
        // An UPDATE writes no row marker, so that a row whose columns have expired is gone, and may be made again.
        this.compareAndSet = prepare(
                "UPDATE " + records + " USING TTL ? SET version = ?, change = ?, image = ?, before = ?, settled = ?"
                        + " WHERE key = ? IF version = ?",
                quorum,
                false);
        this.settle = prepare(
                "UPDATE " + records + " USING TTL ? SET before = null, settled = true WHERE key = ? IF version = ?", quorum, false);
        this.list = prepare("INSERT INTO " + lists + " (bucket, key) VALUES (?, ?) USING TIMESTAMP ? AND TTL ?", quorum, true);
        this.unlist = prepare("DELETE FROM " + lists + " USING TIMESTAMP ? WHERE bucket = ? AND key = ?", quorum, true);
        this.listed = prepare("SELECT key FROM " + lists + " WHERE bucket = ? AND key >= ? LIMIT ?", quorum, true);
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

    private PreparedStatement prepare(String text, ConsistencyLevel quorum, boolean idempotent) {
        return session.prepare(SimpleStatement.newInstance(text)
                .setConsistencyLevel(quorum)
                .setSerialConsistencyLevel(serial)
                .setIdempotent(idempotent));
    }

    private ResultSet execute(BoundStatement statement) throws ClusterException {
        try {
            if (!room.tryAcquire(FleetLimits.STATEMENT_MILLIS, TimeUnit.MILLISECONDS)) {
                throw new ClusterException("more statements wait than the cluster answers", false);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new ClusterException("interrupted while waiting for the cluster", false);
        }
        try {
            return session.execute(statement);
        } catch (DriverException e) {
            throw new ClusterException(FleetSession.reason(e), !wasRefused(e));
        } catch (IllegalStateException e) {
            throw new ClusterException("the session is closed", true);
        } finally {
            room.release();
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
        BoundStatement statement = read.bind(ByteBuffer.wrap(key));
        Row row = execute(serially ? statement.setConsistencyLevel(serial) : statement).one();
        UUID change = row == null ? null : row.getUuid(1);
        if (row == null || change == null) {
            // A row of which a mark alone is left.
            return null;
        }
        return new RecordRow(row.getLong(0), change, bytes(row.getByteBuffer(2)), bytes(row.getByteBuffer(3)), row.getBoolean(4));
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
        return execute(compareAndSet.bind(
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
        execute(settle.bind(ttlSeconds, ByteBuffer.wrap(key), version));
    }

    @Override
    public void list(byte[] key, long stamp, int ttlSeconds) throws ClusterException {
        execute(list.bind(KeyLists.bucket(key), ByteBuffer.wrap(key), stamp, ttlSeconds));
    }

    @Override
    public void unlist(byte[] key, long stamp) throws ClusterException {
        execute(unlist.bind(stamp, KeyLists.bucket(key), ByteBuffer.wrap(key)));
    }

    @Override
    public List<byte[]> listed(int bucket, byte[] from, int most) throws ClusterException {
        List<byte[]> keys = new ArrayList<>();
        for (Row each : execute(listed.bind(bucket, ByteBuffer.wrap(from), most))) {
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
