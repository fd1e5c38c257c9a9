package io.guidepost.server.metrics;

import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryUsage;

/** What the JVM says of itself. The beans are loaded by the first scrape, not by the start. */
public final class JvmMetrics {
    private JvmMetrics() {}

    public static void write(Exposition out) {
        MemoryUsage heap = ManagementFactory.getMemoryMXBean().getHeapMemoryUsage();
        out.gauge("guidepost_jvm_heap_bytes", "Java heap by state.")
                .sample(heap.getUsed(), "state", "used")
                .sample(heap.getCommitted(), "state", "committed")
                .sample(heap.getMax(), "state", "max");
        out.counter("guidepost_jvm_gc_collections", "Garbage collections.");
        for (GarbageCollectorMXBean each : ManagementFactory.getGarbageCollectorMXBeans()) {
            out.sample(each.getCollectionCount(), "collector", each.getName());
        }
        out.counter("guidepost_jvm_gc_seconds", "Time in garbage collections.");
        for (GarbageCollectorMXBean each : ManagementFactory.getGarbageCollectorMXBeans()) {
            out.sample(each.getCollectionTime() / 1e3, "collector", each.getName());
        }
        if (ManagementFactory.getThreadMXBean() instanceof com.sun.management.ThreadMXBean threads) {
            out.counter("guidepost_jvm_allocated_bytes", "Bytes of the heap that all threads have allocated since the start.")
                    .sample(threads.getTotalThreadAllocatedBytes());
        }
        out.gauge("guidepost_jvm_threads", "Platform threads.")
                .sample(ManagementFactory.getThreadMXBean().getThreadCount());
        if (ManagementFactory.getOperatingSystemMXBean() instanceof com.sun.management.OperatingSystemMXBean os) {
            out.counter("guidepost_process_cpu_seconds", "Processor time of the process.")
                    .sample(os.getProcessCpuTime() / 1e9);
        }
        out.gauge("guidepost_process_start_time_seconds", "When the process started, seconds since 1970.")
                .sample(ManagementFactory.getRuntimeMXBean().getStartTime() / 1e3);
    }
}
