package io.guidepost.store.engine;

import io.guidepost.store.RecordStore;
import java.util.function.Predicate;
import org.rocksdb.LogFile;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
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
        try (TransactionLogIterator log = db.getUpdatesSince(Math.max(after + 1, oldest))) {
            while (log.isValid()) {
                TransactionLogIterator.BatchResult result = log.getBatch();
                try (WriteBatch batch = result.writeBatch()) {
                    follower.first = result.sequenceNumber();
                    if (after != 0 && follower.last == after && follower.first > after + 1) {
                        throw new RecordStore.TooOld(after, follower.first);
                    }
                    if (!WriteBatchBuffer.each(batch.data(), follower)) {
                        return follower.last;
                    }
                }
                log.next();
            }
            log.status();
        }
        return follower.last;
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
