package io.guidepost.bench.scene;

import com.sun.management.ThreadMXBean;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;

/**
 * Heap activity of a process.
 *
 * @param collections garbage collections of all kinds
 * @param allocatedBytes by all threads
 */
public record HeapUse(long collections, long allocatedBytes) {
    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    /** Returns that of this process since its start. */
    public static HeapUse ofThisProcess() {
        long collections = ManagementFactory.getGarbageCollectorMXBeans().stream()
                .mapToLong(GarbageCollectorMXBean::getCollectionCount)
                .sum();
        return new HeapUse(collections, THREADS.getTotalThreadAllocatedBytes());
    }

    /** Returns that of a server since its start, from its metrics. */
    public static HeapUse of(ServerUnderTest server) {
        return new HeapUse(
                (long) server.metric("guidepost_jvm_gc_collections_total"),
                (long) server.metric("guidepost_jvm_allocated_bytes_total"));
    }

    /** Returns the difference to an earlier reading. */
    public HeapUse since(HeapUse before) {
        return new HeapUse(collections - before.collections, allocatedBytes - before.allocatedBytes);
    }
}
