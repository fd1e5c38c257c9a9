package io.guidepost.lab.soak;

import io.guidepost.lab.prove.ChildServer;
import io.guidepost.server.cli.HandleDemo;
import io.guidepost.server.cli.Main;
import io.guidepost.server.cli.TopologyDemo;
import io.guidepost.server.cli.support.AdminOptions;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.RandomAccessFile;
import java.io.Writer;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;

/** The server that is soaked: all doors on loopback, a configuration that changes, and a process that is killed and replaced. */
final class SoakServer implements AutoCloseable {
    /** What is listened on, and the key of its port. */
    enum Listener {
        GNRS("gnrs.port"),
        NAMES("names.http-port"),
        DNS("dns.port"),
        HANDLE_UDP("handle.udp-port"),
        HANDLE_TCP("handle.tcp-port"),
        HANDLE_HTTP("handle.http-port"),
        PROXIDOR("proxidor.port"),
        ALTO("alto.http-port"),
        ADMIN("admin.port");

        private final String key;

        Listener(String key) {
            this.key = key;
        }
    }

    private static final int UPGRADE_SECONDS_MAX = 120;

    private static final Pattern STACK_TRACE = Pattern.compile("\\s+at \\S+\\(\\S+\\)|Caused by: .*|Exception in thread .*");

    private final Map<Listener, InetSocketAddress> addresses = new EnumMap<>(Listener.class);
    private final Path configuration;
    private final Path log;
    private final List<String> settings = new ArrayList<>();
    private final Map<String, String> environment;
    private final Map<String, String> live = new TreeMap<>(Map.of("proxidor.ttl-seconds", "60"));
    private volatile @Nullable ChildServer process;
    private long logBytes;

    /**
     * A server that does not run yet, with an administrator of handles in its store.
     *
     * @param store folder of its records
     * @param environment further variables of its processes
     */
    SoakServer(Path folder, Path store, Map<String, String> environment) throws IOException {
        this.configuration = folder.resolve("guidepost.toml");
        this.log = folder.resolve("server.log");
        this.environment = environment;
        TopologyDemo topology = new TopologyDemo(folder.resolve("topology"));
        topology.write();
        settings.addAll(HandleDemo.settings());
        settings.addAll(topology.settings());
        settings.addAll(List.of(
                "workers.count=1", "names.enabled=true", "names.history-bytes=1 MiB", "names.folder=" + folder.resolve("names"),
                "dns.enabled=true", "dns.zone=" + DnsAccess.ZONE, "handle.folder=" + folder.resolve("handle"),
                "admin.address=127.0.0.1", "store.folder=" + store, "store.memory=64 MiB"));
        for (Listener each : Listener.values()) {
            int port = ChildServer.freePort();
            addresses.put(each, new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
            settings.add(each.key + "=" + port);
            if (each != Listener.ADMIN) {
                settings.add(each.key.replaceAll("\\..*", ".listen=127.0.0.1"));
            }
        }
        configure();
        Path batch = Files.writeString(
                folder.resolve("administrator.batch"),
                "HOME 127.0.0.1:2641:TCP\n" + HandleDemo.BY_SECRET.handle() + "\n\nCREATE " + HandleDemo.BY_SECRET.handle() + "\n"
                        + HandleDemo.BY_SECRET.index() + " HS_SECKEY 86400 1100 UTF8 " + HandleDemo.SECRET + "\n");
        String[] arguments = arguments("import", "handle", batch.toString()).toArray(String[]::new);
        CommandLine line = Main.commandLine(arguments);
        if (line.setOut(new PrintWriter(Writer.nullWriter())).execute(arguments) != 0) {
            throw new IOException("the administrator of handles was not imported");
        }
    }

    private List<String> arguments(String... command) {
        List<String> arguments = new ArrayList<>(List.of(command));
        arguments.addAll(List.of("--config", configuration.toString()));
        settings.forEach(each -> arguments.addAll(List.of("--set", each)));
        return arguments;
    }

    InetSocketAddress address(Listener listener) {
        InetSocketAddress address = addresses.get(listener);
        if (address == null) {
            throw new IllegalArgumentException(listener + " has no address");
        }
        return address;
    }

    private ChildServer process() {
        ChildServer running = process;
        if (running == null) {
            throw new IllegalStateException("the server was not started");
        }
        return running;
    }

    /** Starts it, and waits until it answers. */
    void start() throws IOException {
        process = ChildServer.start(address(Listener.GNRS), arguments("serve"), environment, log);
    }

    /** Ends its process as a power cut of the process would. */
    void kill() throws IOException {
        process().kill();
    }

    long pid() {
        return process().pid();
    }

    /** Changes a key of the configuration, which is in force after a reload. */
    void set(String key, String value) throws IOException {
        live.put(key, value);
        configure();
    }

    private void configure() throws IOException {
        Files.writeString(
                configuration,
                live.entrySet().stream().map(each -> each.getKey() + " = " + each.getValue() + "\n").collect(Collectors.joining()));
    }

    /** Has it reload, by SIGHUP. */
    void hangUp() throws IOException {
        process().signal("HUP");
    }

    /**
     * Has another process take over from it, as {@code guidepost upgrade} does.
     *
     * @return why that was not done; empty if it was
     */
    String upgrade() throws IOException {
        AdminOptions admin = admin();
        admin.patient(UPGRADE_SECONDS_MAX);
        AdminOptions.Reply reply = admin.post("/upgrade", Integer.toString(UPGRADE_SECONDS_MAX));
        if (reply.done() && reply.object().get("process") instanceof Number next) {
            process = process().replacedBy(next.longValue());
            return "";
        }
        return reply.body();
    }

    private AdminOptions admin() {
        return AdminOptions.of(address(Listener.ADMIN));
    }

    /** Returns the names of the troubles that it tells, and {@code failing} if it says so. */
    List<String> troubles() throws IOException {
        Map<String, Object> health = admin().get("/health").object();
        List<String> troubles = new ArrayList<>();
        AdminOptions.rows(health, "reasons").forEach(each -> troubles.add(AdminOptions.text(each, "condition")));
        if (AdminOptions.text(health, "status").equals("failing")) {
            troubles.add("failing");
        }
        return troubles;
    }

    /** Returns the bytes of its heap that are used. */
    long heapBytes() throws IOException {
        return admin().impatient().get("/metrics").body().lines()
                .filter(each -> each.startsWith("guidepost_jvm_heap_bytes{state=\"used\"}"))
                .mapToLong(each -> (long) Double.parseDouble(each.substring(each.lastIndexOf(' ') + 1)))
                .findFirst()
                .orElseThrow(() -> new IOException("the server does not tell its heap"));
    }

    /** Returns lines of stack traces in what it has said since this was called last. */
    List<String> stackTraces() throws IOException {
        try (RandomAccessFile file = new RandomAccessFile(log.toFile(), "r")) {
            byte[] next = new byte[(int) Math.min(file.length() - logBytes, 1 << 20)];
            file.seek(logBytes);
            file.readFully(next);
            String text = new String(next, StandardCharsets.UTF_8);
            // A line that is not whole yet is looked at when it is.
            int end = text.lastIndexOf('\n') + 1;
            logBytes += text.substring(0, end).getBytes(StandardCharsets.UTF_8).length;
            return text.substring(0, end).lines().filter(each -> STACK_TRACE.matcher(each).matches()).toList();
        }
    }

    Path log() {
        return log;
    }

    @Override
    public void close() throws IOException {
        if (process != null) {
            process().close();
        }
    }
}
