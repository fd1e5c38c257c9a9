package io.guidepost.bench;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The baseline in C, {@code responder.c}. */
final class Responder implements Target {
    private static final CProgram PROGRAM = new CProgram("responder.c");

    private final Child child;
    private final InetSocketAddress address;

    private Responder(Child child, int port) {
        this.child = child;
        this.address = new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
    }

    /** Starts it with records that are {@link SyntheticRecords}, and waits until it is ready. */
    static Responder start(int cpu, Path folder, int records, boolean trains) {
        List<String> command = new ArrayList<>(List.of(
                PROGRAM.compiled(folder).toString(), "--records", Integer.toString(records), "--spin", "20"));
        if (trains) {
            command.add("--gro");
        }
        Child child = Child.start("responder", cpu, folder, command);
        return new Responder(child, Integer.parseInt(CProgram.awaitReady(child)));
    }

    /** Whether there is a C compiler to make it with. */
    static boolean available() {
        return CProgram.available();
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
