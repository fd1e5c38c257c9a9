package io.guidepost.fleet;

import io.guidepost.base.SharedCounters;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Counts the statements of each table, and those that fail. */
final class CountedCql implements Cql {
    private final Cql cql;
    private final SharedCounters<StatementCount> counts;

    CountedCql(Cql cql, SharedCounters<StatementCount> counts) {
        this.cql = cql;
        this.counts = counts;
    }

    private <T> T counted(StatementCount made, StatementCount failed, Call<T> call) throws ClusterException {
        counts.add(made);
        try {
            return call.make();
        } catch (ClusterException e) {
            counts.add(failed);
            throw e;
        }
    }

    private <T> T ofRecords(Call<T> call) throws ClusterException {
        return counted(StatementCount.STATEMENTS_RECORDS, StatementCount.FAILURES_RECORDS, call);
    }

    private <T> T ofPlaces(Call<T> call) throws ClusterException {
        return counted(StatementCount.STATEMENTS_PLACES, StatementCount.FAILURES_PLACES, call);
    }

    private <T> T ofLists(Call<T> call) throws ClusterException {
        return counted(StatementCount.STATEMENTS_LISTED, StatementCount.FAILURES_LISTED, call);
    }

    @Override
    public @Nullable RecordRow read(byte[] key, boolean serial) throws ClusterException {
        return ofRecords(() -> Optional.ofNullable(cql.read(key, serial))).orElse(null);
    }

    @Override
    public PlaceCells places(byte[] key) throws ClusterException {
        return ofPlaces(() -> cql.places(key));
    }

    /** If one of the two fails, both count as failed: neither has an answer. */
    @Override
    public RowAndPlaces readBoth(byte[] key, boolean serial) throws ClusterException {
        return ofRecords(() -> ofPlaces(() -> cql.readBoth(key, serial)));
    }

    @Override
    public void merge(byte[] key, PlaceCells places) throws ClusterException {
        ofPlaces(() -> {
            cql.merge(key, places);
            return true;
        });
    }

    @Override
    public boolean compareAndSet(byte[] key, long expected, RecordRow next, int ttlSeconds) throws ClusterException {
        return ofRecords(() -> cql.compareAndSet(key, expected, next, ttlSeconds));
    }

    @Override
    public void settle(byte[] key, long version, int ttlSeconds) throws ClusterException {
        ofRecords(() -> {
            cql.settle(key, version, ttlSeconds);
            return true;
        });
    }

    @Override
    public void list(byte[] key, ListedBy by, long stamp, int ttlSeconds) throws ClusterException {
        ofLists(() -> {
            cql.list(key, by, stamp, ttlSeconds);
            return true;
        });
    }

    @Override
    public void unlist(byte[] key, ListedBy by, long stamp) throws ClusterException {
        ofLists(() -> {
            cql.unlist(key, by, stamp);
            return true;
        });
    }

    @Override
    public List<byte[]> listed(int bucket, byte[] from, int most) throws ClusterException {
        return ofLists(() -> cql.listed(bucket, from, most));
    }

    @Override
    public String away() {
        return cql.away();
    }

    @Override
    public void close() {
        cql.close();
    }
}
