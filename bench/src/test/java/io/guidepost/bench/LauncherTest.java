package io.guidepost.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The launcher builds what is missing or older than its sources, once, and runs each command with its own class path. It stands in
 * a folder of its own here, with empty sources, a Maven that copies the options of the JVM, and a java that notes the training.
 */
class LauncherTest {
    private static final Path CHECKOUT = Path.of("..");

    @TempDir
    Path folder;

    private Path root;
    private Path done;

    @BeforeEach
    void aCheckoutWithToolsThatNoteWhatTheyDo() throws IOException, URISyntaxException {
        root = Files.createDirectories(folder.resolve("checkout"));
        done = Files.createFile(folder.resolve("done"));
        script(root.resolve("guidepost"), Files.readString(CHECKOUT.resolve("guidepost")));
        Files.createFile(root.resolve("pom.xml"));
        for (String module : modules()) {
            Files.createDirectories(root.resolve(module).resolve("src/main"));
            Files.createFile(root.resolve(module).resolve("pom.xml"));
        }
        String all = System.getProperty("java.class.path");
        options("bench", all);
        options("server", withoutBench(all));
        script(folder.resolve("tools/mvn"), """
                case $1 in
                    -version) echo 'Apache Maven 3.9.0'; exit ;;
                esac
                module=$(echo "$*" | sed 's/.*-pl \\([a-z]*\\).*/\\1/')
                echo "build $module" >>'%1$s/done'
                mkdir -p '%2$s'/$module/target/guidepost/lib
                cp '%1$s'/$module.options '%2$s'/$module/target/guidepost/options
                : >'%2$s'/$module/target/$module.jar
                """.formatted(folder, root));
        Path home = Path.of(System.getProperty("java.home"));
        Files.createDirectories(folder.resolve("jdk"));
        Files.copy(home.resolve("release"), folder.resolve("jdk/release"));
        script(folder.resolve("jdk/bin/java"), """
                case $1 in
                    -XX:AOTCacheOutput=*) echo train >>'%s/done'; exit ;;
                esac
                exec '%s/bin/java' "$@"
                """.formatted(folder, home));
    }

    /** The modules that the launcher looks at for the server and the benchmarks. */
    private static List<String> modules() throws IOException {
        String named = Files.readString(CHECKOUT.resolve("guidepost")).lines()
                .filter(line -> line.startsWith("server_modules="))
                .collect(Collectors.joining());
        return List.of((named.replaceAll(".*\"(.*)\"", "$1") + " bench").split(" "));
    }

    /** Returns the class path of the server, which has no benchmarks. */
    private static String withoutBench(String all) throws URISyntaxException {
        Path bench = Path.of(BenchCommand.class.getProtectionDomain().getCodeSource().getLocation().toURI());
        return Arrays.stream(all.split(File.pathSeparator))
                .filter(each -> !Path.of(each).equals(bench))
                .collect(Collectors.joining(File.pathSeparator));
    }

    /** The options as the module gives them, with the class path of this test. */
    private void options(String module, String path) throws IOException {
        List<String> lines = Files.readAllLines(CHECKOUT.resolve(module).resolve("src/main/launch/options"));
        assertThat(lines).filteredOn(line -> line.startsWith("-cp ")).hasSize(1);
        String text = lines.stream()
                .map(line -> line.startsWith("-cp ") ? "-cp \"" + path + "\"" : line)
                .map(line -> line.startsWith("-D") && line.contains("${") ? "" : line)
                .collect(Collectors.joining("\n", "", "\n"));
        Files.writeString(folder.resolve(module + ".options"), text);
    }

    private static void script(Path file, String text) throws IOException {
        Files.createDirectories(file.getParent());
        Files.writeString(file, text.startsWith("#!") ? text : "#!/bin/sh\n" + text);
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
    }

    private String guidepost(String... arguments) throws IOException, InterruptedException {
        ProcessBuilder launcher = new ProcessBuilder(root.resolve("guidepost").toString());
        launcher.command().addAll(List.of(arguments));
        launcher.environment().put("JAVA_HOME", folder.resolve("jdk").toString());
        launcher.environment().put("GUIDEPOST_JAVA_OPTIONS", "-XX:TieredStopAtLevel=1");
        launcher.environment().merge("PATH", folder.resolve("tools").toString(), (old, first) -> first + File.pathSeparator + old);
        Process process = launcher.redirectErrorStream(true).start();
        try (InputStream out = process.getInputStream()) {
            String said = new String(out.readAllBytes(), StandardCharsets.UTF_8);
            assertThat(process.waitFor()).as(said).isZero();
            return said;
        }
    }

    @Test
    void buildsOnceAndRunsEachCommandWithItsOwnClassPath() throws IOException, InterruptedException {
        assertThat(guidepost("--help")).contains("guidepost: building server", "serve").doesNotContain("Usage: guidepost bench");
        assertThat(done).hasContent("build server\ntrain");

        assertThat(guidepost("config")).contains("[gnrs]").doesNotContain("building");
        assertThat(done).hasContent("build server\ntrain");

        assertThat(guidepost("bench", "--help")).contains("guidepost: building bench", "guidepost bench");
        assertThat(done).hasContent("build server\ntrain\nbuild bench");

        assertThat(guidepost("bench", "--help")).contains("guidepost bench").doesNotContain("building");
        assertThat(guidepost("--help")).contains("serve").doesNotContain("building");
        assertThat(done).hasContent("build server\ntrain\nbuild bench");
        assertThat(root.resolve(".building")).doesNotExist();

        Files.createFile(root.resolve("gnrs/src/main/New.java"));
        assertThat(guidepost("config")).contains("guidepost: building server", "[gnrs]");
        assertThat(done).hasContent("build server\ntrain\nbuild bench\nbuild server\ntrain");
    }
}
