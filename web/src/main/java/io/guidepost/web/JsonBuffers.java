package io.guidepost.web;

import tools.jackson.core.util.BufferRecycler;
import tools.jackson.core.util.JsonRecyclerPools;
import tools.jackson.core.util.RecyclerPool;

/**
 * The buffers that JSON is read and written in. Platform threads, of which there are few, have their own, so that an event loop passes
 * no queue twice for each message; virtual threads share some.
 */
final class JsonBuffers implements RecyclerPool<BufferRecycler> {
    static final JsonBuffers ALL = new JsonBuffers();

    private static final long serialVersionUID = 1L;

    private final transient RecyclerPool<BufferRecycler> shared = JsonRecyclerPools.newConcurrentDequePool();
    private final transient ThreadLocal<BufferRecycler> own = ThreadLocal.withInitial(BufferRecycler::new);

    private JsonBuffers() {}

    @Override
    public BufferRecycler acquireAndLinkPooled() {
        // A thread's own stays its own: buffers go back into it, and it goes back to no pool.
        return Thread.currentThread().isVirtual() ? shared.acquireAndLinkPooled() : own.get();
    }

    @Override
    public BufferRecycler acquirePooled() {
        return acquireAndLinkPooled();
    }

    @Override
    public void releasePooled(BufferRecycler pooled) {
        // What is linked knows the pool that it came from.
    }

    @Override
    public int pooledCount() {
        return shared.pooledCount();
    }

    @Override
    public boolean clear() {
        return shared.clear();
    }
}
