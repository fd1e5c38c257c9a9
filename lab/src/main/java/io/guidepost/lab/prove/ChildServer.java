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
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;

/** A server in a process of its own, run by the same Java from the same class path, that can be killed. */
final class ChildServer implements AutoCloseable {
    private static final long START_SECONDS_MAX = 30;
    private static final long STOP_SECONDS_MAX = 10;

    private final Process process;
    private final long startMillis;

    private ChildServer(Process process, long startMillis) {
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
        List<String> arguments = new ArrayList<>(List.of("serve"));
        settings.forEach(each -> arguments.addAll(List.of("--set", each)));
        List<String> command = ChildJvm.command(arguments);
        long began = System.nanoTime();
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()))
                .start();
        while (!answers(address)) {
            if (!process.isAlive() || System.nanoTime() - began > TimeUnit.SECONDS.toNanos(START_SECONDS_MAX)) {
                process.destroyForcibly();
                throw new IOException("the server did not start; it said: "
                        + Files.readString(log, StandardCharsets.UTF_8).strip());
            }
        }
        return new ChildServer(process, TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - began));
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

    /** Sends its process a signal. */
    void signal(String name) throws IOException {
        ChildProcesses.run("kill", "-" + name, Long.toString(process.pid()));
    }

    /** Ends it as a power cut of the process: SIGKILL, nothing is finished. */
    void kill() throws IOException {
        process.destroyForcibly();
        await();
    }

    private void await() throws IOException {
        try {
            process.waitFor(STOP_SECONDS_MAX, TimeUnit.SECONDS);
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
