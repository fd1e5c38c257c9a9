package io.guidepost.store.engine;

import io.guidepost.store.RecordStore;
import java.io.IOException;
import java.nio.file.Path;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** An engine on a disk that refuses when it is told to. */
public final class FaultyEngine implements StorageEngine {
    /** What a write meets. */
    public enum Fault {
        NONE,
        /** Nothing reaches the disk. */
        REFUSED,
        /** All reaches the log, and yet the call fails: nobody sees it before the log is read again. */
        DOUBTFUL
    }

    private final StorageEngine engine;
    private final WriteBatchBuffer reached = new WriteBatchBuffer();
    public volatile Fault fault = Fault.NONE;
    public volatile boolean recovers = true;
    public volatile boolean unreadable;

    /** Why a write is refused. */
    public volatile @Nullable String reason = "No space left on device";

    /** Whether the last write was to be synced. */
    public volatile boolean synced;

    public FaultyEngine(StorageEngine engine) {
        this.engine = engine;
    }

    @Override
    public byte @Nullable [] get(byte[] key) throws IOException {
        readable();
        return engine.get(key);
    }

    @Override
    public void write(WriteBatchBuffer batch, boolean sync) throws IOException {
        switch (fault) {
            case NONE -> {
                engine.write(batch, sync);
                synced = sync;
            }
            case REFUSED -> throw new IOException(reason);
            case DOUBTFUL -> {
                WriteBatchBuffer.each(batch.toBytes(sync), (index, key, value) -> {
                    if (value == null) {
                        reached.delete(key);
                    } else {
                        reached.put(key, value);
                    }
                    return true;
                });
                throw new IOException("No space left on device: sync failed");
            }
        }
    }

    @Override
    public void visit(byte[] from, Visitor visitor) throws IOException {
        readable();
        engine.visit(from, visitor);
    }

    private void readable() throws IOException {
        if (unreadable) {
            throw new IOException("a block does not match its sum");
        }
    }

    @Override
    public long sequence() {
        return engine.sequence();
    }

    @Override
    public long changes(long after, long upTo, Predicate<RecordStore.ChangeEvent> visitor)
            throws IOException, RecordStore.TooOld {
        return engine.changes(after, upTo, visitor);
    }

    @Override
    public void checkpoint(Path folder) throws IOException {
        engine.checkpoint(folder);
    }

    @Override
    public void recover(WriteBatchBuffer undo, boolean sync) throws IOException {
        if (!recovers) {
            throw new IOException("still no space left on device");
        }
        fault = Fault.NONE;
        engine.write(reached, sync);
        reached.clear();
        engine.recover(undo, sync);
    }

    @Override
    public long recordsEstimate() {
        return engine.recordsEstimate();
    }

    @Override
    public void close() {
        // The engine behind is opened again by the test, as a disk is.
    }
}
