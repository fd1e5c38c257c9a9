package io.guidepost.fleet;

import io.guidepost.store.RecordStore;
import io.guidepost.store.RecordStoreContract;
import io.guidepost.store.StoreOptions;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** The contract of a store, kept by a front end of a cluster. */
final class FleetContractTest extends RecordStoreContract {
    static FleetSettings settings(long staleMillis) {
        return settings(staleMillis, 0);
    }

    static FleetSettings settings(long staleMillis, long serveStaleMillis) {
        return new FleetSettings(
                List.of(), "guidepost", "", "", Optional.<Path>empty(), FleetSettings.Consistency.QUORUM, staleMillis, serveStaleMillis);
    }

    @Override
    @SuppressWarnings("MustBeClosedChecker") // The contract closes it.
    protected RecordStore open(StoreOptions options) {
        return FleetStore.of(new ClusterModel(1).frontEnd(), settings(60_000), options, System::nanoTime, CacheInvalidations.NONE);
    }
}
