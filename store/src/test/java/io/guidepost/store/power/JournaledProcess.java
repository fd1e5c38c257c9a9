package io.guidepost.store.power;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** Runs a Java program whose calls below one folder are journaled by {@code write_journal.c}. */
public final class JournaledProcess {
    private static final String SOURCE = "write_journal.c";
    private static final long SECONDS_MAX = 120;

    private final Path library;
    private final Path journal;

    /**
     * Compiles the library; skips the test where there is no compiler.
     *
     * @param work for the library and the journal; not below the folder that is journaled
     */
    public JournaledProcess(Path work) throws Exception {
        boolean compiler = Arrays.stream(System.getenv().getOrDefault("PATH", "").split(File.pathSeparator))
                .anyMatch(each -> Files.isExecutable(Path.of(each, "cc")));
        assumeTrue(compiler, "the journal is a library in C, and there is no C compiler 'cc' on the path");
        library = work.resolve("write_journal.so");
        journal = work.resolve("journal");
        if (!Files.exists(library)) {
            Path source = work.resolve(SOURCE);
            try (InputStream text = JournaledProcess.class.getResourceAsStream(SOURCE)) {
                assertThat(text).as(SOURCE).isNotNull();
                Files.copy(text, source);
            }
            run(List.of("cc", "-O1", "-Wall", "-Werror", "-shared", "-fPIC", "-o", library.toString(), source.toString(),
                    "-ldl", "-lpthread"), new String[0]);
        }
    }

    /**
     * Runs a program to its end, which must be a good one.
     *
     * @param root the folder to journal; it exists, and is no symbolic link
     * @return the journal, which tells all that is in the folder now
     */
    public WriteJournal run(Path root, Class<?> program, String... arguments) throws Exception {
        VolatileDisk disk = new VolatileDisk(root, VolatileDisk.Guarantees.POSIX);
        Files.deleteIfExists(journal);
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx256m",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "--enable-native-access=ALL-UNNAMED",
                "--sun-misc-unsafe-memory-access=allow",
                "-cp",
                System.getProperty("java.class.path"),
                program.getName()));
        command.addAll(List.of(arguments));
        run(command, new String[] {
            "LD_PRELOAD", library.toString(),
            "WRITE_JOURNAL_ROOT", root.toString(),
            "WRITE_JOURNAL_FILE", journal.toString()
        });
        WriteJournal made = WriteJournal.read(journal);
        made.operations().forEach(disk::apply);
        compare(disk, root);
        return made;
    }

    private static void run(List<String> command, String[] environment) throws Exception {
        ProcessBuilder builder = new ProcessBuilder(command).inheritIO();
        for (int i = 0; i < environment.length; i += 2) {
            builder.environment().put(environment[i], environment[i + 1]);
        }
        Process process = builder.start();
        try {
            assertThat(process.waitFor(SECONDS_MAX, TimeUnit.SECONDS)).as("ended in time: %s", command).isTrue();
            assertThat(process.exitValue()).as("exit code of %s", command).isZero();
        } finally {
            process.destroyForcibly();
        }
    }

    /** Compares what the journal tells with what is there: a call that the library does not see would be missing. */
    private void compare(VolatileDisk disk, Path root) throws IOException {
        Path told = library.resolveSibling("told");
        delete(told);
        disk.everything(told);
        List<Path> files = files(root);
        files.remove(Path.of(WriteJournal.MARKS));
        assertThat(files(told)).as("names by the journal").isEqualTo(files);
        for (Path each : files) {
            if (Files.isRegularFile(root.resolve(each)) && disk.follows(root.resolve(each))) {
                assertThat(Files.mismatch(root.resolve(each), told.resolve(each))).as("%s by the journal", each).isEqualTo(-1);
            }
        }
        delete(told);
    }

    private static List<Path> files(Path folder) throws IOException {
        try (Stream<Path> all = Files.walk(folder)) {
            return new ArrayList<>(all.map(folder::relativize).sorted().toList());
        }
    }

    /** Deletes a folder with all that is in it, if it is there. */
    public static void delete(Path folder) throws IOException {
        if (!Files.exists(folder)) {
            return;
        }
        try (Stream<Path> all = Files.walk(folder)) {
            for (Path each : all.sorted((a, b) -> b.compareTo(a)).toList()) {
                Files.delete(each);
            }
        }
    }
}
