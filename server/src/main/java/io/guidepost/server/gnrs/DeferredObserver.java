package io.guidepost.server.gnrs;

import io.guidepost.store.RecordStore;
import org.jspecify.annotations.Nullable;

/** An observer of the store that somebody else stands in for later: the store opens before anyone knows of whom. */
final class DeferredObserver implements RecordStore.Observer {
    private volatile RecordStore.@Nullable Observer observer;

    /** From the next change on, this one hears of each. */
    public void set(RecordStore.Observer hearing) {
        observer = hearing;
    }

    @Override
    public void changed(long sequence, byte[] key, byte @Nullable [] before, byte @Nullable [] after) {
        RecordStore.Observer now = observer;
        if (now != null) {
            now.changed(sequence, key, before, after);
        }
    }
}
