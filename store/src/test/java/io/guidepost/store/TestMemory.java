package io.guidepost.store;

import java.lang.foreign.Arena;

/** Memory of indexes for tests that open thousands of stores in one process: that of the runtime is kept until the process ends. */
public final class TestMemory {
    private static final int ALIGNED = 64;

    private TestMemory() {}

    /** Returns memory that an arena frees; it is closed behind the store. */
    public static IndexMemory of(Arena arena) {
        return new IndexMemory(StoreLimits.CHUNK_BYTES, bytes -> arena.allocate(bytes, ALIGNED));
    }
}
