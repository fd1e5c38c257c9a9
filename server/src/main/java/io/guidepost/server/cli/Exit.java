package io.guidepost.server.cli;

/** Exit codes that scripts can trust. */
final class Exit {
    static final int DONE = 0;
    static final int FAILED = 1;
    static final int USAGE = 2;
    static final int NOT_FOUND = 3;

    private Exit() {}
}
