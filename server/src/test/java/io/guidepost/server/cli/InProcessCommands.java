package io.guidepost.server.cli;

/** Commands in the test's own process, for tests elsewhere. */
public final class InProcessCommands {
    private InProcessCommands() {}

    /** Runs one that has to go well; what it said. */
    public static String run(String... args) {
        CommandRun ran = CommandRun.of(args);
        if (ran.code() != 0) {
            throw new AssertionError(String.join(" ", args) + " ended with " + ran.code() + ": " + ran.err());
        }
        return ran.out();
    }
}
