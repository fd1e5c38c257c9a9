package io.guidepost.server.cli.scaffold;

import io.guidepost.base.DurableFiles;
import io.guidepost.base.Sha256;
import io.guidepost.scaffold.key.Delegation;
import io.guidepost.scaffold.key.ObjectKey;
import io.guidepost.server.cli.support.AdminOptions;
import io.guidepost.server.cli.support.ChildJvm;
import io.guidepost.server.cli.support.ConsoleCommand;
import io.guidepost.server.cli.support.ExitCode;
import io.guidepost.server.cli.support.TemporaryFolder;
import io.guidepost.server.cli.support.TextTable;
import io.guidepost.web.JsonWriter;
import java.io.IOException;
import java.io.OutputStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code guidepost scaffold demo}: downloads go on while what carries them is taken away. */
@Command(
        name = "demo",
        description = {
            "Builds a network of six hosts and routers in namespaces, without root, and downloads a file from an object that two servers"
                + " offer, with curl from nginx where they are installed.",
            "In the middle of each download a cable is pulled, the server is killed, or it is drained. At the end: the longest gap of each,"
                + " and whether each byte was right."
        },
        footer = {
            "Example:  guidepost scaffold demo",
            "          guidepost scaffold demo --megabytes 400 --events cable,kill,drain"
        })
final class ScaffoldDemo extends ConsoleCommand {
    private static final int PORT = 8080;
    private static final String URL = "http://web.svc.internal:" + PORT + "/file";
    private static final int MEGABYTES_MAX = 10_000;
    private static final int MEGABYTE = 1_000_000;
    private static final long READY_NANOS = 60_000_000_000L;
    private static final long LOOK_NANOS = 20_000_000;
    private static final List<String> EVENTS = List.of("nothing", "cable", "kill", "drain");

    @Option(names = "--megabytes", paramLabel = "N", description = "Size of the file, 1 to 10000 (default: ${DEFAULT-VALUE}).")
    private int megabytes = 100;

    @Option(
            names = "--events",
            split = ",",
            paramLabel = "EVENT",
            description = "What happens, a download each: nothing, cable, kill, drain (default: all, behind one to warm up).")
    private List<String> events = List.of("nothing", "nothing", "cable", "kill", "drain");

    @Option(names = "--json", description = "Prints JSON.")
    private boolean json;

    @Option(names = "--inside", hidden = true)
    private boolean inside;

    @Option(names = "--serve", hidden = true)
    private @Nullable Path served;

    @Option(names = "--fetch", hidden = true)
    private @Nullable URI fetched;

    private final Map<String, Process> servers = new LinkedHashMap<>();
    private final Map<String, String> hostsOfInstances = new LinkedHashMap<>();
    private final Map<String, String> delegations = new LinkedHashMap<>();

    @Override
    public Integer call() throws Exception {
        if (served != null) {
            DemoFile.serve(served, PORT);
        } else if (fetched != null) {
            DemoFile.fetch(fetched, System.out);
        } else if (inside) {
            TemporaryFolder folder = TemporaryFolder.make("guidepost-scaffold");
            try (DemoNetwork network = new DemoNetwork(folder.path())) {
                return show(network, folder.path());
            } finally {
                folder.delete();
            }
        } else {
            return start();
        }
        return ExitCode.DONE;
    }

    private int start() throws IOException {
        if (megabytes < 1 || megabytes > MEGABYTES_MAX) {
            throw wrong("--megabytes is " + megabytes + "; it must be 1 to " + MEGABYTES_MAX);
        }
        for (String each : events) {
            if (!EVENTS.contains(each)) {
                throw wrong("'" + each + "' is no event: write some of " + String.join(",", EVENTS));
            }
        }
        for (String each : List.of("unshare", "ip")) {
            if (!DemoNetwork.has(each)) {
                throw new IOException("the demonstration needs the program " + each + ", of Linux (apt: util-linux, iproute2)");
            }
        }
        List<String> again = new ArrayList<>(List.of("scaffold", "demo", "--inside", "--megabytes", Integer.toString(megabytes)));
        again.addAll(List.of("--events", String.join(",", events)));
        if (json) {
            again.add("--json");
        }
        return DemoNetwork.rerun(again);
    }

