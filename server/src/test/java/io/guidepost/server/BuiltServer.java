package io.guidepost.server;

import io.guidepost.server.cli.Main;
import io.guidepost.server.cli.support.ChildJvm;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * The guidepost command of this build as its launcher starts it: from its jars, with its options and its start-up cache. A start
 * out of folders of classes takes twice the processor time. Any thread and process may call.
 */
public final class BuiltServer {
    private static final long TRAIN_SECONDS_MAX = 120;
    private static final Optional<Path> HOME = home();

    private BuiltServer() {}

    /** Returns the folder that the launcher runs; empty if the build has not come to it. */
    public static Optional<Path> folder() {
        return HOME;
    }

    /** Returns the command line of this program with arguments. */
    public static List<String> command(List<String> arguments) {
        return command(List.of(), arguments);
    }

    /**
     * Returns the command line of this program with arguments, in a JVM with further options.
     *
     * @return a list that can be changed
     */
    public static List<String> command(List<String> options, List<String> arguments) {
        if (HOME.isEmpty()) {
            List<String> classes = ChildJvm.command(arguments);
            classes.addAll(classes.indexOf("-cp"), options);
            return classes;
        }
        List<String> command = new ArrayList<>(List.of(java()));
        Path cache = HOME.get().resolve("guidepost.aot");
        if (Files.isReadable(cache)) {
            command.add("-XX:AOTCache=" + cache);
        }
        command.add("@" + HOME.get().resolve("options"));
        command.addAll(options);
        command.add(Main.class.getName());
        command.addAll(arguments);
        return command;
    }

    private static String java() {
        return Path.of(System.getProperty("java.home"), "bin", "java").toString();
    }

    private static Optional<Path> home() {
        String named = System.getProperty("guidepost.built", "");
        Path home = Path.of(named);
        if (named.isEmpty() || !Files.isReadable(home.resolve("options"))) {
            return Optional.empty();
        }
        try {
            train(home);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return Optional.of(home);
    }

    /** Makes the start-up cache, unless there is one of these jars: the first process that wants it does, the others wait. */
    private static void train(Path home) throws IOException {
        Path log = home.resolve("train.log");
        try (FileChannel channel = FileChannel.open(
                        home.resolve("train.lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
                FileLock lock = channel.lock()) {
            if (!lock.isValid() || isNewer(log, home)) {
                return;
            }
            Path cache = home.resolve("guidepost.aot");
            Files.deleteIfExists(cache);
            Process training = new ProcessBuilder(java(), "-XX:AOTCacheOutput=" + cache, "@" + home.resolve("options"),
                            Main.class.getName(), "train")
                    .redirectErrorStream(true)
                    .redirectOutput(log.toFile())
                    .start();
            training.onExit().orTimeout(TRAIN_SECONDS_MAX, TimeUnit.SECONDS).join();
        }
    }

    private static boolean isNewer(Path log, Path home) {
        for (Path folder : List.of(home.getParent(), home.resolve("lib"))) {
            File[] jars = folder.toFile().listFiles((_, name) -> name.endsWith(".jar"));
            if (jars == null || Stream.of(jars).anyMatch(each -> each.lastModified() > log.toFile().lastModified())) {
                return false;
            }
        }
        return Files.exists(log);
    }
}
