package io.guidepost.server.cli;

import java.io.PrintWriter;
import picocli.CommandLine.Model.CommandSpec;

/** Prints what an admin port answered: its JSON, to the place where a script looks for it. */
final class Replies {
    private Replies() {}

    static void print(AdminOptions.Reply reply, CommandSpec spec) {
        PrintWriter out = reply.done() ? spec.commandLine().getOut() : spec.commandLine().getErr();
        out.print(reply.body());
        out.flush();
    }
}
