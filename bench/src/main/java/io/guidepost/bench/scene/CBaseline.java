package io.guidepost.bench.scene;

import io.guidepost.bench.load.SyntheticRecords;
import io.guidepost.bench.process.CProgram;
import io.guidepost.bench.process.ChildProcess;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;

/**
 * A baseline in C: {@code responder.c} for GNRS, {@code handle_responder.c} and {@code stream_responder.c} for handles,
 * {@code proxidor_responder.c}.
 */
public final class CBaseline implements BenchTarget {
    private static final CProgram PROGRAM = new CProgram("responder.c", List.of("udp_trains.h"));
    private static final List<String> HANDLE_ANSWER = List.of("handle_answer.h");
    private static final CProgram HANDLE_PROGRAM = new CProgram("handle_responder.c", List.of("handle_answer.h", "udp_trains.h"));
    private static final CProgram STREAM_PROGRAM = new CProgram("stream_responder.c", HANDLE_ANSWER);
    private static final CProgram PROXIDOR_PROGRAM = new CProgram("proxidor_responder.c");

    private final ChildProcess child;
    private final InetSocketAddress address;

    private CBaseline(ChildProcess child) {
        this.child = child;
        int port = Integer.parseInt(CProgram.awaitReady(child));
        this.address = new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
    }

    /** Starts the GNRS baseline with {@link SyntheticRecords}, and waits until it is ready. */
    static CBaseline start(int cpu, Path folder, int records, boolean trains) {
        List<String> command = new ArrayList<>(List.of(
                PROGRAM.compiled(folder).toString(), "--records", Integer.toString(records), "--spin", "20"));
        if (trains) {
            command.add("--gro");
        }
        return new CBaseline(ChildProcess.start("responder", cpu, folder, command));
    }

    /**
     * Starts the Handle baseline with one response to every request, and waits until it is ready.
     *
     * @param way transport, as {@code bench handle --way} has it
     * @param trains whether it takes and sends datagrams over UDP in trains
     */
    public static CBaseline ofHandles(int cpu, Path folder, String way, byte[] answer, boolean trains) {
        boolean udp = way.equals("udp");
        CProgram program = udp ? HANDLE_PROGRAM : STREAM_PROGRAM;
        List<String> command = new ArrayList<>(
                List.of(program.compiled(folder).toString(), "--answer", HexFormat.of().formatHex(answer)));
        if (!udp) {
            command.addAll(List.of("--way", way));
        } else if (trains) {
            command.add("--gro");
        }
        return new CBaseline(ChildProcess.start("handle_responder", cpu, folder, command));
    }

    /**
     * Starts the baseline of creations, which appends a number of bytes for each request, syncs once for all that came together, and then
     * answers; waits until it is ready.
     *
     * @param way {@code create} or {@code create-kept}
     */
    public static CBaseline ofCreations(int cpu, Path folder, String way, byte[] answer, int bytes) {
        List<String> command = List.of(
                STREAM_PROGRAM.compiled(folder).toString(),
                "--way",
                way,
                "--log",
                folder.resolve("creations.log").toString(),
                "--bytes",
                Integer.toString(bytes),
                "--answer",
                HexFormat.of().formatHex(answer));
        return new CBaseline(ChildProcess.start("handle_responder", cpu, folder, command));
    }

    /** Starts the Proxidor baseline with a table of {@code ProxidorTestNetwork#writeTable}, and waits until it is ready. */
    public static CBaseline ofProxidor(int cpu, Path folder, Path table) {
        List<String> command = List.of(PROXIDOR_PROGRAM.compiled(folder).toString(), "--table", table.toString());
        return new CBaseline(ChildProcess.start("proxidor_responder", cpu, folder, command));
    }

    /** Returns whether there is a C compiler. */
    public static boolean available() {
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

    public long pid() {
        return child.pid();
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
