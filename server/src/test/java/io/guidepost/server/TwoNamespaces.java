package io.guidepost.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.guidepost.server.cli.CommandLines;
import io.guidepost.server.cli.CommandRun;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/**
 * Two network namespaces joined by a pair of virtual interfaces: {@code near} with 10.77.0.1 and fd77::1, {@code far} with
 * 10.77.0.2 and fd77::2 at {@code gpfar}. Needs root.
 */
final class TwoNamespaces implements AutoCloseable {
    private static final int SECONDS_MAX = 60;

    private final String near = "gp" + ProcessHandle.current().pid() + "near";
    private final String far = "gp" + ProcessHandle.current().pid() + "far";
    private final Path folder;
    private final List<Process> started = new ArrayList<>();

    TwoNamespaces(Path folder) throws IOException {
        this.folder = folder;
        assumeTrue(run("ip netns add " + near).code() == 0, "no network namespaces here: needs root and ip of iproute2");
        required("ip netns add " + far + " && ip -n " + near + " link set lo up && ip -n " + far + " link set lo up");
        join("", 77);
    }

    /** Joins them once more, by gpnearNET and gpfarNET, with 10.NET.0.1 and fdNET::1, 10.NET.0.2 and fdNET::2. */
    void join(int net) throws IOException {
        join(Integer.toString(net), net);
    }

    private void join(String suffix, int net) throws IOException {
        required("ip link add gpnear" + suffix + " netns " + near + " type veth peer name gpfar" + suffix + " netns " + far);
        for (String[] each : new String[][] {{near, "gpnear" + suffix, "1"}, {far, "gpfar" + suffix, "2"}}) {
            String ip = "ip -n " + each[0];
            required(ip + " addr add 10." + net + ".0." + each[2] + "/24 dev " + each[1] + " && " + ip
                    + " addr add fd" + net + "::" + each[2] + "/64 dev " + each[1] + " nodad && " + ip + " link set " + each[1] + " up");
        }
    }

    record Ran(int code, String output) {}

    private static Ran run(String line) throws IOException {
        Process process = new ProcessBuilder("sh", "-c", line).redirectErrorStream(true).start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        process.onExit().orTimeout(SECONDS_MAX, TimeUnit.SECONDS).join();
        return new Ran(process.exitValue(), output);
    }

    private static void required(String line) throws IOException {
        Ran ran = run(line);
        assertThat(ran.code).as("%s: %s", line, ran.output).isZero();
    }

    /** Whether there is a program of this name. */
    static boolean has(String program) throws IOException {
        return run("command -v " + program).code == 0;
    }

    /** Runs a command line in the near one. */
    Ran near(String line) throws IOException {
        return run("ip netns exec " + near + " " + line);
    }

    /** Runs a command line in the far one. */
    Ran far(String line) throws IOException {
        return run("ip netns exec " + far + " " + line);
    }

    /** Runs commands of guidepost in the near one, one after the other. */
    List<CommandRun> guidepost(String... lines) throws IOException {
        String quoted = Arrays.stream(lines).map(each -> " '" + each + "'").collect(Collectors.joining());
        return CommandLines.read(near(java() + CommandLines.class.getName() + quoted).output(), lines.length);
    }

    /** Has the near one send echo requests to an address, and expects the replies. */
    void pings(String address) throws IOException {
        assumeTrue(has("ping"), "there is no ping here (apt: iputils-ping)");
        Ran ping = near("ping -c 2 -i 0.2 " + address);
        assertThat(ping.code()).as(ping.output()).isZero();
    }

    /** Starts the guidepost command in the far one, and waits until it has printed a word. */
    void startGuidepost(String arguments, String word) throws IOException {
        start(command() + arguments, word);
    }

    private static String java() {
        return Path.of(System.getProperty("java.home"), "bin", "java")
                + " --enable-native-access=ALL-UNNAMED -XX:+UseSerialGC -XX:TieredStopAtLevel=1 -cp "
                + System.getProperty("java.class.path") + " ";
    }

    private static String command() {
        return String.join(" ", BuiltServer.command(List.of("-XX:TieredStopAtLevel=1"), List.of())) + " ";
    }

    /** Starts something in the far one, and waits until it has printed a word. */
    void start(String line, String word) throws IOException {
        Path log = Files.createTempFile(folder, "far", ".log");
        Process process = new ProcessBuilder("sh", "-c", "exec ip netns exec " + far + " " + line)
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
        started.add(process);
        assertThat(RunningServer.eventually(() -> !process.isAlive() || text(log).contains(word)))
                .as(line + ": " + text(log))
                .isTrue();
        assertThat(text(log)).contains(word);
    }

    /** Starts a server in the far one, on a port of frames. */
    void serve(String port, String... sets) throws IOException {
        StringBuilder line = new StringBuilder(command()).append("serve --port ").append(port);
        line.append(" --set store.folder=").append(folder.resolve("store")).append(" --set gnrs.writers=10.0.0.0/8,fd00::/8");
        for (String each : sets) {
            line.append(" --set '").append(each).append('\'');
        }
        start(line.toString(), "records in");
    }

    private static String text(Path log) {
        try {
            return Files.readString(log, StandardCharsets.UTF_8);
        } catch (IOException e) {
            return "";
        }
    }

    @Override
    public void close() throws IOException {
        for (Process each : started) {
            each.destroy();
            each.onExit().orTimeout(SECONDS_MAX, TimeUnit.SECONDS).join();
        }
        run("ip netns del " + near);
        run("ip netns del " + far);
    }
}
