package io.guidepost.bench.gnrs;

import io.guidepost.bench.process.BenchFailure;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/**
 * The files of a placement: the user's, otherwise those beside a checkout ({@code ../shared/data} or the folder in
 * TEST_DATA), otherwise generated ones of about the same shape.
 *
 * @param prefixes lines {@code a.b.c.d/len AS}
 * @param bindings lines {@code AS host port}, all of one server
 * @param description for a report's title
 */
record PlacementTables(Path prefixes, Path bindings, String description) {
    /** The server of all ASes. */
    static final String SERVER = "127.0.0.1:5001";

    private static final String REAL_PREFIXES = "prefixes-306k.ipv4.gz";
    private static final String REAL_BINDINGS = "as-binding-26424.ipv4.gz";
    private static final int PREFIXES = 306_388;
    private static final int AS_COUNT = 26_424;
    private static final int SMALL = 1000;

    /** Lengths of generated prefixes in tenths: half of a real table are /24. */
    private static final int[] LENGTHS = {24, 24, 24, 24, 24, 22, 20, 19, 18, 16};

    /** Returns the tables to use; small ones for a smoke run. */
    static PlacementTables of(@Nullable Path prefixes, @Nullable Path bindings, boolean small, Path folder)
            throws IOException {
        if (prefixes != null && bindings != null) {
            return new PlacementTables(
                    prefixes.toAbsolutePath(), bindings.toAbsolutePath(), "tables given by name");
        }
        if (prefixes != null || bindings != null) {
            throw new BenchFailure("--prefixes and --bindings are given together: the ASes of one are those of the other");
        }
        Path data = Path.of(System.getenv().getOrDefault("TEST_DATA", "../shared/data")).toAbsolutePath();
        if (!small && Files.isReadable(data.resolve(REAL_PREFIXES)) && Files.isReadable(data.resolve(REAL_BINDINGS))) {
            return new PlacementTables(
                    data.resolve(REAL_PREFIXES), data.resolve(REAL_BINDINGS), "306,388 real prefixes, 26,424 ASes");
        }
        return generated(small ? SMALL : PREFIXES, small ? SMALL : AS_COUNT, folder);
    }

    private static PlacementTables generated(int prefixes, int numbers, Path folder) throws IOException {
        SplittableRandom random = new SplittableRandom(1);
        List<String> lines = new ArrayList<>();
        for (int i = 0; i < prefixes; i++) {
            int length = LENGTHS[random.nextInt(LENGTHS.length)];
            // From 1.0.0.0 to below 224.0.0.0, the unicast space.
            int address = random.nextInt(1 << 24, 223 << 24 >>> 1) * 2 >>> 32 - length << 32 - length;
            lines.add((address >>> 24) + "." + (address >>> 16 & 255) + "." + (address >>> 8 & 255) + "."
                    + (address & 255) + "/" + length + " " + (1 + random.nextInt(numbers)));
        }
        List<String> bindings = new ArrayList<>();
        for (int number = 1; number <= numbers; number++) {
            bindings.add(number + " " + SERVER.replace(':', ' '));
        }
        return new PlacementTables(
                Files.write(folder.resolve("prefixes"), lines),
                Files.write(folder.resolve("bindings"), bindings),
                prefixes + " generated prefixes");
    }
}
