package io.guidepost.store.embedded;

import io.guidepost.store.RecordStore;
import io.guidepost.store.RecordStoreContract;
import io.guidepost.store.StoreOptions;
import java.io.IOException;

/** The contract of a store, kept by the one inside this process. */
final class EmbeddedContractTest extends RecordStoreContract {
    @Override
    @SuppressWarnings("MustBeClosedChecker") // The contract closes it.
    protected RecordStore open(StoreOptions options) throws IOException {
        return EmbeddedStore.open(options);
    }
}