    private int show(DemoNetwork network, Path folder) throws Exception {
        Path file = folder.resolve("www/file");
        byte[] expected = makeFile(file);
        begin(network, folder);
        for (String each : List.of(DemoNetwork.SERVER_3, DemoNetwork.SERVER_2)) {
            startServer(network, folder, each);
            register(folder, each);
        }
        String client = DemoNetwork.has("curl") ? "curl" : "Java";
        err().println("guidepost: " + client + " downloads " + URL + ", " + megabytes + " MB each time");
        List<Map<String, Object>> rows = new ArrayList<>();
        for (String each : events) {
            rows.add(download(network, folder, each, expected));
        }
        boolean right = rows.stream().allMatch(each -> GatewayRequest.is(each, "whole"));
        print(json ? JsonWriter.text(JsonWriter.object("downloads", rows)) : table(rows));
        return right ? ExitCode.DONE : ExitCode.FAILED;
    }

    private byte[] makeFile(Path file) throws IOException {
        Files.createDirectories(file.getParent());
        Random random = new Random(22);
        MessageDigest digest = Sha256.begin();
        byte[] bytes = new byte[MEGABYTE];
        try (OutputStream out = Files.newOutputStream(file)) {
            for (int i = 0; i < megabytes; i++) {
                random.nextBytes(bytes);
                digest.update(bytes);
                out.write(bytes);
            }
        }
        return digest.digest();
    }

    private static void begin(DemoNetwork network, Path folder) throws IOException {
        network.guidepost(
                DemoNetwork.OBJECT_ROUTER,
                "serve", "--set", "scaffold.enabled=true", "--set", "scaffold.hosts=10.0.0.0/8", "--set", "scaffold.listen=0.0.0.0",
                "--set", "scaffold.folder=" + folder.resolve("router"), "--set", "store.folder=" + folder.resolve("store"),
                "--set", "gnrs.enabled=false", "--set", "admin.port=-1");
        for (String each : List.of(DemoNetwork.CLIENT, DemoNetwork.SERVER_3, DemoNetwork.SERVER_2)) {
            network.guidepost(
                    each,
                    "scaffold", "gateway", "--router", DemoNetwork.OBJECT_ROUTER_ADDRESS,
                    "--folder", gateway(folder, each).path().toString());
        }
        for (String each : List.of(DemoNetwork.CLIENT, DemoNetwork.SERVER_3, DemoNetwork.SERVER_2)) {
            await(each + "'s gateway does not join", () -> {
                try {
                    return GatewayRequest.is(gateway(folder, each).ask(JsonWriter.object("command", "ways")), "joined");
                } catch (IOException e) {
                    return false;
                }
            });
        }
    }

    private static GatewayFolder gateway(Path folder, String host) {
        return new GatewayFolder(folder.resolve(host));
    }

    /** What is waited for. */
    private interface Condition {
        boolean holds() throws IOException;
    }

    private static void await(String otherwise, Condition condition) throws IOException {
        long until = System.nanoTime() + READY_NANOS;
        while (!condition.holds()) {
            if (System.nanoTime() > until) {
                throw new IOException(otherwise);
            }
            LockSupport.parkNanos(LOOK_NANOS);
        }
    }

    private void startServer(DemoNetwork network, Path folder, String host) throws IOException {
        Path file = folder.resolve("www/file");
        if (DemoNetwork.has("nginx")) {
            Path configuration = folder.resolve(host + ".nginx");
            String temporary = "client_body proxy fastcgi uwsgi scgi";
            StringBuilder text = new StringBuilder("user root; daemon off; worker_processes 1; error_log /dev/null; events {}\npid ")
                    .append(folder.resolve(host + ".pid")).append(";\nhttp { access_log off; sendfile on;\n");
            for (String each : temporary.split(" ", -1)) {
                text.append(each).append("_temp_path ").append(folder.resolve(host + "-" + each)).append(";\n");
            }
            text.append("server { listen ").append(PORT).append("; root ").append(file.getParent()).append("; } }\n");
            DurableFiles.write(configuration, text.toString().getBytes(StandardCharsets.UTF_8));
            servers.put(host, network.start(host, List.of("nginx", "-c", configuration.toString(), "-e", "/dev/null")));
        } else {
            servers.put(host, network.guidepost(host, "scaffold", "demo", "--serve", file.toString()));
        }
        String port = String.format(Locale.ROOT, ":%04X", PORT);
        List<String> look = List.of("cat", "/proc/self/net/tcp", "/proc/self/net/tcp6");
        await("the server on " + host + " does not listen", () -> {
            byte[] sockets = DemoNetwork.on(host, look).start().getInputStream().readAllBytes();
            return new String(sockets, StandardCharsets.US_ASCII).contains(port + " 00000000");
        });
    }

