package io.guidepost.server.cli;

/** Whether someone looks on. */
final class Terminal {
    private Terminal() {}

    @SuppressWarnings("NullAway") // There is always a console since JDK 22; it says whether it is a terminal.
    static boolean isThere() {
        return System.console().isTerminal();
    }
}
