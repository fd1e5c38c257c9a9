package io.guidepost.bench.scene;

import io.guidepost.bench.process.BenchFailure;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import picocli.CommandLine.Option;

/** The folder of result files: one for each scene, which the next run that is saved replaces. */
final class ResultsFolder {
    @Option(
            names = "--results",
            paramLabel = "FOLDER",
            description = "Folder of saved results (default: bench/results of the checkout).")
    private Path folder = Path.of(System.getProperty("guidepost.bench.results", "bench/results"));

    /** Writes a result in place of the last one of its name. */
    void save(String name, BenchResult result) throws IOException {
        Files.createDirectories(folder);
        Files.write(file(name), result.json());
    }

    /** Reads the result of a name. */
    BenchResult read(String name) {
        return BenchResult.read(file(name));
    }

    private Path file(String name) {
        if (!name.matches("[a-z0-9][a-z0-9-]*")) {
            throw new BenchFailure("'" + name + "' is no name of a result: small letters, digits and '-', such as fast-memif");
        }
        return folder.resolve(name + ".json");
    }
}
