package io.guidepost.lab.prove;

import io.guidepost.gnrs.client.GnrsClient;
import io.guidepost.gnrs.client.GnrsClientSettings;
import io.guidepost.gnrs.client.GnrsRequest;
import io.guidepost.gnrs.client.GnrsResponse;
import io.guidepost.names.Guid;
import io.guidepost.server.cli.support.ChildJvm;
import io.guidepost.server.cli.support.ChildProcesses;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.BindException;
import java.net.DatagramSocket;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;

/** A server in a process of its own, run by the same Java from the same class path, that can be killed. */
public final class ChildServer implements AutoCloseable {
    private static final long START_SECONDS_MAX = 30;
    private static final long STOP_SECONDS_MAX = 10;

    private static final int PORT_MIN = 10_000;

    /** Linux's default of {@code net.ipv4.ip_local_port_range}. */
    private static final int EPHEMERAL_PORT_MIN = 32_768;

    private final ProcessHandle process;
    private final long startMillis;

    private ChildServer(ProcessHandle process, long startMillis) {
        this.process = process;
        this.startMillis = startMillis;
    }

    /**
     * Starts one and waits until it answers a look-up.
     *
     * @param address where its settings have it answer
     * @param log a file that takes what it says
     * @throws IOException if it ends or does not answer
     */
    static ChildServer start(InetSocketAddress address, List<String> settings, Path log) throws IOException {
        return start(address, serving(settings), Map.of(), log);
    }

    /** Returns the arguments of a server with some settings. */
    static List<String> serving(List<String> settings) {
        List<String> arguments = new ArrayList<>(List.of("serve"));
        settings.forEach(each -> arguments.addAll(List.of("--set", each)));
        return arguments;
    }

    /**
     * Starts one as a command says, and waits until it answers a look-up.
     *
     * @param arguments of the command
     * @param environment further variables
     * @throws IOException if it ends or does not answer
     */
    public static ChildServer start(InetSocketAddress address, List<String> arguments, Map<String, String> environment, Path log)
            throws IOException {
        // Under nohup SIGHUP is ignored, and what is started there would ignore it too.
        List<String> command = new ArrayList<>(List.of("env", "--default-signal=HUP"));
        command.addAll(ChildJvm.command(arguments));
        long began = System.nanoTime();
        ProcessBuilder builder = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()));
        builder.environment().putAll(environment);
        Process process = builder.start();
        while (!answers(address)) {
            if (!process.isAlive() || System.nanoTime() - began > TimeUnit.SECONDS.toNanos(START_SECONDS_MAX)) {
                process.destroyForcibly();
                throw new IOException("the server did not start; it said: "
                        + Files.readString(log, StandardCharsets.UTF_8).strip());
            }
        }
        return new ChildServer(process.toHandle(), TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - began));
    }

    /**
     * Returns a port that is free over UDP and TCP, and below those that the kernel gives to connections: one of these could take it
     * before the server does.
     */
    public static int freePort() throws IOException {
        SplittableRandom random = new SplittableRandom();
        while (true) {
            try (DatagramSocket udp = new DatagramSocket(random.nextInt(PORT_MIN, EPHEMERAL_PORT_MIN));
                    ServerSocket tcp = new ServerSocket(udp.getLocalPort())) {
                return tcp.getLocalPort();
            } catch (BindException taken) {
                // Another program has it: the next one is tried.
            }
        }
    }

    private static boolean answers(InetSocketAddress address) throws IOException {
        AtomicReference<GnrsResponse> taken = new AtomicReference<>();
        try (GnrsClient client = GnrsClient.open(address, new GnrsClientSettings(20, 1, 1))) {
            client.batch(List.of(GnrsRequest.lookup(Guid.ofAscii("ready?"), false)).iterator(), taken::set);
        }
        GnrsResponse answer = taken.get();
        return answer != null
                && (answer.outcome() == GnrsResponse.Outcome.SUCCESS || answer.outcome() == GnrsResponse.Outcome.FAILED);
    }

    /** From the start of the process to the first answer. */
    long startMillis() {
        return startMillis;
    }

    public long pid() {
        return process.pid();
    }

    /** Returns the server whose process took over from this one's, which ends. */
    public ChildServer replacedBy(long pid) throws IOException {
        await();
        return new ChildServer(
                ProcessHandle.of(pid).orElseThrow(() -> new IOException("the process " + pid + " took over, and has ended")), startMillis);
    }

    /** Sends its process a signal. */
    public void signal(String name) throws IOException {
        ChildProcesses.run("kill", "-" + name, Long.toString(process.pid()));
    }

    /** Ends it as a power cut of the process: SIGKILL, nothing is finished. */
    public void kill() throws IOException {
        process.destroyForcibly();
        await();
    }

    private void await() throws IOException {
        try {
            process.onExit().get(STOP_SECONDS_MAX, TimeUnit.SECONDS);
        } catch (TimeoutException e) {
            // It is ended by force.
        } catch (ExecutionException e) {
            throw new IOException("the server's end is not told", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("interrupted while the server ended");
        }
    }

    /** Has it end by itself. */
    @Override
    public void close() throws IOException {
        process.destroy();
        await();
        process.destroyForcibly();
    }
}
