package io.guidepost.server;

import io.guidepost.handle.record.Homes;
import io.guidepost.handle.record.Records;
import io.guidepost.store.EmbeddedStore;
import io.guidepost.store.RecordStore;
import java.io.IOException;

/**
 * The store of a server that does not run, opened for its handles: what follows from changes of handles follows here as it
 * does in the server.
 */
public final class HandleStore implements AutoCloseable {
    private final RecordStore store;
    private final Records records;
    private final Homes homes;

    private HandleStore(RecordStore store, boolean caseSensitive) throws IOException {
        this.store = store;
        this.records = new Records(store, caseSensitive);
        this.homes = new Homes(store);
    }

    /**
     * Opens the store that a configuration names; it is made if it does not exist.
     *
     * @throws IOException if a server has it open, or the disk refuses
     */
    @SuppressWarnings("MustBeClosedChecker") // What is opened is closed by close().
    public static HandleStore open(Configuration configuration) throws IOException {
        boolean caseSensitive = configuration.get(Keys.HANDLE_CASE_SENSITIVE);
        HandleDerivations derived = HandleDerivations.of(configuration);
        RecordStore store = EmbeddedStore.open(StoreSettings.of(configuration).withDerivation(derived.all()));
        try {
            derived.transactions().open(store);
            return new HandleStore(store, caseSensitive);
        } catch (IOException e) {
            store.close();
            throw e;
        }
    }

    /** The records of handles. */
    public Records records() {
        return records;
    }

    /** The prefixes that are at home there. */
    public Homes homes() {
        return homes;
    }

    @Override
    public void close() {
        store.close();
    }
}
