package io.guidepost.handle;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;

/**
 * Bytes that were seen between existing clients and servers, where they are there: in {@code TEST_VECTORS}, or in
 * {@code ../shared/spec/handle-vectors} beside the checkout.
 */
public final class HandleVectorFiles {
    private HandleVectorFiles() {}

    /** The lines of a file; the test that asks is skipped where there is none. */
    public static List<String> lines(String name) throws IOException {
        Path given = Path.of(
                Objects.requireNonNullElse(System.getenv("TEST_VECTORS"), "../../shared/spec/handle-vectors"));
        Path file = given.resolve(name);
        assumeTrue(Files.isReadable(file), () -> "needs " + file + ": set TEST_VECTORS to the folder that has it");
        return Files.readAllLines(file);
    }
}
