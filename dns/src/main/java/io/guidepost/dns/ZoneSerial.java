package io.guidepost.dns;

import io.guidepost.names.Name;
import io.guidepost.store.RecordStore;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * The serial of the zone (RFC 1982): the number of the store's last change at the start, and one more with each change of a name or
 * a handle since. It never passes the store's own number, which counts all changes, so it grows over a restart as well. Thread-safe.
 */
public final class ZoneSerial implements RecordStore.Derivation {
    private volatile int serial;

    /** Begins with a number, before the first change. */
    public void begin(long sequence) {
        serial = (int) sequence;
    }

    /** Returns the serial in force. */
    public int get() {
        return serial;
    }

    /** Derives nothing, and counts. */
    @Override
    @SuppressWarnings("NonAtomicVolatileUpdate") // The committer alone writes.
    public void derive(
            byte[] key, byte @Nullable [] before, byte @Nullable [] after, BiConsumer<byte[], RecordStore.Change> also) {
        if (key[0] == Name.Namespace.GUID.code() || key[0] == Name.Namespace.HANDLE.code()) {
            serial++;
        }
    }
}
