package io.guidepost.store.embedded;

import io.guidepost.base.Memory;
import io.guidepost.names.Record;
import io.guidepost.store.RecordImage;
import io.guidepost.store.RecordStore;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a replace is to write, computed by the thread that submits it from the form that it has read: the write set of optimistic
 * concurrency control (Kung and Robinson, On optimistic methods for concurrency control, 1981), which the committer validates.
 *
 * @param read the form that it is made of, null for none
 * @param next the next form without its version, or a mark of {@link RecordStore.Change}
 * @param derived what follows from the two
 */
record WriteSet(byte @Nullable [] read, byte[] next, List<ChangeQueue.Entry> derived) {
    /** Makes a change; null if that fails: the committer then says how, as of any change. */
    @SuppressWarnings("ReferenceEquality") // KEEP and DELETE are markers, compared by identity.
    static @Nullable WriteSet of(
            byte[] key,
            byte @Nullable [] read,
            RecordStore.Replace change,
            RecordStore.@Nullable Derivation derivation,
            long nowMillis) {
        try {
            byte[] next = change.apply(key, read, Record.ABSENT, nowMillis);
            if (derivation == null || next == RecordStore.Change.KEEP || next == RecordStore.Change.DELETE && read == null) {
                return new WriteSet(read, next, List.of());
            }
            List<ChangeQueue.Entry> derived = new ArrayList<>();
            byte[] after = next == RecordStore.Change.DELETE ? null : next;
            derivation.derive(key, read, after, (row, follows) -> derived.add(ChangeQueue.Entry.derived(row, follows)));
            return new WriteSet(read, next, derived);
        } catch (RuntimeException e) {
            return null;
        }
    }

    /** Returns the version that it is made of. */
    long version() {
        return version(read);
    }

    static long version(byte @Nullable [] image) {
        return image == null ? Record.ABSENT : Memory.longAt(image, 8);
    }

    byte[] next(long version) {
        return next.length == 0 ? next : RecordImage.withVersion(next, version);
    }
}
