package io.guidepost.server.handle;

import io.guidepost.handle.record.GuidDerivation;
import io.guidepost.handle.record.ValueIndex;
import io.guidepost.handle.replication.TransactionLog;
import io.guidepost.handle.template.NamespaceDetector;
import io.guidepost.server.config.Configuration;
import io.guidepost.server.config.ConfigurationKeys;
import io.guidepost.server.config.StoreConfiguration;
import io.guidepost.store.RecordStore;
import io.guidepost.store.StoreOptions;
import java.io.IOException;
import java.util.Set;

/**
 * All that follows in a store from changes of handles, in a server as in a command that opens the store itself.
 *
 * @param places the places of handles among the GUIDs
 * @param index values by which handles are searched
 * @param namespaces whether a prefix has templates
 * @param transactions the log for mirrors; to be opened right after the store, before anything changes
 * @param shared whether the store is a cluster: its changes have no one order, so that none are logged
 */
record HandleDerivations(
        GuidDerivation places, ValueIndex index, NamespaceDetector namespaces, TransactionLog transactions, boolean shared) {
    /** As a configuration wants them. */
    public static HandleDerivations of(Configuration configuration) {
        boolean shared = StoreConfiguration.isShared(configuration);
        return new HandleDerivations(
                new GuidDerivation(configuration.get(ConfigurationKeys.HANDLE_CASE_SENSITIVE)),
                new ValueIndex(Set.copyOf(configuration.get(ConfigurationKeys.HANDLE_SEARCH_TYPES))),
                // Another server may make a namespace.
                shared ? NamespaceDetector.certain() : new NamespaceDetector(),
                configuration.get(ConfigurationKeys.HANDLE_PRIMARIES).isEmpty()
                        ? TransactionLog.ofOnePrimary()
                        : TransactionLog.ofSeveralPrimaries(),
                shared);
    }

    /** Returns the options of a store with all of them. */
    public StoreOptions with(StoreOptions options) {
        StoreOptions found = options.withDerivation(places.and(index).and(namespaces));
        return shared ? found : found.withJournal(transactions);
    }

    /**
     * Opens the log in the store, if there is one.
     *
     * @throws IOException if the disk cannot be read
     */
    void open(RecordStore store) throws IOException {
        if (!shared) {
            transactions.open(store);
        }
    }
}
