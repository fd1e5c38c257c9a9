package io.guidepost.bench.scene;

import io.guidepost.bench.process.ProcessMeter;
import java.net.InetSocketAddress;

/** Something that answers lookups and can be measured. */
public interface BenchTarget extends AutoCloseable {
    /** What reports call it. */
    String name();

    /** Where it answers. */
    InetSocketAddress address();

    /** Processor time that it has used, in nanoseconds, or {@link ProcessMeter#UNKNOWN}. */
    long cpuNanos();

    @Override
    void close();

    /** A server that runs already, with its process where that is on this machine and known. */
    record Running(String name, InetSocketAddress address, long pid) implements BenchTarget {
        @Override
        public long cpuNanos() {
            return pid > 0 ? new ProcessMeter(pid).cpuNanos() : ProcessMeter.UNKNOWN;
        }

        @Override
        public void close() {
            // It was there before us, and stays.
        }
    }
}
