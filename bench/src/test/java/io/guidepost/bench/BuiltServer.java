package io.guidepost.bench;

import io.guidepost.bench.process.ChildProcess;
import io.guidepost.bench.process.ProcessPinning;
import io.guidepost.bench.scene.ServerUnderTest;
import io.guidepost.server.cli.Main;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The server of this build, for tests that start it as its launcher does. */
public final class BuiltServer {
    private static final long TRAIN_SECONDS_MAX = 120;

    private BuiltServer() {}

    /** Has scenes start it as the launcher does, with a start-up cache, where the build has come that far. */
    public static synchronized void use(Path logs) throws IOException, URISyntaxException {
        Path jar = Path.of(Main.class.getProtectionDomain().getCodeSource().getLocation().toURI());
        Path home = jar.resolveSibling("guidepost");
        Path cache = home.resolve("guidepost.aot");
        boolean built = jar.toString().endsWith(".jar") && Files.isReadable(home.resolve("options"));
        if (built) {
            System.setProperty("guidepost.server.home", home.toString());
        }
        if (built && (!Files.exists(cache) || Files.getLastModifiedTime(cache).compareTo(Files.getLastModifiedTime(jar)) < 0)) {
            Files.deleteIfExists(cache);
            List<String> command = new ArrayList<>(ServerUnderTest.command("train"));
            command.add(1, "-XX:AOTCacheOutput=" + cache);
            try (ChildProcess training = ChildProcess.start("train", ProcessPinning.ANYWHERE, logs, command)) {
                Files.writeString(home.resolve("train.log"), training.finish(TRAIN_SECONDS_MAX));
            }
        }
    }
}
