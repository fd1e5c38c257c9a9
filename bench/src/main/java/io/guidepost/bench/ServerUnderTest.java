package io.guidepost.bench;

import java.io.IOException;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.URI;
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

/**
 * The real product as a child process: started as its launcher starts it where it is built, else from the class path
 * of this process with the same flags (as the tests of the build do).
 */
final class ServerUnderTest implements Target {
    private static final String MAIN = "io.guidepost.server.cli.Main";
    private static final long START_MILLIS_MAX = 60_000;

    /** What the launcher's options say, for where there is no launcher yet. */
    private static final List<String> FLAGS = List.of(
            "--enable-native-access=ALL-UNNAMED", "-XX:+UseSerialGC", "-Xms64m", "-Xmx512m");

    private final String name;
    private final int cpu;
    private final Path folder;
    private final Map<String, String> settings;
    private final InetSocketAddress address;
    private final int adminPort;
    private Child child;

    private ServerUnderTest(String name, int cpu, Path folder, Map<String, String> settings) {
        this.name = name;
        this.cpu = cpu;
        this.folder = folder;
        this.settings = settings;
        this.address = new InetSocketAddress(InetAddress.getLoopbackAddress(), freeUdpPort());
        this.adminPort = freeTcpPort();
        this.child = launch();
    }

    /**
     * Starts a server on a free port of loopback with a store of its own, and waits until it answers.
     *
     * @param name what reports call it
     * @param cpu the processor that the whole process is kept on, or {@link Pinning#ANYWHERE}
     * @param folder where its store and log are
     * @param settings keys of the configuration beyond those
     */
    static ServerUnderTest start(String name, int cpu, Path folder, Map<String, String> settings) {
        ServerUnderTest server = new ServerUnderTest(name, cpu, folder, settings);
        server.awaitAnswer();
        return server;
    }

    /** Starts the process and does not wait. */
    static ServerUnderTest launch(String name, int cpu, Path folder, Map<String, String> settings) {
        return new ServerUnderTest(name, cpu, folder, settings);
    }

    private Child launch() {
        Map<String, String> all = new LinkedHashMap<>();
        all.put("gnrs.listen", "[\"127.0.0.1\"]");
        all.put("gnrs.port", Integer.toString(address.getPort()));
        all.put("gnrs.workers", "1");
        all.put("store.folder", folder.resolve(name.replaceAll("[^A-Za-z0-9]", "-") + "-store").toString());
        all.put("store.durability", "os");
        all.put("admin.port", Integer.toString(adminPort));
        all.put("log.level", "warning");
        all.putAll(settings);
        List<String> command = new ArrayList<>(java());
        command.add(MAIN);
        command.add("serve");
        all.forEach((key, value) -> {
            command.add("--set");
            command.add(key + "=" + value);
        });
        return Child.start("server", cpu, folder, command);
    }

    private static List<String> java() {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        Path home = Path.of(System.getProperty("guidepost.server.home", ""));
        Path options = home.resolve("options");
        Path cache = home.resolve("guidepost.aot");
        if (System.getProperty("guidepost.server.home") != null && Files.isReadable(options)) {
            if (Files.isReadable(cache)) {
                command.add("-XX:AOTCache=" + cache);
            }
            command.add("@" + options);
        } else {
            command.addAll(FLAGS);
            command.addAll(List.of("-cp", System.getProperty("java.class.path")));
        }
        return command;
    }

    /** Milliseconds until it answered its first question, counted from now. */
    double awaitAnswer() {
        long before = System.nanoTime();
        try (Probe probe = new Probe(address)) {
            if (probe.ask(0, START_MILLIS_MAX, child::alive) == null) {
                throw child.failed(child.alive() ? "did not answer in a minute" : "ended before it answered");
            }
        }
        return (System.nanoTime() - before) / 1e6;
    }

    /** Ends the process as a power cut would, and starts it again on the same store; does not wait for answers. */
    void killAndLaunch() {
        child.kill();
        child = launch();
    }

    /** The text that the admin port shows under a path, empty if it does not answer. */
    String admin(String path) {
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

    long residentBytes() {
        return child.meter().residentBytes();
    }

    @Override
    public void close() {
        child.close();
    }

    private static int freeUdpPort() {
        try (DatagramSocket socket = new DatagramSocket(0, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        } catch (IOException e) {
            throw new Failure("there is no free UDP port: " + e.getMessage(), e);
        }
    }

    private static int freeTcpPort() {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        } catch (IOException e) {
            throw new Failure("there is no free TCP port: " + e.getMessage(), e);
        }
    }
}
