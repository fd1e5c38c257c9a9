package io.guidepost.store.engine;

import io.guidepost.store.RecordStore;
import java.util.function.Predicate;
import org.rocksdb.LogFile;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.Status;
import org.rocksdb.TransactionLogIterator;
import org.rocksdb.WriteBatch;

/** Reads the change feed out of RocksDB's write-ahead log, which is kept for a while after the engine needs it. */
final class RocksChangeFeed {
    private RocksChangeFeed() {}

    /** Implements {@link StorageEngine#changes}. */
    static long changes(RocksDB db, long after, long upTo, Predicate<RecordStore.ChangeEvent> visitor)
            throws RocksDBException, RecordStore.TooOld {
        if (after >= upTo) {
            return after;
        }
        long oldest = oldest(db);
        if (after != 0 && after + 1 < oldest) {
            throw new RecordStore.TooOld(after, oldest);
        }
        if (oldest > upTo) {
            return upTo;
        }
        Follower follower = new Follower(after, upTo, visitor);
        while (follow(db, Math.max(after, oldest - 1), follower)) {
            // The log grew at the place that was being read.
        }
        return follower.last;
    }

    /** Visits what the log has; returns whether RocksDB wants another iterator for the rest. */
    private static boolean follow(RocksDB db, long after, Follower follower) throws RocksDBException, RecordStore.TooOld {
        long from = Math.max(after, follower.last);
        try (TransactionLogIterator log = db.getUpdatesSince(from + 1)) {
            while (log.isValid()) {
                TransactionLogIterator.BatchResult result = log.getBatch();
                try (WriteBatch batch = result.writeBatch()) {
                    follower.first = result.sequenceNumber();
                    if (follower.last != 0 && follower.last == from && follower.first > from + 1) {
                        throw new RecordStore.TooOld(from, follower.first);
                    }
                    if (!WriteBatchBuffer.each(batch.data(), follower)) {
                        return false;
                    }
                }
                log.next();
            }
            log.status();
            return false;
        } catch (RocksDBException e) {
            if (e.getStatus() != null && e.getStatus().getCode() == Status.Code.TryAgain) {
                return true;
            }
            throw e;
        }
    }

    /** Returns the first sequence number in the log; one more than the last of all if the log is empty. */
    private static long oldest(RocksDB db) throws RocksDBException {
        long oldest = db.getLatestSequenceNumber() + 1;
        for (LogFile each : db.getSortedWalFiles()) {
            if (each.startSequence() > 0) {
                oldest = Math.min(oldest, each.startSequence());
            }
        }
        return oldest;
    }

    /** Numbers the writes of each batch and skips those already seen and the store's own. */
    private static final class Follower implements WriteBatchBuffer.Visitor {
        private final long upTo;
        private final Predicate<RecordStore.ChangeEvent> visitor;
        private long first;
        private long last;

        Follower(long after, long upTo, Predicate<RecordStore.ChangeEvent> visitor) {
            this.last = after;
            this.upTo = upTo;
            this.visitor = visitor;
        }

        @Override
        public boolean write(int index, byte[] key, byte @org.jspecify.annotations.Nullable [] value) {
            long sequence = first + index;
            if (sequence <= last) {
                return true;
            }
            if (sequence > upTo) {
                return false;
            }
            last = sequence;
            return key[0] == 0 || visitor.test(new RecordStore.ChangeEvent(sequence, key, value));
        }
    }
}
