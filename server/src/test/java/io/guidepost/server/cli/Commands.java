package io.guidepost.server.cli;

import java.io.PrintWriter;
import java.io.StringWriter;

/** Commands in the test's own process. */
public final class Commands {
    private Commands() {}

    /** Runs one that has to go well; what it said. */
    public static String run(String... args) {
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        int code = Main.commandLine(args)
                .setOut(new PrintWriter(out, true))
                .setErr(new PrintWriter(err, true))
                .execute(args);
        if (code != 0) {
            throw new AssertionError(String.join(" ", args) + " ended with " + code + ": " + err);
        }
        return out.toString();
    }
}
