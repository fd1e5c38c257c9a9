package io.guidepost.bench.scene;

import java.io.Console;
import java.io.PrintStream;

/** A status line on a terminal during a long run; nothing without a terminal. */
public final class TerminalProgress {
    private static final String CLEAR_LINE = "\r\u001b[K";

    private final PrintStream terminal;
    private final boolean shown;

    /** Writes to a stream if it is shown. */
    TerminalProgress(PrintStream terminal, boolean shown) {
        this.terminal = terminal;
        this.shown = shown;
    }

    /** Returns the progress of a command: on the standard error stream, if that is a terminal. */
    @SuppressWarnings("SystemConsoleNull") // Without a terminal there is none; that check is for another default.
    public static TerminalProgress ofCommand() {
        Console console = System.console();
        return new TerminalProgress(System.err, console != null && console.isTerminal());
    }

    /** Returns a progress that is not shown. */
    public static TerminalProgress none() {
        return new TerminalProgress(System.err, false);
    }

    /** Replaces the line. */
    public void say(String what) {
        if (shown) {
            terminal.print(CLEAR_LINE + what);
            terminal.flush();
        }
    }

    /** Removes the line. */
    public void done() {
        say("");
    }
}
