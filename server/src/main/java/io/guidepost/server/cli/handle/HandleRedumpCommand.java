package io.guidepost.server.cli.handle;

import io.guidepost.server.cli.support.AdminPortCommand;
import java.io.IOException;
import picocli.CommandLine.Command;

/** {@code guidepost handle redump}: has a mirror fetch everything again. */
@Command(
        name = "redump",
        description = {
            "Has a running mirror fetch all handles of its source again, and take away what the source does not have.",
            "It answers questions meanwhile. It begins at once; how far it is, its metrics tell."
        },
        footer = "Example:  guidepost handle redump")
final class HandleRedumpCommand extends AdminPortCommand {
    @Override
    public Integer call() throws IOException {
        return post("/redump", "");
    }
}
