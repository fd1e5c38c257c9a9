package io.guidepost.server.cli;

import io.guidepost.server.takeover.TakeoverClient;
import java.nio.file.Path;
import java.util.Optional;

/** A process that begins to take over from a server, and is killed. */
final class TakeoverChild {
    static final int KILLED = 9;

    private TakeoverChild() {}

    @SuppressWarnings("MustBeClosedChecker") // It is not closed, as it is killed.
    public static void main(String[] args) throws Exception {
        TakeoverClient client = TakeoverClient.connect(Path.of(args[0]), Optional.empty());
        if (args[1].equals("prepared")) {
            client.prepared();
        }
        Runtime.getRuntime().halt(KILLED);
    }
}
