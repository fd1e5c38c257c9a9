package io.guidepost.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.sun.net.httpserver.HttpServer;
import com.sun.net.httpserver.SimpleFileServer;
import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

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
                echo '[INFO] Building Guidepost: base 0.1.0                                        [1/12]'
                echo "build $module" >>'%1$s/done'
                mkdir -p '%2$s'/$module/target/guidepost/lib
                cp '%1$s'/$module.options '%2$s'/$module/target/guidepost/options
                : >'%2$s'/$module/target/$module.jar
                # As Maven 3.8 ends: colours off, and no new line.
                printf '\\033[0m\\033[0m'
                exit "$(cat '%1$s/code' 2>/dev/null || echo 0)"
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

    private ProcessBuilder launcher(String... arguments) {
        ProcessBuilder launcher = new ProcessBuilder(root.resolve("guidepost").toString());
        launcher.command().addAll(List.of(arguments));
        launcher.environment().put("JAVA_HOME", folder.resolve("jdk").toString());
        launcher.environment().put("GUIDEPOST_JAVA_OPTIONS", "-XX:TieredStopAtLevel=1");
        launcher.environment().merge("PATH", folder.resolve("tools").toString(), (old, first) -> first + File.pathSeparator + old);
        return launcher;
    }

    private static String said(ProcessBuilder launcher, int code) throws IOException, InterruptedException {
        Process process = launcher.redirectErrorStream(true).start();
        process.getOutputStream().close();
        try (InputStream out = process.getInputStream()) {
            String said = new String(out.readAllBytes(), StandardCharsets.UTF_8);
            assertThat(process.waitFor()).as(said).isEqualTo(code);
            return said;
        }
    }

    private String guidepost(String... arguments) throws IOException, InterruptedException {
        return said(launcher(arguments), 0);
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

    @Test
    void aBuildTellsWhatItBuilds() throws IOException, InterruptedException {
        assertThat(guidepost("config")).containsPattern("guidepost: {3}\\[1/12] base, \\d+ s");
    }

    @Test
    void aBuildThatFailsIsTold() throws IOException, InterruptedException {
        Files.writeString(folder.resolve("code"), "1\n");
        assertThat(said(launcher("config"), 1)).contains("[INFO] Building Guidepost: base", "guidepost: the build failed");
        Files.delete(folder.resolve("code"));
        assertThat(guidepost("config")).contains("[gnrs]");
    }

    /** A killed launcher leaves its lock: without its number, with that of no process, or with one that was used again. */
    @ParameterizedTest
    @ValueSource(strings = {"", "999999999", "own"})
    void whatAKilledBuildLeftIsRemoved(String owner) throws IOException, InterruptedException {
        Path lock = Files.createDirectories(root.resolve(".building"));
        if (!owner.isEmpty()) {
            String number = owner.equals("own") ? Long.toString(ProcessHandle.current().pid()) : owner;
            Files.writeString(lock.resolve("pid"), number + "\n");
        }
        assertThat(guidepost("config")).contains("guidepost: building server", "[gnrs]");
        assertThat(lock).doesNotExist();
    }

    @Test
    void aBuildWaitsForAnotherAndSaysSo() throws Exception {
        script(folder.resolve("guidepost-other"), "read -r line\n");
        Process other = new ProcessBuilder(folder.resolve("guidepost-other").toString()).start();
        Path lock = Files.createDirectories(root.resolve(".building"));
        Files.writeString(lock.resolve("pid"), other.pid() + "\n");
        Process waiting = launcher("config").redirectErrorStream(true).start();
        try (BufferedReader out = waiting.inputReader(StandardCharsets.UTF_8)) {
            assertThat(out.readLine()).isEqualTo("guidepost: waiting for the build of process " + other.pid() + " ...");
            other.destroy();
            assertThat(out.lines().toList()).contains("[gnrs]");
        }
        assertThat(waiting.waitFor()).isZero();
    }

    /** One that its user may not write to says so, where nothing is built; where all is, it serves. */
    @Test
    void aCheckoutOfAnotherUserIsToldOrServes() throws Exception {
        assumeTrue(System.getProperty("user.name").equals("root"), "needs root, to be somebody else too");
        for (Path each = folder; each != null && each.startsWith(System.getProperty("java.io.tmpdir")); each = each.getParent()) {
            if (!each.equals(Path.of(System.getProperty("java.io.tmpdir")))) {
                Files.setPosixFilePermissions(each, PosixFilePermissions.fromString("rwxr-xr-x"));
            }
        }
        ProcessBuilder stranger = launcher("config");
        stranger.command().addAll(0, List.of("setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"));
        assertThat(said(stranger, 1)).contains("may not write there").hasLineCount(1);
        guidepost("config");
        // The stranger may not read the libraries of this test, but that is Java's to tell.
        Process serving = stranger.start();
        assertThat(serving.inputReader(StandardCharsets.UTF_8).lines()).noneMatch(each -> each.startsWith("guidepost:"));
    }

    /** A launcher that finds no JDK, as on a fresh machine, and an archive with one on a server. */
    private ProcessBuilder withoutJdk(HttpServer server, String sum, String... arguments) throws IOException {
        String text = Files.readString(CHECKOUT.resolve("guidepost"));
        assertThat(text).contains("/usr/lib/jvm/* /opt/* /opt/*/*");
        script(root.resolve("guidepost"), text.replace("/usr/lib/jvm/* /opt/* /opt/*/*", ""));
        ProcessBuilder launcher = launcher(arguments);
        launcher.environment().remove("JAVA_HOME");
        launcher.environment().put("PATH", folder.resolve("tools") + ":/usr/bin:/bin");
        launcher.environment().put("HOME", folder.resolve("home").toString());
        launcher.environment().remove("XDG_CACHE_HOME");
        launcher.environment().put("GUIDEPOST_JDK_URL", "http://127.0.0.1:" + server.getAddress().getPort() + "/jdk.tar.gz");
        launcher.environment().put("GUIDEPOST_JDK_SHA256", sum);
        return launcher;
    }

    @Test
    void aJdkIsFetchedWhereThereIsNone() throws Exception {
        assumeTrue(Files.isExecutable(Path.of("/usr/bin/curl")), "needs curl");
        Path served = Files.createDirectories(folder.resolve("served"));
        assertThat(new ProcessBuilder("tar", "-czf", served.resolve("jdk.tar.gz").toString(), "-C", folder.toString(), "jdk")
                .start().waitFor()).isZero();
        byte[] archive = Files.readAllBytes(served.resolve("jdk.tar.gz"));
        String sum = HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(archive));
        Path cache = folder.resolve("home/.cache/guidepost");
        HttpServer server = SimpleFileServer.createFileServer(
                new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), served, SimpleFileServer.OutputLevel.NONE);
        server.start();
        try {
            assertThat(said(withoutJdk(server, sum, "config"), 1)).contains("needs a JDK", "--yes");
            assertThat(said(withoutJdk(server, "0".repeat(64), "--yes", "config"), 1))
                    .contains("its SHA-256 is " + sum, "nothing was kept");
            try (Stream<Path> kept = Files.list(cache)) {
                assertThat(kept).isEmpty();
            }
            assertThat(said(withoutJdk(server, sum, "--yes", "config"), 0)).contains("guidepost: fetching", "[gnrs]");
        } finally {
            server.stop(0);
        }
        assertThat(said(withoutJdk(server, sum, "config"), 0)).as("the next time").doesNotContain("fetching").contains("[gnrs]");
    }
}
