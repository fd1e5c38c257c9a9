package io.guidepost.proximity;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;

/** Real tables, where they are there: in {@code TEST_DATA}, or in {@code ../shared/data} beside the checkout. */
public final class PrefixTestData {
    private PrefixTestData() {}

    /** A file of the real data; the test that asks is skipped where there is none. */
    public static Path file(String name) {
        Path given = Path.of(Objects.requireNonNullElse(System.getenv("TEST_DATA"), "../../shared/data"));
        Path file = given.resolve(name);
        assumeTrue(Files.isReadable(file), () -> "needs " + file + ": set TEST_DATA to the folder that has it");
        return file;
    }
}
