package io.guidepost.bench.scene;

import com.sun.management.ThreadMXBean;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;

/**
 * What a process has done with its heap.
 *
 * @param collections of garbage, of all kinds
 * @param allocatedBytes by all threads
 */
public record HeapUse(long collections, long allocatedBytes) {
    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    /** Of this one, since it started. */
    public static HeapUse ofThisProcess() {
        long collections = ManagementFactory.getGarbageCollectorMXBeans().stream()
                .mapToLong(GarbageCollectorMXBean::getCollectionCount)
                .sum();
        return new HeapUse(collections, THREADS.getTotalThreadAllocatedBytes());
    }

    /** Of a server, since it started, as it says itself. */
    public static HeapUse of(ServerUnderTest server) {
        return new HeapUse(
                (long) server.metric("guidepost_jvm_gc_collections_total"),
                (long) server.metric("guidepost_jvm_allocated_bytes_total"));
    }

    /** What came after an earlier look. */
    public HeapUse since(HeapUse before) {
        return new HeapUse(collections - before.collections, allocatedBytes - before.allocatedBytes);
    }
}
