package io.guidepost.server.cli;

import java.io.Console;

/** Whether someone looks on. */
final class Terminal {
    private Terminal() {}

    @SuppressWarnings("SystemConsoleNull") // It is null again without a terminal since JDK 25.
    static boolean isThere() {
        Console console = System.console();
        return console != null && console.isTerminal();
    }
}
