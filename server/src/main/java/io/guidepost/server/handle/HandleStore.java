package io.guidepost.server.handle;

import io.guidepost.handle.record.HandleRecords;
import io.guidepost.handle.record.HomedPrefixes;
import io.guidepost.server.config.Configuration;
import io.guidepost.server.config.ConfigurationException;
import io.guidepost.server.config.ConfigurationKeys;
import io.guidepost.server.config.StoreConfiguration;
import io.guidepost.server.fleet.FleetService;
import io.guidepost.store.RecordStore;
import io.guidepost.store.embedded.EmbeddedStore;
import java.io.IOException;
import java.nio.file.Path;

/**
 * The store of a server that does not run, opened for its handles: what follows from changes of handles follows here as it
 * does in the server.
 */
public final class HandleStore implements AutoCloseable {
    private final RecordStore store;
    private final HandleRecords records;
    private final HomedPrefixes homes;
    private final FleetService others;

    private HandleStore(RecordStore store, boolean caseSensitive, FleetService others) throws IOException {
        this.store = store;
        this.others = others;
        this.records = new HandleRecords(store, caseSensitive);
        this.homes = new HomedPrefixes(store);
    }

    /**
     * Opens the store that a configuration names; it is made if it does not exist.
     *
     * @throws IOException if a server has it open, or the disk refuses
     */
    @SuppressWarnings("MustBeClosedChecker") // What is opened is closed by close().
    public static HandleStore open(Configuration configuration) throws ConfigurationException, IOException {
        boolean caseSensitive = configuration.get(ConfigurationKeys.HANDLE_CASE_SENSITIVE);
        HandleDerivations derived = HandleDerivations.of(configuration);
        FleetService others = FleetService.ofCommand(configuration);
        RecordStore store = null;
        try {
            store = StoreConfiguration.open(
                    configuration, derived.with(StoreConfiguration.of(configuration)), null, others.invalidations());
            derived.open(store);
            return new HandleStore(store, caseSensitive, others);
        } catch (IOException | ConfigurationException e) {
            if (store != null) {
                store.close();
            }
            others.close();
            throw e;
        }
    }

    /**
     * Opens the store that a configuration names, which is there.
     *
     * @throws ConfigurationException if there is none
     * @throws IOException as {@link #open}
     */
    public static HandleStore openExisting(Configuration configuration) throws ConfigurationException, IOException {
        Path folder = configuration.get(ConfigurationKeys.STORE_FOLDER);
        if (!StoreConfiguration.isShared(configuration) && !EmbeddedStore.exists(folder)) {
            throw configuration.fault(
                    ConfigurationKeys.STORE_FOLDER,
                    "there is no store in " + folder.toAbsolutePath() + ": name the folder of one, --set store.folder=/var/lib/guidepost");
        }
        return open(configuration);
    }

    /** The records of handles. */
    public HandleRecords records() {
        return records;
    }

    /** The prefixes that are at home there. */
    public HomedPrefixes homes() {
        return homes;
    }

    @Override
    public void close() {
        store.close();
        others.close();
    }
}
