package io.guidepost.server.cli.support;

import java.io.IOException;
import java.io.PrintWriter;
import picocli.CommandLine.Mixin;

/** A command that has a running server do something, by its admin port. */
public abstract class AdminPortCommand extends ConsoleCommand {
    @Mixin
    private AdminOptions admin = new AdminOptions();

    /** Returns the way to the admin port. */
    protected final AdminOptions admin() {
        return admin;
    }

    /** Asks, prints the answer, which is JSON, where a script looks for it, and says how that ended. */
    public final int post(String path, String body) throws IOException {
        AdminOptions.Reply reply = admin.post(path, body);
        PrintWriter out = reply.done() ? out() : err();
        out.print(reply.body());
        out.flush();
        return reply.done() ? ExitCode.DONE : ExitCode.FAILED;
    }
}
