package io.guidepost.bench.scene;

import io.guidepost.bench.load.GnrsAnswerCheck;
import io.guidepost.bench.process.BenchFailure;
import io.guidepost.bench.process.ChildProcess;
import io.guidepost.bench.process.JvmOptions;
import io.guidepost.bench.process.ProcessMeter;
import io.guidepost.bench.process.ProcessPinning;
import java.io.Closeable;
import java.io.IOException;
import java.net.BindException;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.UnknownHostException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The real product as a child process: started by its launcher's command line if it is built, otherwise from the class
 * path of this process with the same flags (as in the tests of the build).
 */
public final class ServerUnderTest implements BenchTarget {
    private static final String MAIN = "io.guidepost.server.cli.Main";
    private static final String LISTEN = "gnrs.listen";
    private static final String PORT = "gnrs.port";
    private static final long START_MILLIS_MAX = 60_000;
    private static final int PORT_MIN = 10_000;

    /** The kernel's own choice begins here (ip_local_port_range). */
    private static final int EPHEMERAL_PORT_MIN = 32_768;

    private static final Pattern UPGRADED = Pattern.compile("\"process\": *(\\d+).*\"heldMillis\": *(\\d+)", Pattern.DOTALL);

    private static final Set<Integer> RETURNED_PORTS = ConcurrentHashMap.newKeySet();

    /** The launcher's options, for a build without the launcher. */
    private static final List<String> FLAGS = List.of(
            "--enable-native-access=ALL-UNNAMED", "-XX:+UseSerialGC", "-Xms64m", "-Xmx512m");

    private final String name;
    private final int cpu;
    private final Path folder;
    private final Map<String, String> settings;
    private final InetSocketAddress address;
    private final int adminPort;
    private ChildProcess child;

    /** What has taken over from the child; null if nothing has. */
    private volatile @Nullable ProcessHandle successor;

    private long launchedNanos;

    private ServerUnderTest(String name, int cpu, Path folder, Map<String, String> settings) {
        this.name = name;
        this.cpu = cpu;
        this.folder = folder;
        this.settings = settings;
        String port = settings.get(PORT);
        this.address = new InetSocketAddress(
                address(settings.getOrDefault(LISTEN, "127.0.0.1")), port == null ? freeUdpPort() : Integer.parseInt(port));
        this.adminPort = freeTcpPort();
        this.child = launch();
    }

    /**
     * Starts a server on a free port of loopback with a store of its own, and waits until it answers.
     *
     * @param name for reports
     * @param cpu processor to pin the process to, or {@link ProcessPinning#ANYWHERE}
     * @param folder of its store and log
     * @param settings further configuration keys
     */
    public static ServerUnderTest start(String name, int cpu, Path folder, Map<String, String> settings) {
        ServerUnderTest server = new ServerUnderTest(name, cpu, folder, settings);
        server.awaitAnswer();
        return server;
    }

    /** Starts the process without waiting: several servers then start at the same time. */
    public static ServerUnderTest launch(String name, int cpu, Path folder, Map<String, String> settings) {
        return new ServerUnderTest(name, cpu, folder, settings);
    }

    private ChildProcess launch() {
        Map<String, String> all = new LinkedHashMap<>();
        all.put(LISTEN, "127.0.0.1");
        all.put(PORT, Integer.toString(address.getPort()));
        all.put("workers.count", "1");
        all.put("store.folder", folder.resolve(name.replaceAll("[^A-Za-z0-9]", "-") + "-store").toString());
        all.put("store.durability", "os");
        all.put("admin.port", Integer.toString(adminPort));
        all.put("log.level", "warning");
        all.putAll(settings);
        List<String> command = new ArrayList<>(server());
        command.add("serve");
        all.forEach((key, value) -> {
            command.add("--set");
            command.add(key + "=" + value);
        });
        launchedNanos = System.nanoTime();
        return ChildProcess.start("server", cpu, folder, command);
    }

    private static Path launcher() {
        return Path.of(System.getProperty("guidepost.server.home", "none"));
    }

    private static boolean hasLauncher() {
        return Files.isReadable(launcher().resolve("options"));
    }

