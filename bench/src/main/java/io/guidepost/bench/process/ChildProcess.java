package io.guidepost.bench.process;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * A child process of a scene. Its output goes to a file, whose last lines are shown if it fails. It ends with this
 * process, however that ends.
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
     * @param name for messages
     * @param cpu processor to pin it to, or {@link ProcessPinning#ANYWHERE}
     * @param folder of its output file
     */
    public static ChildProcess start(String name, int cpu, Path folder, List<String> command) {
        try {
            Path output = Files.createTempFile(folder, name, ".log");
            ProcessBuilder builder = new ProcessBuilder(ProcessPinning.command(cpu, command))
                    .redirectErrorStream(true)
                    .redirectOutput(output.toFile());
            // The user's environment must not change what is measured.
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

    /** Waits until the process ends; returns its output. */
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

    /** Returns its output so far. */
    public String output() {
        try {
            return Files.readString(output, StandardCharsets.UTF_8);
        } catch (IOException e) {
            return "";
        }
    }

    /** Creates a failure with the last lines of its output. */
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

    /** Ends it with SIGKILL, as a power cut would. */
    public void kill() {
        process.destroyForcibly();
        await();
    }

    /** Sends SIGTERM, and does not wait. */
    public void end() {
        process.destroy();
    }

    /** Ends it with SIGTERM, and after some seconds by force. */
    @Override
    public void close() {
        process.destroy();
        if (!await()) {
            kill();
        }
        try {
            Runtime.getRuntime().removeShutdownHook(reaper);
        } catch (IllegalStateException e) {
            return; // The JVM is shutting down; the hook ends the process.
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
