package io.guidepost.bench.process;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Pins a whole process to one processor with taskset(1): all its threads, with those of compiler and collector. If only
 * the busy thread were pinned, the others would take processor time from the opponent.
 */
public final class ProcessPinning {
    /** No pinning. */
    public static final int ANYWHERE = -1;

    private static final boolean AVAILABLE = runs(List.of("taskset", "--version"));

    /** All processors in the syntax of taskset; read before this process is pinned. */
    private static final String ALL = "0-" + (Runtime.getRuntime().availableProcessors() - 1);

    private ProcessPinning() {}

    /**
     * Returns the command that starts another one on a processor; the command itself where taskset is missing.
     * {@link #ANYWHERE} is set explicitly, or the process would inherit the pinning of this one.
     */
    public static List<String> command(int cpu, List<String> command) {
        if (!AVAILABLE) {
            return command;
        }
        String where = cpu == ANYWHERE ? ALL : Integer.toString(cpu);
        List<String> pinned = new ArrayList<>(List.of("taskset", "-c", where));
        pinned.addAll(command);
        return pinned;
    }

    /** Pins this process with all its threads; returns false if that fails. */
    public static boolean self(int cpu) {
        return cpu == ANYWHERE
                || AVAILABLE
                        && runs(List.of(
                                "taskset",
                                "-a",
                                "-c",
                                "-p",
                                Integer.toString(cpu),
                                Long.toString(ProcessHandle.current().pid())));
    }

    private static boolean runs(List<String> command) {
        try {
            Process process = new ProcessBuilder(command)
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start();
            return process.waitFor(5, TimeUnit.SECONDS) && process.exitValue() == 0;
        } catch (IOException e) {
            return false;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }
}
