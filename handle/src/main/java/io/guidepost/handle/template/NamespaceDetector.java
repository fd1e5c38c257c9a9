package io.guidepost.handle.template;

import io.guidepost.base.Malformed;
import io.guidepost.handle.Handle;
import io.guidepost.handle.record.HandleRecord;
import io.guidepost.handle.record.HandleRecords;
import io.guidepost.handle.record.StoredHandleRecord;
import io.guidepost.handle.value.ValueType;
import io.guidepost.names.Name;
import io.guidepost.store.RecordStore;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Detects whether any prefix has HS_NAMESPACE; without one, no request searches for templates. It sees each change as
 * one of the store's derivations, and derives nothing. Once a namespace was seen, it stays set until the next start.
 * Thread-safe.
 */
public final class NamespaceDetector implements RecordStore.Derivation {
    private static final byte[] PREFIXES = (Handle.PREFIX_OF_PREFIXES + "/").getBytes(StandardCharsets.US_ASCII);

    private volatile boolean seen;

    /** Returns one that takes a namespace for granted: where other servers change the records, this one does not see each change. */
    public static NamespaceDetector certain() {
        NamespaceDetector detector = new NamespaceDetector();
        detector.seen = true;
        return detector;
    }

    /** Returns whether a prefix has, or had, a namespace. */
    public boolean seen() {
        return seen;
    }

    /** Scans the existing prefixes; to be called once the store is open. */
    void look(HandleRecords records) throws IOException {
        if (seen) {
            return;
        }
        records.scan(PREFIXES, null, record -> {
            see(has(record));
            return !seen;
        });
    }

    @Override
    public void derive(
            byte[] key,
            byte @Nullable [] before,
            byte @Nullable [] after,
            BiConsumer<byte[], RecordStore.Replace> also) {
        int length = 1 + PREFIXES.length;
        if (seen
                || after == null
                || key.length <= length
                || key[0] != Name.Namespace.HANDLE.code()
                || !Arrays.equals(key, 1, length, PREFIXES, 0, PREFIXES.length)) {
            return;
        }
        try {
            see(has(StoredHandleRecord.read(after)));
        } catch (Malformed e) {
            see(true);
        }
    }

    /** Never writes false: what another thread has seen meanwhile would be lost. */
    private void see(boolean namespace) {
        if (namespace) {
            seen = true;
        }
    }

    private static boolean has(HandleRecord record) {
        return record.values().stream().anyMatch(each -> each.is(ValueType.HS_NAMESPACE));
    }
}
