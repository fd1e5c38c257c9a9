package io.guidepost.server.cli.support;

import java.io.Console;

/** Whether someone looks on. */
public final class TerminalCheck {
    private TerminalCheck() {}

    @SuppressWarnings("SystemConsoleNull") // It is null again without a terminal since JDK 25.
    public static boolean isThere() {
        Console console = System.console();
        return console != null && console.isTerminal();
    }
}
