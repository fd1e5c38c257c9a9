package io.guidepost.server.cli;

import io.guidepost.server.Server;
import io.guidepost.server.config.Configuration;
import io.guidepost.server.takeover.TakeoverClient;
import io.guidepost.server.takeover.TakeoverServer;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;

/** A process that takes over from a server, and is killed; or serves, and the server before is killed. */
final class TakeoverChild {
    static final int KILLED = 9;

    private TakeoverChild() {}

    /** Takes the folder of the store, and when; then, for one that serves, a folder of its own and the configuration. */
    @SuppressWarnings("MustBeClosedChecker") // It is not closed, as it is killed.
    public static void main(String[] args) throws Exception {
        Path store = Path.of(args[0]);
        if (args.length > 2) {
            serve(store, args[1], Path.of(args[2]), Path.of(args[3]));
            return;
        }
        TakeoverClient client = TakeoverClient.connect(store, Optional.empty());
        if (args[1].equals("prepared")) {
            client.prepared();
        }
        Runtime.getRuntime().halt(KILLED);
    }

    @SuppressWarnings("MustBeClosedChecker") // It is killed at last.
    private static void serve(Path store, String word, Path own, Path file) throws Exception {
        Configuration configuration = Configuration.load(file, Map.of(), List.of("store.folder=" + store));
        KillingRelay.start(store, own, word);
        try {
            Server server = Server.takeOver(configuration, () -> configuration, TakeoverClient.connect(own, Optional.empty()));
            server.letTakeOver(new TakeoverServer.Listener() {
                @Override
                public void begins() {}

                @Override
                public void failed() {}

                @Override
                public void replaced(long process) {}

                @Override
                public void ended() {
                    Runtime.getRuntime().halt(0);
                }
            });
            System.out.println("serves after " + word);
            new CountDownLatch(1).await();
        } catch (IOException e) {
            System.out.println("serves not after " + word + ": " + e.getMessage());
            Runtime.getRuntime().halt(1);
        }
    }
}
