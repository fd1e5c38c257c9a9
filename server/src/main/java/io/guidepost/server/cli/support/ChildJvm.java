package io.guidepost.server.cli.support;

import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** This program once more, in another process. */
public final class ChildJvm {
    private ChildJvm() {}

    /** Returns the command line of this program: the same Java with the same options, from the same class path. */
    public static List<String> command(List<String> arguments) {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
                .filter(each -> each.startsWith("-X") || each.startsWith("--enable") || each.startsWith("-Djava.library"))
                .forEach(command::add);
        // What the JVM itself says must not be in the midst of what the command prints.
        command.addAll(List.of("-Xlog:disable", "-Xlog:all=warning:stderr"));
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), "io.guidepost.server.cli.Main"));
        command.addAll(arguments);
        return command;
    }
}
