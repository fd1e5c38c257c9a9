package io.guidepost.lab.prove;

import io.guidepost.server.cli.Main;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Starts other programs, this one among them. */
public final class ChildProcesses {
    private ChildProcesses() {}

    /** The command line of this program, run by the same Java with the same options from the same class path. */
    public static List<String> self(List<String> arguments) {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
                .filter(each -> each.startsWith("-X") || each.startsWith("--enable") || each.startsWith("-Djava.library"))
                .forEach(command::add);
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), Main.class.getName()));
        command.addAll(arguments);
        return command;
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
