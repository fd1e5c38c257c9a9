package io.guidepost.server;

import io.guidepost.handle.record.Places;
import io.guidepost.handle.record.ValueIndex;
import io.guidepost.handle.replication.Transactions;
import io.guidepost.handle.template.NamespaceWatch;
import io.guidepost.store.RecordStore;
import java.util.Set;

/**
 * All that follows in a store from changes of handles, whoever has it open: a server, or a command without one.
 *
 * @param places the places of handles among the GUIDs
 * @param index values by which handles are searched
 * @param namespaces whether a prefix has templates
 * @param transactions the log for mirrors; to be opened right after the store, before anything changes
 */
record HandleDerivations(Places places, ValueIndex index, NamespaceWatch namespaces, Transactions transactions) {
    /** As a configuration wants them. */
    static HandleDerivations of(Configuration configuration) {
        return new HandleDerivations(
                new Places(configuration.get(Keys.HANDLE_CASE_SENSITIVE)),
                new ValueIndex(Set.copyOf(configuration.get(Keys.HANDLE_SEARCH_TYPES))),
                new NamespaceWatch(),
                configuration.get(Keys.HANDLE_PRIMARIES).isEmpty()
                        ? Transactions.ofOnePrimary()
                        : Transactions.ofSeveralPrimaries());
    }

    /** All of them as one, which the store is opened with. */
    RecordStore.Derivation all() {
        return Places.all(places, index, namespaces, transactions);
    }
}
