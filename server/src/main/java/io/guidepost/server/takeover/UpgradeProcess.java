package io.guidepost.server.takeover;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The command of this process, as it was given, with what makes another one take over from it. */
public final class UpgradeProcess {
    /** The option of {@code guidepost serve}. */
    public static final String OPTION = "--take-over";

    /** The property in which the launcher says where it is: the JVM and its options may be others in the next version. */
    private static final String LAUNCHER = "guidepost.launcher";

    private static final String MAIN = "io.guidepost.server.cli.Main";
    private static final Path COMMAND = Path.of("/proc/self/cmdline");

    private UpgradeProcess() {}

    /**
     * Returns it, not started. What it says goes where this process says its own.
     *
     * @throws IOException if the system does not tell the command
     */
    public static ProcessBuilder command() throws IOException {
        List<String> own = List.of(new String(Files.readAllBytes(COMMAND), StandardCharsets.UTF_8).split("\0", -1));
        ProcessBuilder builder = new ProcessBuilder(command(own.subList(0, own.size() - 1), System.getProperty(LAUNCHER, "")))
                .inheritIO()
                .redirectInput(new File("/dev/null"));
        // The beats of the service manager are asked of the process that it started.
        builder.environment().remove("WATCHDOG_PID");
        return builder;
    }

    static List<String> command(List<String> own, String launcher) {
        List<String> next = new ArrayList<>();
        int main = own.indexOf(MAIN);
        if (launcher.isEmpty() || main < 0) {
            next.addAll(own);
        } else {
            next.add(launcher);
            next.addAll(own.subList(main + 1, own.size()));
        }
        if (!next.contains(OPTION)) {
            next.add(OPTION);
        }
        return next;
    }
}
