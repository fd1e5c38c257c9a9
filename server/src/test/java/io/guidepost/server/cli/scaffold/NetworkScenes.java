package io.guidepost.server.cli.scaffold;

import static java.util.Objects.requireNonNull;

import io.guidepost.server.cli.support.AdminOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;

/**
 * Runs inside of namespaces, for {@link NetworkScenesTest}: curl downloads by TFTP from tftpd-hpa while client and first server are behind
 * NATs of nftables, which let in nothing that was not asked; each of which is at another router. Then curl has a connection that is idle
 * when the gateway of its instance stops in order. Each line that is printed is a result.
 */
final class NetworkScenes {
    private static final int FILE_BYTES = 4_000_000;
    private static final int SEEN_BYTES = 500_000;
    private static final DemoHosts.Offer OFFER = new DemoHosts.Offer("boot", 69, true, false);
    private static final DemoHosts.Offer WEB = new DemoHosts.Offer("web", 8080, false, false);

    /** Pause of curl between two downloads, in seconds. */
    private static final int PAUSE_SECONDS = 15;

    private static final String FAR = DemoNetwork.SERVERS.getLast();
    private static final String NEAR = DemoNetwork.SERVERS.getFirst();

    private static final String NAT = """
            PATH=$PATH:/usr/sbin
            ip -n client link set second down
            nat() {
                ip netns exec $1 nft -f - <<END
            table ip nat {
                chain out { type nat hook postrouting priority srcnat; ip saddr $2 snat to $3; }
                chain own { type filter hook input priority filter; ip daddr $3 udp dport 1024-65535 drop; }
                chain in { type filter hook forward priority filter; ip daddr $2 ct state new drop; }
            }
            END
            }
            nat a 10.1.1.2 10.0.0.1
            nat b 10.2.2.2 10.0.0.2
            """;

    private NetworkScenes() {}

    /** Plays; the arguments are a folder, and the command that starts this program. */
    public static void main(String[] arguments) throws Exception {
        Path folder = Path.of(arguments[0]);
        byte[] file = new byte[FILE_BYTES];
        new Random(22).nextBytes(file);
        Files.createDirectories(folder.resolve("files"));
        Files.write(folder.resolve("files/file"), file);
        try (DemoNetwork network = new DemoNetwork(folder, List.of(arguments).subList(1, arguments.length), 1_500, true)) {
            DemoNetwork.run(NAT);
            DemoHosts hosts = new DemoHosts(network);
            hosts.begin("--labels");
            Process far = serve(network, FAR, "-4", "0.0.0.0:69");
            serve(network, NEAR, "-6", "[::]:69");
            hosts.register(FAR, OFFER);

            Process download = download(network, "-4", folder.resolve("first"));
            DemoHosts.await("nothing comes through both NATs", () -> size(folder.resolve("first")) >= SEEN_BYTES);
            say("began through both NATs", download.isAlive());
            hosts.register(NEAR, OFFER);
            DemoNetwork.kill(far);
            say("first is whole", whole(download, folder.resolve("first"), file));
            say("it went on elsewhere", resumed(hosts) > 0);

            long before = labelled(hosts);
            download = download(network, "-6", folder.resolve("second"));
            say("by IPv6 is whole", whole(download, folder.resolve("second"), file));
            say("most of it by labels", labelled(hosts) - before > FILE_BYTES / 1_300 / 2);
            idle(network, hosts, file);
        }
    }

    /** The object router tells the client's host of the gateway that leaves; no program sends anything. */
    private static void idle(DemoNetwork network, DemoHosts hosts, byte[] file) throws Exception {
        serveHttp(network, hosts, FAR);
        Path first = network.path("idle-1");
        Path second = network.path("idle-2");
        String url = "http://web.svc.internal:8080/file";
        Process both = network.start(DemoNetwork.CLIENT, List.of(
                "curl", "-4", "-sS", "-m", "90", "--rate", 60 / PAUSE_SECONDS + "/m",
                "-o", first.toString(), url, "-o", second.toString(), url));
        DemoHosts.await("nothing comes by HTTP", () -> size(first) == FILE_BYTES);
        serveHttp(network, hosts, NEAR);
        long before = resumed(hosts);
        hosts.stopGateway(FAR);
        DemoHosts.await("the idle connection does not go on", () -> resumed(hosts) > before);
        say("an idle connection went on elsewhere before it was used", both.isAlive() && !Files.exists(second));
        say("both are whole", whole(both, second, file) && Arrays.equals(Files.readAllBytes(first), file));
    }

    private static void serveHttp(DemoNetwork network, DemoHosts hosts, String host) throws IOException {
        String server = Path.of(System.getProperty("java.home"), "bin", "jwebserver").toString();
        network.start(host, List.of(server, "-b", "0.0.0.0", "-p", "8080", "-o", "none", "-d", network.path("files").toString()));
        DemoHosts.await("no server of HTTP listens on " + host, () -> DemoNetwork.listens(host, WEB.port()));
        hosts.register(host, WEB);
    }

    private static long resumed(DemoHosts hosts) throws IOException {
        return AdminOptions.rows(hosts.flows(), "failovers").stream()
                .filter(each -> AdminOptions.text(each, "resumed").equals("true"))
                .count();
    }

    private static void say(String what, boolean holds) {
        System.out.println(what + ": " + holds);
    }

    private static Process serve(DemoNetwork network, String host, String version, String address) throws IOException {
        Process server = network.start(
                host, List.of("in.tftpd", version, "-L", "-p", "-u", "root", "-a", address, network.path("files").toString()));
        DemoHosts.await(
                "no server of TFTP listens on " + host,
                () -> DemoNetwork.on(host, List.of("grep", "-Eqs", ":0045 ", "/proc/self/net/udp", "/proc/self/net/udp6")).start()
                        .onExit().join().exitValue() == 0);
        return server;
    }

    private static Process download(DemoNetwork network, String version, Path to) throws IOException {
        List<String> command = new ArrayList<>(List.of("curl", version, "-sS", "-m", "60", "--tftp-blksize", "1300"));
        command.addAll(List.of("-o", to.toString(), "tftp://boot.svc.internal/" + network.path("files/file").toString()));
        return network.start(DemoNetwork.CLIENT, command);
    }

    private static long size(Path file) throws IOException {
        return Files.exists(file) ? Files.size(file) : 0;
    }

    private static boolean whole(Process download, Path got, byte[] file) throws Exception {
        int code = download.waitFor();
        return code == 0 && Arrays.equals(Files.readAllBytes(got), file);
    }

    private static long labelled(DemoHosts hosts) throws IOException {
        return Long.parseLong(AdminOptions.text(requireNonNull((Map<?, ?>) hosts.flows().get("counts")), "packets_sent_labelled"));
    }
}
