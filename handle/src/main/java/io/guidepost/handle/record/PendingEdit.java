package io.guidepost.handle.record;

import io.guidepost.base.Malformed;
import io.guidepost.handle.Handle;
import io.guidepost.store.RecordStore;
import io.guidepost.store.StoreStatus;
import io.guidepost.store.WritesRefusedException;
import java.io.IOException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** An edit in the store's queue: the thread that submits it makes it, and the committer tells when it is durable. */
public final class PendingEdit implements RecordStore.Replace, RecordStore.Completion {
    private final RecordStore store;
    private final Handle handle;
    private final RecordEdit edit;
    private final RecordStore.Completion then;
    private volatile RecordStore.@Nullable Outcome outcome;
    private volatile RecordEdit.@Nullable Next next;

    PendingEdit(RecordStore store, Handle handle, RecordEdit edit, RecordStore.Completion then) {
        this.store = store;
        this.handle = handle;
        this.edit = edit;
        this.then = then;
    }

    @Override
    public byte[] apply(byte[] key, byte @Nullable [] current, long version, long nowMillis) {
        Optional<HandleRecord> before;
        try {
            before = current == null ? Optional.empty() : Optional.of(StoredHandleRecord.read(current));
        } catch (Malformed e) {
            throw new IllegalStateException("the record of " + handle + " is damaged: " + e.getMessage(), e);
        }
        RecordEdit.Next result = edit.apply(before, nowMillis / 1000);
        next = result;
        return switch (result) {
            case RecordEdit.Next.Written written -> StoredHandleRecord.write(key, version, written.record());
            case RecordEdit.Next.Deleted _ -> DELETE;
            case RecordEdit.Next.Refused _ -> KEEP;
        };
    }

    @Override
    public void complete(RecordStore.Outcome made, long version) {
        outcome = made;
        then.complete(made, version);
    }

    @Override
    public @Nullable Runnable afterwards() {
        return then.afterwards();
    }

    /**
     * Returns the edit's result, once the store has told that it is complete.
     *
     * @throws WritesRefusedException if the disk takes no writes; nothing was changed
     * @throws IOException if the store refuses
     */
    public RecordEdit.Next result() throws IOException {
        RecordEdit.Next result = next;
        if (outcome == RecordStore.Outcome.FAILED || result == null) {
            StoreStatus now = store.status();
            throw now.writable() ? new IOException("the store refused the change") : new WritesRefusedException(now.trouble());
        }
        return result;
    }
}
