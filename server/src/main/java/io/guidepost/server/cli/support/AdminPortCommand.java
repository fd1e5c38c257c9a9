package io.guidepost.server.cli.support;

import java.io.IOException;
import java.io.PrintWriter;
import java.util.concurrent.Callable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** A command that has a running server do something, by its admin port. */
public abstract class AdminPortCommand implements Callable<Integer> {
    @Mixin
    private AdminOptions admin = new AdminOptions();

    @Spec
    @SuppressWarnings("NullAway.Init") // Set by picocli.
    private CommandSpec spec;

    /** Asks, prints the answer, which is JSON, where a script looks for it, and says how that ended. */
    public final int post(String path, String body) throws IOException {
        AdminOptions.Reply reply = admin.post(path, body);
        PrintWriter out = reply.done() ? spec.commandLine().getOut() : spec.commandLine().getErr();
        out.print(reply.body());
        out.flush();
        return reply.done() ? ExitCode.DONE : ExitCode.FAILED;
    }
}
