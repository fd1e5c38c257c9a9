package io.guidepost.bench.scene;

import java.net.InetSocketAddress;

/**
 * A server under test by the address of another door than GNRS.
 *
 * @param server the process
 * @param address of the door
 */
public record DoorUnderTest(ServerUnderTest server, InetSocketAddress address) implements BenchTarget {
    @Override
    public String name() {
        return server.name();
    }

    @Override
    public long cpuNanos() {
        return server.cpuNanos();
    }

    @Override
    public void close() {
        server.close();
    }
}
