package io.guidepost.server.cli.scaffold;

import io.guidepost.server.cli.support.ChildProcesses;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;

/**
 * The hosts and routers of the demonstration, each a network namespace. The client has a second cable, to the other router. The links
 * are of IPv4; the gateways' devices, which come later, have both versions.
 *
 * <pre>
 *                 object router
 *                    |     |
 *   server3 ---- router A --- router B ---- server2
 *                    |           |
 *                    +-- client -+
 * </pre>
 */
public final class DemoNetwork implements AutoCloseable {
    public static final String CLIENT = "client";
    public static final List<String> SERVERS = List.of("server3", "server2");
    static final String OBJECT_ROUTER = "router";
    static final String OBJECT_ROUTER_ADDRESS = "10.0.9.2";

    private static final int SECONDS_MAX = 60;

    private static final String SCRIPT = """
            mount -t tmpfs none /run
            mkdir /run/netns
            for n in client a b server3 server2 router; do
                ip netns add $n
                ip -n $n link set lo up
                ip netns exec $n sh -c 'echo 1 >/proc/sys/net/ipv6/conf/default/disable_ipv6
                    echo 0 >/proc/sys/net/ipv4/conf/all/rp_filter; echo 0 >/proc/sys/net/ipv4/conf/default/rp_filter'
            done
            link() {
                ip link add $2 netns $1 type veth peer name $5 netns $4
                ip -n $1 addr add $3/24 dev $2
                ip -n $4 addr add $6/24 dev $5
                ip -n $1 link set $2 mtu MTU up
                ip -n $4 link set $5 mtu MTU up
            }
            link client cable 10.1.1.2 a toclient 10.1.1.1
            link client second 10.2.1.2 b toclient 10.2.1.1
            link server3 uplink 10.1.3.2 a toserver 10.1.3.1
            link server2 uplink 10.2.2.2 b toserver 10.2.2.1
            link a tob 10.0.0.1 b toa 10.0.0.2
            link router uplink 10.0.9.2 a torouter 10.0.9.1
            for n in a b; do ip netns exec $n sh -c 'echo 1 >/proc/sys/net/ipv4/ip_forward'; done
            ip -n a route add 10.2.0.0/16 via 10.0.0.2
            ip -n b route add default via 10.0.0.1
            ip -n server3 route add default via 10.1.3.1
            ip -n server2 route add default via 10.2.2.1
            ip -n router route add default via 10.0.9.1
            ip -n client route add default via 10.1.1.1 metric 1
            ip -n client route add default via 10.2.1.1 metric 2
            for n in client server3 server2; do
                ip netns exec $n sh -c 'echo 0 >/proc/sys/net/ipv6/conf/default/disable_ipv6'
            done
            echo nameserver 127.0.0.1 >/run/resolv.conf
            mount --bind /run/resolv.conf /etc/resolv.conf
            """;

    /** Each host has a network of IPv6 for its labels, which the routers lead to it. */
    private static final String LABELS = """
            for n in client server3 server2 a b; do
                ip netns exec $n sh -c 'cd /proc/sys/net/ipv6/conf; echo 1 >all/forwarding; echo 1 >all/keep_addr_on_down
                    echo 0 >all/accept_dad'
            done
            linklocal() {
                ip netns exec $1 sh -c "cd /proc/sys/net/ipv6/conf/$2; echo 0 >accept_dad; echo 0 >disable_ipv6"
                ip -n $1 addr add fe80::$3/64 dev $2
            }
            labels() {
                linklocal $1 $2 2
                linklocal $4 $5 1
                ip -n $1 addr add $3::1/128 dev $2
                ip -n $1 route add default via fe80::1 dev $2 metric $6
                ip -n $4 route add $3::/64 via fe80::2 dev $5
            }
            labels client cable fd00:1:2 a toclient 1
            labels client second fd00:2:2 b toclient 2
            labels server3 uplink fd00:1:3 a toserver 1
            labels server2 uplink fd00:2:3 b toserver 1
            linklocal a tob 1
            linklocal b toa 2
            ip -n a addr add fd00:1::1/128 dev lo
            ip -n b addr add fd00:2::1/128 dev lo
            ip -n a route add fd00:2::/32 via fe80::2 dev tob
            ip -n b route add fd00:1::/32 via fe80::1 dev toa
            """;

