package io.guidepost.store.embedded;

import io.guidepost.store.RecordStore;
import io.guidepost.store.StoreOptions;
import io.guidepost.store.StoredForm;
import io.guidepost.store.engine.RocksEngine;
import io.guidepost.store.engine.StorageEngine;
import io.guidepost.store.index.ReadIndex;
import java.io.IOException;

/**
 * The read index of a store that another process still writes to, read beside it: when this process has the store, only what changed
 * since is missing, and look-ups need no engine from the first on.
 */
public final class WarmIndex {
    private static final System.Logger LOG = System.getLogger(WarmIndex.class.getName());

    private final ReadIndex index;
    private final long sequence;

    private WarmIndex(ReadIndex index, long sequence) {
        this.index = index;
        this.sequence = sequence;
    }

    /** Returns an empty index of a store. */
    static ReadIndex empty(StoreOptions options) {
        return new ReadIndex(options.indexBytesMax(), options.random(), options.memory());
    }

    /**
     * Reads one.
     *
     * @throws IOException if the files cannot be read beside the other process; the index is then read once the store is open
     */
    public static WarmIndex read(StoreOptions options) throws IOException {
        ReadIndex index = empty(options);
        long sequence = RocksEngine.visitBeside(options.folder(), options, (key, image) -> {
            String wrong = StoredForm.wrong(key, image);
            if (wrong == null && ReadIndex.holds(key[0]) && !index.full()) {
                index.put(key, index.hash(key), image);
            }
            return wrong == null && !index.full();
        });
        if (!index.full()) {
            index.completed();
        }
        return new WarmIndex(index, sequence);
    }

    /** Returns it with all that the engine was given since; a new one if the engine does not know that any more. */
    ReadIndex after(StorageEngine engine, StoreOptions options) {
        try {
            engine.changes(sequence, engine.sequence(), this::take);
            return index;
        } catch (IOException | RecordStore.TooOld e) {
            LOG.log(System.Logger.Level.INFO, "the index is read anew: {0}", e.getMessage());
            return empty(options);
        }
    }

    private boolean take(RecordStore.ChangeEvent change) {
        byte[] image = change.image();
        if (!ReadIndex.holds(change.key()[0])) {
            return true;
        }
        if (image == null) {
            index.remove(change.key(), index.hash(change.key()));
        } else {
            index.put(change.key(), index.hash(change.key()), image);
        }
        return true;
    }
}
