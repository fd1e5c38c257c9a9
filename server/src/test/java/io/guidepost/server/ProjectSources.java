package io.guidepost.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** The sources of the whole project, for tests that read them. */
public final class ProjectSources {
    /** The checkout; tests run in the folder of their module. */
    public static final Path ROOT = Path.of("..").toAbsolutePath().normalize();

    private ProjectSources() {}

    /** Returns the files below a folder whose names have an ending, in order; none if there is no such folder. */
    public static List<Path> files(Path folder, String ending) {
        if (!Files.isDirectory(folder)) {
            return List.of();
        }
        try (Stream<Path> all = Files.walk(folder)) {
            return all.filter(each -> each.toString().endsWith(ending)).sorted().toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Returns the Java files of all modules, the client among them, in sets of sources, {@code main} and {@code test}. */
    public static List<Path> of(String... sets) {
        List<Path> files = new ArrayList<>();
        try (Stream<Path> modules = Files.list(ROOT)) {
            Stream.concat(modules, Stream.of(ROOT.resolve("clients/java"))).sorted().forEach(module -> {
                for (String set : sets) {
                    files.addAll(files(module.resolve("src").resolve(set), ".java"));
                }
            });
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        assertThat(files).as("sources of " + ROOT).isNotEmpty();
        return files;
    }
}