    private final Path folder;
    private final List<String> program;
    private final List<Process> started = new ArrayList<>();

    /**
     * Makes the network, in the namespaces that {@link #inNamespaces} has made for this process.
     *
     * @param folder of all that its hosts write
     * @param program starts this program, and arguments follow
     * @param mtu of each link
     * @param labels whether it carries labels too
     */
    public DemoNetwork(Path folder, List<String> program, int mtu, boolean labels) throws IOException {
        this.folder = folder;
        this.program = program;
        run(SCRIPT.replace("MTU", Integer.toString(mtu)) + (labels ? LABELS : ""));
    }

    /** Returns a file or folder of the demonstration. */
    Path path(String name) {
        return folder.resolve(name);
    }

    /** Returns the folder of a host's gateway. */
    GatewayFolder gateway(String host) {
        return new GatewayFolder(path(host));
    }

    /**
     * Returns the command that runs another where it may make networks, without root; all that it starts ends with it. Where it is root,
     * it stays that of the host: the kernel takes programs of no other.
     */
    public static List<String> inNamespaces(List<String> command) {
        String spaces = System.getProperty("user.name").equals("root") ? "-nm" : "-rnm";
        List<String> all = new ArrayList<>(List.of("unshare", spaces, "--pid", "--fork", "--mount-proc", "--kill-child"));
        all.addAll(command);
        return all;
    }

    /** Returns the program that such networks need and this machine lacks; empty if it has all. */
    public static String missing() throws IOException {
        for (String each : List.of("unshare", "ip")) {
            if (!has(each)) {
                return each + ", of Linux (apt: util-linux, iproute2)";
            }
        }
        return "";
    }

    /** Runs a script of the shell, which must succeed. */
    public static void run(String script) throws IOException {
        ChildProcesses.run("sh", "-ec", script);
    }

    /** Returns whether a program is there. */
    static boolean has(String program) throws IOException {
        String look = "PATH=$PATH:/usr/sbin; command -v " + program + " >/dev/null";
        return ChildProcesses.await(new ProcessBuilder("sh", "-c", look).start()) == 0;
    }

    /** Returns whether a program listens at a port of TCP on a host. */
    static boolean listens(String host, int port) throws IOException {
        // By the state: connections that a killed program has left may have a remote address that begins with as many zeros.
        String listening = String.format(Locale.ROOT, ":%04X 0+:0000 0A", port);
        List<String> look = List.of("grep", "-Eqs", listening, "/proc/self/net/tcp", "/proc/self/net/tcp6");
        return ChildProcesses.await(on(host, look).start()) == 0;
    }

    /** Returns the command that runs another on a host. */
    static ProcessBuilder on(String host, List<String> command) {
        List<String> all = new ArrayList<>(List.of("ip", "netns", "exec", host));
        all.addAll(command);
        return new ProcessBuilder(all);
    }

    /** Starts a program on a host; it ends with the network at the latest. */
    public Process start(String host, List<String> command) throws IOException {
        Path log = Files.createTempFile(folder, host, ".log");
        Process process = on(host, command).redirectErrorStream(true).redirectOutput(log.toFile()).start();
        started.add(process);
        return process;
    }

    /** Starts this program on a host. */
    Process guidepost(String host, String... arguments) throws IOException {
        List<String> command = new ArrayList<>(program);
        command.addAll(List.of(arguments));
        return start(host, command);
    }

    /** Ends a program at once, with all that it has started. */
    public static void kill(Process process) {
        process.descendants().forEach(ProcessHandle::destroyForcibly);
        process.destroyForcibly();
        process.onExit().orTimeout(SECONDS_MAX, TimeUnit.SECONDS).join();
    }

    @Override
    public void close() {
        started.forEach(DemoNetwork::kill);
    }
}
