package io.guidepost.stress;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Runs the concurrency stress tests of this module with jcstress. A test races two threads for half a second, in one mode of
 * the compiler; with {@code -Dstress.millis=5000} each for 5 seconds in each of some twenty modes.
 *
 * <p>The short mode lets the compiler order instructions by chance where it may, as what a processor keeps in order may still
 * be out of order after compilation.
 */
class StressTest {
    private static final String ACCESS = "--enable-native-access=ALL-UNNAMED --sun-misc-unsafe-memory-access=allow";
    private static final String BY_CHANCE = ACCESS
            + " -XX:-TieredCompilation -XX:+UnlockDiagnosticVMOptions -XX:+StressLCM -XX:+StressGCM -XX:+StressIGVN";

    @TempDir
    private Path folder;

    @Test
    void noForbiddenOutcome() throws IOException, InterruptedException {
        assumeTrue(StressTest.class.getResource("/META-INF/TestList") != null, "Maven's build makes the tests' harness");
        assumeTrue(Runtime.getRuntime().availableProcessors() > 1, "a race wants two processors");
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(), "--enable-native-access=ALL-UNNAMED",
                "-cp", System.getProperty("java.class.path"), "org.openjdk.jcstress.Main",
                "-r", folder.toString(), "-v", "-f", "1", "-fsm", "1", "-iters", "1"));
        String millis = System.getProperty("stress.millis");
        command.addAll(millis == null
                ? List.of("-time", "500", "-sc", "false", "-af", "NONE", "-jvmArgs", BY_CHANCE)
                : List.of("-time", millis, "-jvmArgsPrepend", ACCESS));
        Process child = new ProcessBuilder(command).directory(folder.toFile()).redirectErrorStream(true).start();
        String said = new String(child.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        String results = said.lines().dropWhile(line -> !line.startsWith("RUN RESULTS")).collect(Collectors.joining("\n"));
        assertThat(child.waitFor()).as(results.isEmpty() ? said : results).isZero();
        assertThat(stressTests()).isNotEmpty().allSatisfy(each -> assertThat(results).contains("[OK] " + each));
    }

    private static List<String> stressTests() throws IOException {
        Path sources = Path.of("src", "test", "java");
        try (Stream<Path> files = Files.walk(sources)) {
            return files.map(each -> sources.relativize(each).toString().replace('/', '.'))
                    .filter(each -> each.endsWith("Stress.java"))
                    .map(each -> each.substring(0, each.length() - ".java".length()))
                    .toList();
        }
    }
}
