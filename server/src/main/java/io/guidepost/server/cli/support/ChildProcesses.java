package io.guidepost.server.cli.support;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.charset.StandardCharsets;

/** Runs other programs. */
public final class ChildProcesses {
    private ChildProcesses() {}

    /** Runs a short program to its end; what it says is the message if it fails. */
    public static void run(String... command) throws IOException {
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
        int code = await(process);
        if (code != 0) {
            throw new IOException("'" + String.join(" ", command).lines().findFirst().orElse("") + "' failed with " + code + ": " + said);
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
