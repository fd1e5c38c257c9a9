package io.guidepost.server.cli.scaffold;

import io.guidepost.base.DurableFiles;
import io.guidepost.base.Sha256;
import io.guidepost.server.cli.support.AdminOptions;
import io.guidepost.server.cli.support.ChildJvm;
import io.guidepost.server.cli.support.ChildProcesses;
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
import java.security.DigestOutputStream;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.Function;
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
    private static final String FILE = "www/file";
    private static final String URL = "http://web.svc.internal:" + PORT + "/file";
    private static final int MEGABYTES_MAX = 10_000;
    private static final int MEGABYTE = 1_000_000;
    private static final int LINK_MTU = 1_500;

    /** With labels the link between the routers takes less than the hosts', so that they must be told. */
    private static final int NARROW_MTU = 1_380;

    private static final String LABELS_BACK =
            "; ip -n client addr add fe80::2/64 dev cable; ip -n client route add default via fe80::1 dev cable metric 1";

    private static final DemoHosts.Offer OFFER = new DemoHosts.Offer("web", PORT, false, true);
    private static final List<String> EVENTS = List.of("nothing", "cable", "kill", "drain");

    @Option(names = "--megabytes", paramLabel = "N", description = "Size of the file, 1 to 10000 (default: ${DEFAULT-VALUE}).")
    private int megabytes = 100;

    @Option(
            names = "--events",
            split = ",",
            paramLabel = "EVENT",
            description = "What happens, a download each: nothing, cable, kill, drain (default: all, behind one to warm up).")
    private List<String> events = List.of("nothing", "nothing", "cable", "kill", "drain");

    @Option(names = "--ipv6", description = "Downloads by IPv6; one of the servers listens by IPv4 alone where there is nginx.")
    private boolean ipv6;

    @Option(names = "--labels", description = "The network has IPv6, and packets are carried by labels.")
    private boolean labels;

    @Option(names = "--seal", description = "Packets are encrypted between gateways.")
    private boolean seal;

    @Option(
            names = "--compare",
            description = "Then pulls the cable and kills the server of downloads by plain TCP, a virtual address of nftables and MPTCP.")
    private boolean compare;

    @Option(names = "--json", description = "Prints JSON.")
    private boolean json;

    @Option(names = "--inside", hidden = true)
    private boolean inside;

    @Option(names = "--serve", hidden = true)
    private @Nullable Path served;

    @Option(names = "--fetch", hidden = true)
    private @Nullable URI fetched;

    @Option(names = "--multipath", hidden = true)
    private boolean multipath;

    private final Map<String, Process> servers = new HashMap<>();

    @Override
    public Integer call() throws Exception {
        if (served != null) {
            if (multipath) {
                KernelFile.serve(served, DemoComparison.MULTIPATH_PORT);
            }
            DemoFile.serve(served, PORT);
        } else if (fetched != null) {
            return KernelFile.fetch(fetched, multipath, System.out);
        } else if (inside) {
            TemporaryFolder folder = TemporaryFolder.make("guidepost-scaffold");
            try (DemoNetwork network = new DemoNetwork(folder.path(), ChildJvm.command(List.of()), LINK_MTU, labels)) {
                return show(network, new DemoHosts(network));
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
        if (!DemoNetwork.missing().isEmpty()) {
            throw new IOException("the demonstration needs the program " + DemoNetwork.missing());
        }
        List<String> again = new ArrayList<>(List.of("scaffold", "demo", "--inside", "--megabytes", Integer.toString(megabytes)));
        again.addAll(List.of("--events", String.join(",", events)));
        if (ipv6) {
            again.add("--ipv6");
        }
        if (labels) {
            again.add("--labels");
        }
        if (seal) {
            again.add("--seal");
        }
        if (compare) {
            again.add("--compare");
        }
        if (json) {
            again.add("--json");
        }
        return ChildProcesses.await(new ProcessBuilder(DemoNetwork.inNamespaces(ChildJvm.command(again))).inheritIO().start());
    }

    private int show(DemoNetwork network, DemoHosts hosts) throws Exception {
        if (labels) {
            DemoNetwork.run("ip -n a link set tob mtu " + NARROW_MTU + "; ip -n b link set toa mtu " + NARROW_MTU);
        }
        String sha256 = makeFile(network.path(FILE));
        List<String> options = new ArrayList<>(labels ? List.of("--labels") : List.of());
        if (seal) {
            // The client's alone: the servers' follow.
            hosts.sealAtClient();
        }
        hosts.begin(options.toArray(String[]::new));
        for (String each : DemoNetwork.SERVERS) {
            startServer(network, each);
            hosts.register(each, OFFER);
        }
        boolean curl = DemoNetwork.has("curl");
        err().println("guidepost: " + (curl ? "curl" : "Java") + " downloads " + URL + ", " + megabytes + " MB each time");
        List<String> command = curl
                ? List.of("curl", ipv6 ? "-6" : "-4", "-sS", "-m", "120", URL)
                : ChildJvm.command(List.of("scaffold", "demo", "--fetch", URL));
        if (!curl && ipv6) {
            command.add(1, "-Djava.net.preferIPv6Addresses=true");
        }
        Function<List<String>, DemoDownload> downloads =
                by -> new DemoDownload(by, (long) megabytes * MEGABYTE, sha256, out());
        DemoDownload download = downloads.apply(command);
        List<Map<String, Object>> rows = new ArrayList<>();
        for (String each : events) {
            rows.add(download(network, hosts, download, each));
        }
        boolean right = rows.stream().allMatch(each -> GatewayRequest.is(each, "whole"));
        List<Map<String, Object>> others =
                compare ? new DemoComparison(network, downloads).play(new Deeds(network, hosts), err()) : List.of();
        print(json ? json(rows, others, hosts) : table(rows) + (compare ? "\n" + DemoComparison.table(others) : ""));
        return right ? ExitCode.DONE : ExitCode.FAILED;
    }

    private static String json(List<Map<String, Object>> rows, List<Map<String, Object>> others, DemoHosts hosts)
            throws IOException {
        return JsonWriter.text(JsonWriter.object(
                "downloads", rows, "comparison", others, "counts", hosts.flows().get("counts"), "servers", hosts.counts(),
                "health", hosts.ask("health"),
                "metrics", hosts.ask("metrics").get("metrics")));
    }

    /** Writes what is downloaded; returns its SHA-256. */
    private String makeFile(Path file) throws IOException {
        Files.createDirectories(file.getParent());
        Random random = new Random(22);
        MessageDigest digest = Sha256.begin();
        byte[] bytes = new byte[MEGABYTE];
        try (OutputStream out = new DigestOutputStream(Files.newOutputStream(file), digest)) {
            for (int i = 0; i < megabytes; i++) {
                random.nextBytes(bytes);
                out.write(bytes);
            }
        }
        return HexFormat.of().formatHex(digest.digest());
    }

    private void startServer(DemoNetwork network, String host) throws Exception {
        Path file = network.path(FILE);
        if (DemoNetwork.has("nginx")) {
            Path configuration = network.path(host + ".nginx");
            String listen = host.equals(DemoNetwork.SERVERS.getFirst()) ? "" + PORT : "[::]:" + PORT + " ipv6only=off";
            String text = """
                    user root; daemon off; worker_processes 1; error_log /dev/null; pid %1$s.pid; events {}
                    http {
                        access_log off; sendfile on;
                        client_body_temp_path %1$s-1; proxy_temp_path %1$s-2; fastcgi_temp_path %1$s-3;
                        uwsgi_temp_path %1$s-4; scgi_temp_path %1$s-5;
                        server { listen %2$s; root %3$s; }
                    }
                    """.formatted(network.path(host), listen, file.getParent());
            DurableFiles.write(configuration, text.getBytes(StandardCharsets.UTF_8));
            servers.put(host, network.start(host, List.of("nginx", "-c", configuration.toString(), "-e", "/dev/null")));
        } else {
            servers.put(host, network.guidepost(host, "scaffold", "demo", "--serve", file.toString()));
        }
        DemoHosts.await("the server on " + host + " does not listen", () -> DemoNetwork.listens(host, PORT));
    }

    private Map<String, Object> download(DemoNetwork network, DemoHosts hosts, DemoDownload download, String event) throws Exception {
        Map<String, Object> row = JsonWriter.object("event", event);
        row.putAll(download.run(() -> {
            String server = hosts.server();
            happen(hosts, event, server);
            return server;
        }));
        List<Map<?, ?>> changes = AdminOptions.rows(hosts.flows(), "failovers");
        if (!changes.isEmpty() && List.of("kill", "drain").contains(event)) {
            row.put("change", changes.getFirst());
        }
        mend(network, hosts, event, AdminOptions.text(row, "server"));
        return row;
    }

    private void happen(DemoHosts hosts, String event, String server) throws IOException {
        switch (event) {
            case "cable" -> DemoNetwork.run("ip -n client link set cable down");
            case "kill" -> DemoNetwork.kill(process(server));
            case "drain" -> hosts.drain(server, OFFER);
            default -> {
                // A download for comparison.
            }
        }
    }

    /** What happens to downloads of the comparison. */
    private final class Deeds implements DemoComparison.Deeds {
        private final DemoNetwork network;
        private final DemoHosts hosts;

        Deeds(DemoNetwork network, DemoHosts hosts) {
            this.network = network;
            this.hosts = hosts;
        }

        @Override
        public void happen(String event, String server) throws IOException {
            ScaffoldDemo.this.happen(hosts, event, server);
        }

        @Override
        public void mend(String event, String server) throws Exception {
            ScaffoldDemo.this.mend(network, hosts, event, server);
        }

        @Override
        public String server() throws IOException {
            return hosts.server();
        }
    }

    private Process process(String host) throws IOException {
        Process process = servers.get(host);
        if (process == null) {
            throw new IOException("the download was over before the event: take a larger file, --megabytes");
        }
        return process;
    }

    private void mend(DemoNetwork network, DemoHosts hosts, String event, String server) throws Exception {
        switch (event) {
            // What was taken with the link: its routes, and of its addresses the link's own, by which the router leads labels to it.
            case "cable" -> DemoNetwork.run("ip -n client link set cable up; ip -n client route add default via 10.1.1.1 metric 1"
                    + (labels ? LABELS_BACK : ""));
            case "kill" -> startServer(network, server);
            case "drain" -> hosts.register(server, OFFER);
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
