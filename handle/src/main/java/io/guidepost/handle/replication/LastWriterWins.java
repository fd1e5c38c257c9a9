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
 * When each handle was last changed, also those that were deleted since: where several servers take changes, the newest
 * one wins everywhere. Of two with the same date that wins whose bytes are greater, which all servers see alike; a
 * deletion has none. For the committer alone.
 *
 * <p>Dates are milliseconds of the clocks of the servers where changes are made first; servers whose clocks differ by
 * more than the time between two changes of a handle settle on the one that only seems newer.
 */
final class LastWriterWins {
    /** Dates remembered until readers of the store are sure to see them: more than one group can hold. */
    private static final int RECENT_MAX = 1 << 17;

    private final Map<ByteBuffer, Long> recent = new LinkedHashMap<>() {
        private static final long serialVersionUID = 1L;

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

    /** Has the date of a change kept with it; one that is made here counts as later than any known before. */
    void derive(Handle handle, long dateMillis, BiConsumer<byte[], RecordStore.Change> also) {
        byte[] key = ReplicationKeys.date(handle);
        also.accept(key, (to, _, version, now) -> {
            long date = dateMillis == 0 ? Math.max(now, date(key) + 1) : dateMillis;
            recent.put(ByteBuffer.wrap(key), date);
            return RecordImage.writeForm(to, version, ByteBuffer.allocate(8).putLong(date).array());
        });
    }

    /** Whether a change that was made elsewhere is newer than what is known here. */
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

    /** When a handle was last changed, milliseconds since 1970; 0 if that is not known. */
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