    private void register(Path folder, String host) throws Exception {
        if (!delegations.containsKey(host)) {
            ObjectKey key = gateway(folder, DemoNetwork.SERVER_3).objectKey("web");
            Delegation signed = key.delegate(
                    gateway(folder, host).hostKey().guid(), Instant.now().plus(Duration.ofDays(1)).getEpochSecond());
            delegations.put(host, signed.toString());
        }
        Map<String, Object> answer = gateway(folder, host).ask(JsonWriter.object(
                "command", "register", "name", "web", "port", PORT, "repeatable", true, "delegation", delegations.get(host)));
        if (!GatewayRequest.is(answer, "registered")) {
            throw new IOException("the server on " + host + " is not registered: " + answer);
        }
        hostsOfInstances.put(AdminOptions.text(answer, "instance"), host);
    }

    private static List<String> command() throws IOException {
        return DemoNetwork.has("curl")
                ? List.of("curl", "-sS", "-m", "120", URL)
                : ChildJvm.command(List.of("scaffold", "demo", "--fetch", URL));
    }

    private Map<String, Object> download(DemoNetwork network, Path folder, String event, byte[] expected) throws Exception {
        String[] server = {""};
        DemoDownload download = new DemoDownload(out());
        download.run(command(), (long) megabytes * MEGABYTE, () -> {
            server[0] = server(folder);
            happen(folder, event, server[0]);
        });
        boolean whole = download.code() == 0 && Arrays.equals(download.sha256(), expected);
        List<Map<?, ?>> changes = AdminOptions.rows(flows(folder), "failovers");
        mend(network, folder, event, server[0]);
        return JsonWriter.object(
                "event", event,
                "server", server[0],
                "megabits_per_second", Math.round(download.megabitsPerSecond()),
                "gap_millis", rounded(download.gapMillis()),
                "gap_at_event_millis", rounded(download.gapAtEventMillis()),
                "bytes", download.bytes(),
                "whole", whole,
                "change", event.equals("nothing") || event.equals("cable") || changes.isEmpty() ? null : changes.getFirst());
    }

    private static double rounded(double millis) {
        return Math.round(millis * 10) / 10.0;
    }

    private static Map<String, Object> flows(Path folder) throws IOException {
        return gateway(folder, DemoNetwork.CLIENT).ask(JsonWriter.object("command", "flows"));
    }

    /** Returns the host that serves the download. */
    private String server(Path folder) throws IOException {
        return AdminOptions.rows(flows(folder), "flows").stream()
                .filter(each -> AdminOptions.text(each, "state").equals("open"))
                .map(each -> hostsOfInstances.getOrDefault(AdminOptions.text(each, "instance"), ""))
                .findFirst()
                .orElse("");
    }

    private void happen(Path folder, String event, String server) throws IOException {
        switch (event) {
            case "cable" -> DemoNetwork.run("ip -n client link set cable down");
            case "kill" -> DemoNetwork.kill(process(server));
            case "drain" -> gateway(folder, server).ask(JsonWriter.object("command", "drain", "name", "web"));
            default -> {
                // A download for comparison.
            }
        }
    }

    private Process process(String host) throws IOException {
        Process process = servers.get(host);
        if (process == null) {
            throw new IOException("the download was over before the event: take a larger file, --megabytes");
        }
        return process;
    }

    private void mend(DemoNetwork network, Path folder, String event, String server) throws Exception {
        switch (event) {
            case "cable" -> DemoNetwork.run("ip -n client link set cable up; ip -n client route add default via 10.1.1.1 metric 1");
            case "kill" -> startServer(network, folder, server);
            case "drain" -> register(folder, server);
            default -> {
                // Nothing is broken.
            }
        }
    }

    private static String table(List<Map<String, Object>> rows) {
        TextTable table = new TextTable("event", "server", "Mbit/s", "longest gap", "gap at event", "SHA-256", "what the gateway did");
        for (Map<String, Object> row : rows) {
            Map<?, ?> change = row.get("change") instanceof Map<?, ?> there ? there : Map.of();
            String did = change.isEmpty()
                    ? ""
                    : AdminOptions.text(change, "cause") + "; "
                            + (GatewayRequest.is(row, "whole") ? "went on at the other server" : "gave up") + " after "
                            + AdminOptions.text(change, "millis") + " ms";
            table.row(
                    AdminOptions.text(row, "event"),
                    AdminOptions.text(row, "server"),
                    AdminOptions.text(row, "megabits_per_second"),
                    AdminOptions.text(row, "gap_millis") + " ms",
                    AdminOptions.text(row, "gap_at_event_millis") + " ms",
                    GatewayRequest.is(row, "whole") ? "equal" : "DIFFERS",
                    did);
        }
        return table.toString();
    }
}
