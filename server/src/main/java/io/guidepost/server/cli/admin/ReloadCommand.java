package io.guidepost.server.cli.admin;

import io.guidepost.server.cli.support.AdminPortCommand;
import java.io.IOException;
import picocli.CommandLine.Command;

/** {@code guidepost reload}: has a running server read its files again. */
@Command(
        name = "reload",
        description = {
            "Has a running server read its prefix table, AS bindings and configuration again.",
            "Lookups go on meanwhile; if a file has faults, the server says which and goes on with what it had."
        },
        footer = "Example:  guidepost reload")
public final class ReloadCommand extends AdminPortCommand {
    @Override
    public Integer call() throws IOException {
        return post("/reload", "");
    }
}
