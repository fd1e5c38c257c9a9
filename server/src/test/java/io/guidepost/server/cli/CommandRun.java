package io.guidepost.server.cli;

import java.io.PrintWriter;
import java.io.StringWriter;

/** What a command in the test's own process ended with, and what it said. */
public record CommandRun(int code, String out, String err) {
    public static CommandRun of(String... args) {
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        int code = Main.commandLine(args)
                .setOut(new PrintWriter(out, true))
                .setErr(new PrintWriter(err, true))
                .execute(args);
        return new CommandRun(code, out.toString(), err.toString());
    }
}
