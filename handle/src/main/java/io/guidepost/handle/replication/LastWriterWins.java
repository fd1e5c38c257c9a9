package io.guidepost.handle.replication;

import io.guidepost.handle.Handle;
import io.guidepost.store.RecordImage;
import io.guidepost.store.RecordReader;
import io.guidepost.store.RecordStore;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * The time of the last change of each handle, deleted ones included, for multi-primary replication: the last writer
 * wins on every server. Of two changes with the same time, the one with the greater bytes wins, so that all servers
 * decide alike; a deletion has none. For the committer alone.
 *
 * <p>Times are milliseconds of the clock of the server that made the change first. If two clocks differ by more than
 * the time between two changes of a handle, all servers agree on the change that only seems newer.
 */
final class LastWriterWins {
    /** Times remembered until the store's readers are sure to see them: more than one group can hold. */
    private static final int RECENT_MAX = 1 << 17;

    private final Map<ByteBuffer, Long> recent = new LinkedHashMap<>() {
        @Override
        protected boolean removeEldestEntry(Map.Entry<ByteBuffer, Long> eldest) {
            return size() > RECENT_MAX;
        }
    };
    private @Nullable RecordStore store;
    private @Nullable RecordReader reader;

    void open(RecordStore opened) {
        store = opened;
    }

    /** Records the time of a change with it, and returns that; a local change, of date 0, is later than every known one. */
    long enter(Handle handle, long dateMillis, long nowMillis, BiConsumer<byte[], RecordStore.Replace> also) {
        byte[] key = ReplicationKeys.date(handle);
        long date = dateMillis == 0 ? Math.max(nowMillis, date(key) + 1) : dateMillis;
        recent.put(ByteBuffer.wrap(key), date);
        also.accept(key, (to, _, version, _) -> RecordImage.writeForm(to, version, ByteBuffer.allocate(8).putLong(date).array()));
        return date;
    }

    /** Returns whether a change from another server is newer than the local state. */
    @SuppressWarnings("ReferenceEquality") // KEEP and DELETE are marks, told by identity.
    boolean takes(Handle handle, long dateMillis, byte @Nullable [] current, byte[] made) {
        long known = date(handle);
        if (dateMillis != known) {
            return dateMillis > known;
        }
        if (made == RecordStore.Change.DELETE || made == RecordStore.Change.KEEP) {
            return false;
        }
        return current == null || Arrays.compareUnsigned(TransactionLog.form(made), TransactionLog.form(current)) > 0;
    }

    /** Returns the time of a handle's last change, milliseconds since 1970; 0 if unknown. */
    long date(Handle handle) {
        return date(ReplicationKeys.date(handle));
    }

    private long date(byte[] key) {
        Long known = recent.get(ByteBuffer.wrap(key));
        return known != null ? known : stored(key);
    }

    private long stored(byte[] key) {
        if (reader == null) {
            if (store == null) {
                return 0;
            }
            reader = store.throughReader();
        }
        reader.enter();
        try {
            if (reader.find(key[0], MemorySegment.ofArray(key), 1, key.length - 1) != RecordReader.Found.YES) {
                return 0;
            }
            long form = RecordImage.form(reader.segment(), reader.offset());
            return reader.segment()
                    .get(ValueLayout.JAVA_LONG_UNALIGNED.withOrder(java.nio.ByteOrder.BIG_ENDIAN), form);
        } finally {
            reader.exit();
        }
    }
}
