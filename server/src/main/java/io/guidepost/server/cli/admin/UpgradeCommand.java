package io.guidepost.server.cli.admin;

import io.guidepost.server.cli.support.AdminPortCommand;
import java.io.IOException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code guidepost upgrade}: has a running server start another process, which takes over from it. */
@Command(
        name = "upgrade",
        description = {
            "Has a running server start the version that is installed now, with the same arguments; the new process",
            "takes over its sockets, connections and records, and no request is lost. If the new process does not become ready,",
            "the one that runs goes on."
        },
        footer = "Example:  guidepost upgrade")
public final class UpgradeCommand extends AdminPortCommand {
    @Option(
            names = "--within",
            paramLabel = "SECONDS",
            defaultValue = "60",
            description = "Time in which the new process must be ready (default: ${DEFAULT-VALUE}).")
    private int seconds;

    @Override
    public Integer call() throws IOException {
        if (seconds < 1 || seconds > 9999) {
            throw wrong("--within is " + seconds + "; it must be 1 to 9999");
        }
        admin().patient(seconds);
        return post("/upgrade", Integer.toString(seconds));
    }
}
