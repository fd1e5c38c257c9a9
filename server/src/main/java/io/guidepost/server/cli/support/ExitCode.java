package io.guidepost.server.cli.support;

/** Exit codes that scripts can trust. */
public final class ExitCode {
    public static final int DONE = 0;
    public static final int FAILED = 1;
    public static final int USAGE = 2;
    public static final int NOT_FOUND = 3;

    private ExitCode() {}
}
