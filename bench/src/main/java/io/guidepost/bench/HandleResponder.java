package io.guidepost.bench;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.List;

/** The baseline in C, {@code handle_responder.c}. */
final class HandleResponder implements Target {
    private static final CProgram PROGRAM = new CProgram("handle_responder.c");

    private final Child child;
    private final InetSocketAddress address;

    private HandleResponder(Child child, int port) {
        this.child = child;
        this.address = new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
    }

    /** Starts it with the answer that it gives to everything, of one packet, and waits until it is ready. */
    static HandleResponder start(int cpu, Path folder, byte[] answer) {
        Child child = Child.start(
                "handle_responder",
                cpu,
                folder,
                List.of(
                        PROGRAM.compiled(folder).toString(),
                        "--answer",
                        HexFormat.of().formatHex(answer)));
        return new HandleResponder(child, Integer.parseInt(CProgram.awaitReady(child)));
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
