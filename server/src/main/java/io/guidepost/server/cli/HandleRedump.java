package io.guidepost.server.cli;

import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code guidepost handle redump}: has a mirror fetch everything again. */
@Command(
        name = "redump",
        description = {
            "Has a running mirror fetch all handles of its source again, and take away what the source does not have.",
            "It answers questions meanwhile. It begins at once; how far it is, its metrics tell."
        },
        mixinStandardHelpOptions = true,
        footer = {"", "Example:  guidepost handle redump"})
final class HandleRedump implements Callable<Integer> {
    @Mixin
    private AdminOptions admin = new AdminOptions();

    @Spec
    @SuppressWarnings("NullAway.Init") // Set by picocli.
    private CommandSpec spec;

    @Override
    public Integer call() throws Exception {
        AdminOptions.Reply reply = admin.post("/redump", "");
        Replies.print(reply, spec);
        return reply.done() ? Exit.DONE : Exit.FAILED;
    }
}
