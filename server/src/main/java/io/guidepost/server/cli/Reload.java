package io.guidepost.server.cli;

import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code guidepost reload}: has a running server read its files again. */
@Command(
        name = "reload",
        description = {
            "Has a running server read its prefix table, AS bindings and configuration again.",
            "Lookups go on meanwhile; if a file has faults, the server says which and goes on with what it had."
        },
        mixinStandardHelpOptions = true,
        footer = {"", "Example:  guidepost reload"})
final class Reload implements Callable<Integer> {
    @Mixin
    private AdminOptions admin = new AdminOptions();

    @Spec
    @SuppressWarnings("NullAway.Init") // Set by picocli.
    private CommandSpec spec;

    @Override
    public Integer call() throws Exception {
        AdminOptions.Reply reply = admin.post("/reload", "");
        Replies.print(reply, spec);
        return reply.done() ? Exit.DONE : Exit.FAILED;
    }
}
