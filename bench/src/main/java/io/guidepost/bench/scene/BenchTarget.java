package io.guidepost.bench.scene;

import io.guidepost.bench.process.ProcessMeter;
import java.net.InetSocketAddress;

/** A server that answers lookups and can be measured. */
public interface BenchTarget extends AutoCloseable {
    /** Returns its name in reports. */
    String name();

    /** Returns its address. */
    InetSocketAddress address();

    /** Returns its processor time in nanoseconds, or {@link ProcessMeter#UNKNOWN}. */
    long cpuNanos();

    @Override
    void close();

    /** A server that runs already, with its process if that is on this machine and known. */
    record Running(String name, InetSocketAddress address, long pid) implements BenchTarget {
        @Override
        public long cpuNanos() {
            return new ProcessMeter(pid).cpuNanos();
        }

        @Override
        public void close() {
            // The server was started by others, and stays.
        }
    }
}
