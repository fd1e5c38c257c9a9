package io.guidepost.bench.process;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * A process that a scene starts and ends. What it prints goes to a file, whose last lines are shown if it fails. It is
 * ended when this process is, however that comes about.
 */
public final class ChildProcess implements AutoCloseable {
    private static final int LINES_SHOWN = 5;

    private final String name;
    private final Process process;
    private final Path output;
    private final Thread reaper;

    private ChildProcess(String name, Process process, Path output) {
        this.name = name;
        this.process = process;
        this.output = output;
        this.reaper = new Thread(process::destroyForcibly, "reaper of " + name);
        Runtime.getRuntime().addShutdownHook(reaper);
    }

    /**
     * Starts a process.
     *
     * @param name what to call it in messages
     * @param cpu the processor that it is kept on, or {@link ProcessPinning#ANYWHERE}
     * @param folder where the file with its output is made
     */
    public static ChildProcess start(String name, int cpu, Path folder, List<String> command) {
        try {
            Path output = Files.createTempFile(folder, name, ".log");
            ProcessBuilder builder = new ProcessBuilder(ProcessPinning.command(cpu, command))
                    .redirectErrorStream(true)
                    .redirectOutput(output.toFile());
            // Settings of whoever runs a benchmark must not change what is measured.
            builder.environment().keySet().removeIf(key -> key.startsWith("GUIDEPOST_"));
            return new ChildProcess(name, builder.start(), output);
        } catch (IOException e) {
            throw new BenchFailure("cannot start " + command.getFirst() + ": " + e.getMessage(), e);
        }
    }

    public long pid() {
        return process.pid();
    }

    public ProcessMeter meter() {
        return new ProcessMeter(process.pid());
    }

    public boolean alive() {
        return process.isAlive();
    }

    /** Waits for it to end by itself; what it printed. */
    public String finish(long seconds) {
        try {
            if (!process.waitFor(seconds, TimeUnit.SECONDS)) {
                throw failed("did not end within " + seconds + " seconds");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw failed("was interrupted");
        }
        if (process.exitValue() != 0) {
            throw failed("ended with code " + process.exitValue());
        }
        return output();
    }

    /** What it has printed so far. */
    public String output() {
        try {
            return Files.readString(output, StandardCharsets.UTF_8);
        } catch (IOException e) {
            return "";
        }
    }

    /** A failure of this process, with the last lines that it printed. */
    public BenchFailure failed(String how) {
        StringBuilder text = new StringBuilder(name).append(' ').append(how);
        try (BufferedReader reader = Files.newBufferedReader(output)) {
            List<String> lines = reader.lines().toList();
            lines.stream().skip(Math.max(0, lines.size() - LINES_SHOWN)).forEach(line -> text.append("\n  ")
                    .append(line));
        } catch (IOException e) {
            text.append("; its output cannot be read");
        }
        return new BenchFailure(text.toString());
    }

    /** Ends it as a power cut would: SIGKILL. */
    public void kill() {
        process.destroyForcibly();
        await();
    }

    /** Ends it as an operator would, by force if it does not go within seconds. */
    @Override
    public void close() {
        process.destroy();
        if (!await()) {
            kill();
        }
        try {
            Runtime.getRuntime().removeShutdownHook(reaper);
        } catch (IllegalStateException e) {
            return; // The JVM is going down; the hook has done its work or will.
        }
    }

    private boolean await() {
        try {
            return process.waitFor(5, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }
}
