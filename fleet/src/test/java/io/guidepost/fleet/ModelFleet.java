package io.guidepost.fleet;

import io.guidepost.store.RecordStore;
import io.guidepost.store.StoreOptions;

/** Front ends of a cluster that is a model, for tests elsewhere. */
public final class ModelFleet {
    private final ClusterModel cluster = new ClusterModel(1);

    /** Opens a front end. */
    public RecordStore open() {
        return FleetStore.of(
                cluster.frontEnd(),
                FleetContractTest.settings(0),
                StoreOptions.inMemory().withIndexBytesMax(16 << 20),
                System::nanoTime,
                CacheInvalidations.NONE);
    }

    /** Takes the cluster away, or brings it back. */
    public void away(boolean value) {
        cluster.down(value);
    }
}
