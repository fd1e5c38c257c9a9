package io.guidepost.store.engine;

import io.guidepost.store.RecordStore;
import io.guidepost.store.StoreLimits;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** An engine on the heap, lost with the process: for simulation and tests. */
public final class MemoryEngine implements StorageEngine {
    private final ConcurrentSkipListMap<byte[], byte[]> values = new ConcurrentSkipListMap<>(Arrays::compareUnsigned);
    private final ArrayDeque<RecordStore.ChangeEvent> feed = new ArrayDeque<>();
    private volatile long sequence;

    @Override
    public byte @Nullable [] get(byte[] key) {
        return values.get(key);
    }

    @Override
    public void write(WriteBatchBuffer batch, boolean sync) {
        synchronized (feed) {
            long first = sequence + 1;
            WriteBatchBuffer.each(batch.toBytes(sync), (index, key, value) -> {
                if (value == null) {
                    values.remove(key);
                } else {
                    values.put(key, value);
                }
                feed.add(new RecordStore.ChangeEvent(first + index, key, value));
                if (feed.size() > StoreLimits.MEMORY_FEED_MAX) {
                    feed.removeFirst();
                }
                sequence = first + index;
                return true;
            });
        }
    }

    @Override
    public void visit(byte[] from, Visitor visitor) {
        for (Map.Entry<byte[], byte[]> each : values.tailMap(from, true).entrySet()) {
            if (!visitor.take(each.getKey(), each.getValue())) {
                return;
            }
        }
    }

    @Override
    public long sequence() {
        return sequence;
    }

    @Override
    public long changes(long after, long upTo, Predicate<RecordStore.ChangeEvent> visitor)
            throws RecordStore.TooOld {
        List<RecordStore.ChangeEvent> kept;
        synchronized (feed) {
            kept = new ArrayList<>(feed);
        }
        if (after != 0 && after < sequence && (kept.isEmpty() || kept.getFirst().sequence() > after + 1)) {
            throw new RecordStore.TooOld(after, kept.isEmpty() ? sequence : kept.getFirst().sequence());
        }
        long last = after;
        for (RecordStore.ChangeEvent each : kept) {
            if (each.sequence() > after && each.sequence() <= upTo) {
                last = each.sequence();
                if (each.key()[0] != 0 && !visitor.test(each)) {
                    break;
                }
            }
        }
        return last;
    }

    @Override
    public void checkpoint(Path folder) throws IOException {
        throw new IOException("a store in memory has no files to back up: open it with durability fsync or os");
    }

    @Override
    public void recover(WriteBatchBuffer undo, boolean sync) {
        write(undo, sync);
    }

    @Override
    public long recordsEstimate() {
        return values.size();
    }

    @Override
    public void close() {
        values.clear();
    }
}
