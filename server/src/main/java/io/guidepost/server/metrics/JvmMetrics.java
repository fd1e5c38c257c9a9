package io.guidepost.server.metrics;

import java.io.IOException;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryUsage;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.OptionalLong;
import java.util.stream.Stream;

/** What the JVM and the system say of the process. The beans are loaded by the first scrape, not by the start. */
public final class JvmMetrics {
    private static final int KIBIBYTE = 1024;

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
            out.counter("process_cpu_seconds", "Processor time of the process.")
                    .sample(os.getProcessCpuTime() / 1e9);
        }
        if (ManagementFactory.getOperatingSystemMXBean() instanceof com.sun.management.UnixOperatingSystemMXBean unix) {
            out.gauge("process_open_fds", "Open file descriptors: files, sockets, event queues.")
                    .sample(unix.getOpenFileDescriptorCount());
            out.gauge("process_max_fds", "Limit of open file descriptors.").sample(unix.getMaxFileDescriptorCount());
        }
        out.gauge("process_resident_memory_bytes", "Memory of the process that is in RAM (RSS).");
        residentBytes().ifPresent(out::sample);
        out.gauge("process_start_time_seconds", "When the process started, seconds since 1970.")
                .sample(ManagementFactory.getRuntimeMXBean().getStartTime() / 1e3);
    }

    /** Returns the resident memory as Linux tells it; empty elsewhere. */
    private static OptionalLong residentBytes() {
        try (Stream<String> lines = Files.lines(Path.of("/proc/self/status"))) {
            return lines.filter(each -> each.startsWith("VmRSS:"))
                    .mapToLong(each -> Long.parseLong(each.replaceAll("[^0-9]", "")) * KIBIBYTE)
                    .findFirst();
        } catch (IOException e) {
            return OptionalLong.empty();
        }
    }
}
