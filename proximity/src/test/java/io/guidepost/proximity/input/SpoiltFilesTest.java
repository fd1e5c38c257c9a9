package io.guidepost.proximity.input;

import static org.assertj.core.api.Assertions.assertThat;

import io.guidepost.base.FaultyFile;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Whatever stands in a file, it is read, or refused with its name; nothing else happens. */
class SpoiltFilesTest {
    private static final String GRAPHML = "<graphml><key id=\"w\" attr.name=\"weight\" for=\"edge\"/>\n<graph "
            + "edgedefault=\"directed\"><node id=\"a\"><data key=\"lat\">1</data></node>\n<node id=\"b\"/><edge source=\"a\""
            + " target=\"b\"><data key=\"w\">2</data></edge></graph></graphml>";
    private static final String JSON = "{\"directed\": true, \"nodes\": [{\"id\": 1, \"pos\": [1.5, 2]}, {\"id\": \"10.0.0.1\"}],"
            + "\n\"links\": [{\"source\": 1, \"target\": \"10.0.0.1\", \"dist\": 5, \"x\": {\"y\": [1]}}]}";
    private static final String GRAPH =
            """
            NODES 2
            label x y
            a 0 0
            10.0.0.2 0 0

            EDGES 2
            label src dest weight bw delay
            l 0 1 1 1000 7
            m 1 0 2 1000 7
            """;
    private static final String LIST =
            """
            prefix,as,router,distance
            10.0.0.0/8,1,10.0.0.1,2
            "11.0.0.0/8";1.0;10.0.0.1;
            2001:db8::/32,7,10.0.0.2
            """;
    private static final String ORACLE =
            """
            router 10.0.0.1 3
            snetwork 10.1.0.0/16 10.0.0.1 1
            iroutes impl
            port 9
            """;

    @TempDir
    private Path folder;

    static List<String> samples() {
        return List.of(GRAPHML, JSON, GRAPH, LIST, ORACLE);
    }

    private boolean refused(byte[] bytes) throws IOException {
        Path file = Files.write(folder.resolve("file"), bytes);
        try {
            NetworkFiles.read(List.of(file), InputOptions.DEFAULTS);
            return false;
        } catch (FaultyFile e) {
            assertThat(e.faults()).isNotEmpty().allMatch(each -> each.startsWith(folder.toString())
                    || each.startsWith("the files together"));
            return true;
        }
    }

    @ParameterizedTest
    @MethodSource("samples")
    void theSamplesAreRight(String sample) throws Exception {
        assertThat(refused(sample.getBytes(StandardCharsets.UTF_8))).isFalse();
    }

    @ParameterizedTest
    @MethodSource("samples")
    void spoiltFilesAreReadOrRefused(String sample) throws Exception {
        spoil(sample, 300);
    }

    @Tag("long")
    @Test
    void manySpoiltFilesAreReadOrRefused() throws Exception {
        for (String each : samples()) {
            spoil(each, 100_000);
        }
    }

    private void spoil(String sample, int times) throws IOException {
        int refused = 0;
        for (long seed = 1; seed <= times; seed++) {
            byte[] bytes = sample.getBytes(StandardCharsets.UTF_8);
            SplittableRandom random = new SplittableRandom(seed);
            for (int change = 1 + random.nextInt(3); change > 0; change--) {
                bytes = spoilt(bytes, random);
            }
            try {
                refused += refused(bytes) ? 1 : 0;
            } catch (IOException | RuntimeException e) {
                throw new AssertionError("seed " + seed + ": " + new String(bytes, StandardCharsets.UTF_8), e);
            }
        }
        assertThat(refused).isBetween(1, times - 1);
    }

    /** Changes a byte, cuts a piece, or puts a piece of the file in twice. */
    private static byte[] spoilt(byte[] bytes, SplittableRandom random) {
        if (bytes.length < 2) {
            return bytes;
        }
        int from = random.nextInt(bytes.length);
        int to = Math.min(bytes.length, from + random.nextInt(30));
        byte[] spoilt = bytes.clone();
        switch (random.nextInt(4)) {
            case 0 -> spoilt[from] = (byte) random.nextInt(256);
            case 1 -> spoilt[from] = (byte) "<>&\"'{}[],:;/0123456789.-eE \n#".charAt(random.nextInt(30));
            case 2 -> {
                spoilt = new byte[bytes.length - (to - from)];
                System.arraycopy(bytes, 0, spoilt, 0, from);
                System.arraycopy(bytes, to, spoilt, from, bytes.length - to);
            }
            default -> {
                spoilt = new byte[bytes.length + (to - from)];
                System.arraycopy(bytes, 0, spoilt, 0, to);
                System.arraycopy(bytes, from, spoilt, to, bytes.length - from);
            }
        }
        return spoilt;
    }
}