    private static boolean hasCache() {
        return Files.isReadable(launcher().resolve("guidepost.aot"));
    }

    /** Returns another command of the product, as its launcher starts it. */
    public static List<String> command(String... words) {
        List<String> command = new ArrayList<>(server());
        command.addAll(List.of(words));
        return command;
    }

    /** Returns the command that starts the server, as the launcher does if there is one. */
    public static List<String> server() {
        if (!hasLauncher()) {
            return java(MAIN);
        }
        List<String> command = new ArrayList<>(List.of(javaCommand()));
        if (hasCache()) {
            command.add("-XX:AOTCache=" + launcher().resolve("guidepost.aot"));
        }
        command.add("@" + launcher().resolve("options"));
        command.addAll(JvmOptions.words());
        command.add(MAIN);
        return command;
    }

    /** Returns the command that runs a class of this class path with the server's flags. */
    public static List<String> java(String main) {
        List<String> command = new ArrayList<>(List.of(javaCommand()));
        command.addAll(FLAGS);
        command.addAll(JvmOptions.words());
        command.add("-Djava.library.path="
                + (hasLauncher() ? launcher().resolve("native") : System.getProperty("java.library.path")));
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), main));
        return command;
    }

    private static String javaCommand() {
        return Path.of(System.getProperty("java.home"), "bin", "java").toString();
    }

    /** Returns the way that servers are started, for reports. */
    public static String launchedWith() {
        return hasLauncher()
                ? "Started as the launcher does, " + (hasCache() ? "with" : "without") + " the AOT cache."
                : "Started from the class path of the build, without the AOT cache.";
    }

    /** Waits for the first response of any kind; returns the milliseconds since the start of the process. */
    public double awaitAnswer() {
        return await(GnrsAnswerCheck.Verdict.values());
    }

    /** Waits for the first response that has record 0; returns the milliseconds since the start of the process. */
    public double awaitRecord() {
        return await(GnrsAnswerCheck.Verdict.RIGHT);
    }

    private double await(GnrsAnswerCheck.Verdict... wanted) {
        long end = launchedNanos + TimeUnit.MILLISECONDS.toNanos(START_MILLIS_MAX);
        try (ReadinessProbe probe = new ReadinessProbe(address)) {
            while (System.nanoTime() - end < 0) {
                GnrsAnswerCheck.Verdict verdict = probe.ask(0, START_MILLIS_MAX, child::alive);
                if (verdict != null && List.of(wanted).contains(verdict)) {
                    return (System.nanoTime() - launchedNanos) / 1e6;
                }
                if (!child.alive()) {
                    throw child.failed("ended before it answered");
                }
            }
        }
        throw child.failed("did not answer as expected within " + START_MILLIS_MAX / 1000 + " seconds");
    }

    /** Ends the process with SIGKILL, and starts it again on the same store; does not wait for answers. */
    public void killAndLaunch() {
        child.kill();
        child = launch();
    }

    /** Has another process take over from it; returns for how many milliseconds no process answered. */
    public double upgrade() {
        try (HttpClient client = HttpClient.newHttpClient()) {
            HttpRequest request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + adminPort + "/upgrade"))
                    .header("Guidepost", "yes")
                    .POST(HttpRequest.BodyPublishers.ofString(Long.toString(START_MILLIS_MAX / 1000)))
                    .build();
            String answer = client.send(request, HttpResponse.BodyHandlers.ofString()).body();
            Matcher done = UPGRADED.matcher(answer);
            if (!done.find()) {
                throw child.failed("was not upgraded: " + answer.strip());
            }
            successor = ProcessHandle.of(Long.parseLong(done.group(1))).orElse(null);
            return Double.parseDouble(done.group(2));
        } catch (IOException e) {
            throw child.failed("was not upgraded: " + e.getMessage());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw child.failed("was not upgraded: interrupted");
        }
    }

    /** Returns the page of the admin port under a path; empty if it does not answer. */
    public String admin(String path) {
        HttpRequest request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + adminPort + path))
                .timeout(Duration.ofSeconds(5))
                .build();
        try (HttpClient client = HttpClient.newHttpClient()) {
            return client.send(request, HttpResponse.BodyHandlers.ofString()).body();
        } catch (IOException e) {
            return "";
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return "";
        }
    }

    /** Returns where its admin port is. */
    public InetSocketAddress adminAddress() {
        return new InetSocketAddress(InetAddress.getLoopbackAddress(), adminPort);
    }

    /** Returns the sum of a metric over its labels; NaN if it is missing. */
    public double metric(String metric) {
        return metric(metric, "");
    }

    /** Returns the sum of a metric over the lines with a label, such as {@code found="located"}; NaN if there is none. */
    public double metric(String metric, String label) {
        return admin("/metrics")
                .lines()
                .filter(line -> (line.startsWith(metric + " ") || line.startsWith(metric + "{")) && line.contains(label))
                .mapToDouble(line -> Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1)))
                .reduce(Double::sum)
                .orElse(Double.NaN);
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public InetSocketAddress address() {
        return address;
    }

    @Override
    public long cpuNanos() {
        return child.meter().cpuNanos();
    }

    /** Returns its processor time in a window, in percent of one processor. */
    public double cpuPercent(long nanos) {
        long cpu = cpuNanos();
        long begun = System.nanoTime();
        BenchStage.rest(nanos);
        return 100.0 * (cpuNanos() - cpu) / (System.nanoTime() - begun);
    }

    /** Returns the live bytes of its heap after a collection; or {@link ProcessMeter#UNKNOWN} without jcmd. */
    public double liveBytes() {
        String command = Path.of(System.getProperty("java.home"), "bin", "jcmd").toString();
        if (!Files.isExecutable(Path.of(command))) {
            return ProcessMeter.UNKNOWN;
        }
        try (ChildProcess collection = ChildProcess.start(
                "jcmd", ProcessPinning.ANYWHERE, folder, List.of(command, Long.toString(child.pid()), "GC.run"))) {
            collection.finish(START_MILLIS_MAX / 1000);
        }
        double used = metric("guidepost_jvm_heap_bytes", "state=\"used\"");
        return Double.isNaN(used) ? ProcessMeter.UNKNOWN : used;
    }

    /** Returns its process id, which changes when it is killed and launched. */
    public long pid() {
        return child.pid();
    }

    /** Returns its resident memory in bytes. */
    public long residentBytes() {
        return child.meter().residentBytes();
    }

    /** Asks the process to end, without waiting for it. */
    public void end() {
        child.end();
        Optional.ofNullable(successor).ifPresent(ProcessHandle::destroy);
    }

    @Override
    public void close() {
        child.close();
        Optional.ofNullable(successor).ifPresent(each -> {
            each.destroy();
            each.onExit().orTimeout(START_MILLIS_MAX, TimeUnit.MILLISECONDS).join();
        });
    }

    private static InetAddress address(String numeric) {
        try {
            return InetAddress.getByName(numeric);
        } catch (UnknownHostException e) {
            throw new BenchFailure("'" + numeric + "' is not an address to listen on", e);
        }
    }

    /** Returns a port of 127.0.0.1 that is free over UDP, and was not returned before. */
    public static int freeUdpPort() {
        return freePort(port -> new DatagramSocket(port, InetAddress.getLoopbackAddress()));
    }

    /** Returns a port of 127.0.0.1 that is free over TCP, and was not returned before. */
    public static int freeTcpPort() {
        return freePort(port -> new ServerSocket(port, 1, InetAddress.getLoopbackAddress()));
    }

    /** Binds a socket to a port. */
    private interface Binder {
        Closeable bind(int port) throws IOException;
    }

    /** Below those that the kernel gives to connections: one of these could take it before the server does. */
    private static int freePort(Binder binder) {
        while (true) {
            int port = ThreadLocalRandom.current().nextInt(PORT_MIN, EPHEMERAL_PORT_MIN);
            if (RETURNED_PORTS.add(port)) {
                try (Closeable _ = binder.bind(port)) {
                    return port;
                } catch (BindException taken) {
                    // Another program has it: the next one is tried.
                } catch (IOException e) {
                    throw new BenchFailure("there is no free port: " + e.getMessage(), e);
                }
            }
        }
    }
}
