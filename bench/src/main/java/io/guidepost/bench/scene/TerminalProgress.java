package io.guidepost.bench.scene;

import java.io.Console;
import java.io.PrintStream;

/** One line on a terminal that says what a long run is doing; nothing where there is no terminal. */
public final class TerminalProgress {
    private static final String CLEAR_LINE = "\r\u001b[K";

    private final PrintStream terminal;
    private final boolean shown;

    /** Writes to a stream if someone is looking. */
    TerminalProgress(PrintStream terminal, boolean shown) {
        this.terminal = terminal;
        this.shown = shown;
    }

    /** Progress of a command: on the terminal's error stream, if this is a terminal. */
    @SuppressWarnings("SystemConsoleNull") // Without a terminal there is none; that check is for another default.
    public static TerminalProgress ofCommand() {
        Console console = System.console();
        return new TerminalProgress(System.err, console != null && console.isTerminal());
    }

    /** Progress that nobody sees. */
    public static TerminalProgress none() {
        return new TerminalProgress(System.err, false);
    }

    /** Replaces what the line says. */
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
