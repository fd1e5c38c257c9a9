package io.guidepost.bench;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;

/** The baseline in C, {@code responder.c}: compiled for this machine when its source is another, and started. */
final class Responder implements Target {
    private static final String NAME = "responder";
    private static final long START_NANOS_MAX = 60_000_000_000L;
    private static final long LOOK_NANOS = 1_000_000;

    private final Child child;
    private final InetSocketAddress address;

    private Responder(Child child, int port) {
        this.child = child;
        this.address = new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
    }

    /** Starts it with records that are {@link SyntheticRecords}, and waits until it is ready. */
    static Responder start(int cpu, Path folder, int records, boolean trains) {
        List<String> command = new ArrayList<>(List.of(
                CProgram.compiled(NAME, folder, List.of()).toString(), "--records", Integer.toString(records), "--spin", "20"));
        if (trains) {
            command.add("--gro");
        }
        Child child = Child.start("responder", cpu, folder, command);
        return new Responder(child, port(child));
    }

    /** Whether there is a C compiler to make it with. */
    static boolean available() {
        return CProgram.compilerIsThere();
    }

    private static int port(Child child) {
        long end = System.nanoTime() + START_NANOS_MAX;
        while (child.alive() && System.nanoTime() - end < 0) {
            String output = child.output();
            if (output.startsWith("ready ") && output.endsWith("\n")) {
                return Integer.parseInt(output.substring(6).trim());
            }
            LockSupport.parkNanos(LOOK_NANOS);
        }
        throw child.failed("did not become ready");
    }

    @Override
    public String name() {
        return "C responder";
    }

    @Override
    public InetSocketAddress address() {
        return address;
    }

    @Override
    public long cpuNanos() {
        return child.meter().cpuNanos();
    }

    @Override
    public void close() {
        child.close();
    }
}
