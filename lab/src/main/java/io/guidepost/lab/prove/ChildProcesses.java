package io.guidepost.lab.prove;

import io.guidepost.server.cli.support.ChildJvm;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** Starts other programs, this one among them. */
public final class ChildProcesses {
    private ChildProcesses() {}

    /** The command line of this program, run by the same Java with the same options from the same class path. */
    public static List<String> self(List<String> arguments) {
        return ChildJvm.command(arguments);
    }

    /** Runs a short program to its end; what it says is the message if it fails. */
    public static void run(String... command) throws IOException {
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
        int code = await(process);
        if (code != 0) {
            throw new IOException("'" + String.join(" ", command) + "' failed with " + code + ": " + said);
        }
    }

    /** Waits for the end of a program. */
    public static int await(Process process) throws IOException {
        try {
            return process.waitFor();
        } catch (InterruptedException e) {
            process.destroy();
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("interrupted while " + process.info().command().orElse("a program") + " ran");
        }
    }
}
