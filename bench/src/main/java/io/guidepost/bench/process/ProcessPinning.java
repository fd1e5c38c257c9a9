package io.guidepost.bench.process;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Keeps a whole process on one processor, with taskset(1): all its threads, those of compiler and collector too. If
 * only the busy thread were pinned, the others would take their time from the processor of the opponent.
 */
public final class ProcessPinning {
    /** Says that a process may run wherever it likes. */
    public static final int ANYWHERE = -1;

    private static final boolean AVAILABLE = runs(List.of("taskset", "--version"));

    /** All processors, as taskset writes them; read before this process is moved to one of them. */
    private static final String ALL = "0-" + (Runtime.getRuntime().availableProcessors() - 1);

    private ProcessPinning() {}

    /**
     * The command that starts another one on a processor; the command itself where that cannot be done. One that may
     * run anywhere is told so, or it would inherit the processor that this process is kept on.
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

    /** Moves this process, all its threads, to a processor; false where that cannot be done. */
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
