package io.guidepost.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Commands of middleboxes between two hosts, each in a network namespace of its own, on interfaces with two queues. The kernel of
 * the middle one forwards too.
 *
 * <pre>
 *  out0 10.78.1.2 -- 10.78.1.1 o   i 10.78.2.1 -- 10.78.2.2 in0
 * </pre>
 */
class BoxesOnInterfacesTest {
    private static final int DATAGRAMS = 640;
    private static final int SECONDS_MAX = 60;
    private static final Pattern RECEIVED = Pattern.compile("\"received\": (\\d+)");
    private static final Pattern ARRIVED = Pattern.compile("(?m)^Udp: (\\d+) (\\d+) ");

    private final String prefix = "gp" + ProcessHandle.current().pid();

    @TempDir
    private Path folder;

    private record Ran(int code, String output) {}

    private static Ran run(String line) throws IOException {
        Process process = new ProcessBuilder("sh", "-ec", line).redirectErrorStream(true).start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        process.onExit().orTimeout(SECONDS_MAX, TimeUnit.SECONDS).join();
        return new Ran(process.exitValue(), output);
    }

    private String in(String place) {
        return "ip netns exec " + prefix + place + " ";
    }

    private String shell(String place, String line) throws IOException {
        Ran ran = run(in(place) + "sh -ec '" + line + "'");
        assertThat(ran.code).as("%s: %s", line, ran.output).isZero();
        return ran.output;
    }

    @BeforeEach
    void lay() throws IOException {
        assumeTrue(run("command -v bash").code == 0, "no bash here");
        assumeTrue(run("ip netns add " + prefix + "box").code == 0, "no network namespaces here: needs root and ip of iproute2");
        quiet("box");
        String queues = " numrxqueues 2 numtxqueues 2 ";
        for (String[] each : new String[][] {{"out", "out0", "o", "1"}, {"in", "in0", "i", "2"}}) {
            assertThat(run("ip netns add " + prefix + each[0])).isEqualTo(new Ran(0, ""));
            quiet(each[0]);
            assertThat(run("ip -n " + prefix + "box link add " + each[2] + queues
                            + "type veth peer name " + each[1] + queues + "netns " + prefix + each[0]))
                    .isEqualTo(new Ran(0, ""));
            String network = "10.78." + each[3] + ".";
            shell("box", "ip addr add " + network + "1/24 dev " + each[2] + "; ip link set " + each[2] + " up");
            shell(each[0], "ip addr add " + network + "2/24 dev " + each[1] + "; ip link set lo up; ip link set " + each[1]
                    + " up; ip route add default via " + network + "1");
            neighbour("box", each[2], network + "2", shell(each[0], "cat /sys/class/net/" + each[1] + "/address"));
            neighbour(each[0], each[1], network + "1", shell("box", "cat /sys/class/net/" + each[2] + "/address"));
        }
        shell("box", "sysctl -qw net.ipv4.ip_forward=1");
    }

    /** The kernels say nothing by themselves. */
    private void quiet(String place) throws IOException {
        shell(place, "sysctl -qw net.ipv6.conf.all.disable_ipv6=1 net.ipv6.conf.default.disable_ipv6=1");
    }

    /** Nothing needs ARP: what a firewall does with it is not in question. */
    private void neighbour(String place, String device, String address, String mac) throws IOException {
        shell(place, "ip neigh replace " + address + " lladdr " + mac.strip() + " dev " + device + " nud permanent");
    }

    @AfterEach
    void remove() throws IOException {
        for (String each : new String[] {"out", "in", "box"}) {
            run("ip netns del " + prefix + each);
        }
    }

    private Process start(String arguments, Path log) throws IOException {
        String java = String.join(" ", BuiltServer.command(List.of("-XX:TieredStopAtLevel=1"), List.of())) + " ";
        Process process = new ProcessBuilder("sh", "-c", "exec " + in("box") + java + arguments)
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
        assertThat(RunningServer.eventually(() -> !process.isAlive() || text(log).contains(" is open"))).isTrue();
        return process;
    }

    private static String text(Path log) {
        try {
            return Files.readString(log);
        } catch (IOException e) {
            return "";
        }
    }

    private static int ended(Process process) {
        process.onExit().orTimeout(SECONDS_MAX, TimeUnit.SECONDS).join();
        return process.exitValue();
    }

    /** Datagrams that came to the host inside: to a program, or to a port without one. */
    private long arrived() throws IOException {
        Matcher counts = ARRIVED.matcher(shell("in", "cat /proc/net/snmp"));
        assertThat(counts.find()).isTrue();
        return Long.parseLong(counts.group(1)) + Long.parseLong(counts.group(2));
    }

    /** Sends as many datagrams, each from another port. */
    private void send() throws IOException {
        Ran ran = run(in("out") + "bash -c 'for i in $(seq " + DATAGRAMS + "); do echo $i > /dev/udp/10.78.2.2/7000; done'");
        assertThat(ran).isEqualTo(new Ran(0, ""));
    }

    @Test
    void noDatagramPassesByAFirewallOnADeviceWithTwoQueues() throws IOException {
        Path rules = Files.writeString(folder.resolve("rules"), "deny\n");
        Path log = folder.resolve("log");
        Process firewall = start("firewall xdp:i xdp:o --json --interval 0.1 --rules " + rules, log);
        try {
            send();
            assertThat(RunningServer.eventually(() -> text(log).contains("\"denied\": " + DATAGRAMS))).as(text(log)).isTrue();
        } finally {
            firewall.destroy();
        }
        ended(firewall);
        assertThat(arrived()).as("past a rule deny").isZero();
        assertThat(text(log)).contains("xdp:o,mode=native is open with 2 queues", "\"packets\": " + DATAGRAMS,
                "\"link\": \"up 10000 Mbit/s\"", "\"xdp_passed\": 0");
    }

    @Test
    void aFirewallDoesNotStartWhereTheKernelForwards() throws IOException {
        Path rules = Files.writeString(folder.resolve("rules"), "deny\n");
        Path log = folder.resolve("log");
        String end = " --seconds 1 --quiet --rules " + rules;
        assertThat(ended(start("firewall xdp:i xdp:o --queues 1" + end, log))).isEqualTo(1);
        assertThat(text(log)).startsWith("guidepost: xdp:i: the device has 2 queues, and queues=1 leaves frames of 1 of them out");
        assertThat(ended(start("firewall xdp:i,rest=kernel xdp:o,rest=drop --queues 1" + end, log))).isEqualTo(1);
        assertThat(text(log)).isEqualTo("guidepost: xdp:i,mode=native: the kernel gets the frames of 1 of 2 queues (rest=kernel),"
                + " so that they pass by the rules; a firewall starts when that setting is changed\n");
        assertThat(ended(start("firewall xdp:i,rest=drop xdp:o,rest=drop --queues 1" + end, log))).as(text(log)).isZero();
        assertThat(ended(start("firewall packet:i packet:o" + end, log))).isEqualTo(1);
        assertThat(text(log)).startsWith("guidepost: packet:i: the kernel gets all frames too, and forwards"
                + " (net.ipv4.conf.i.forwarding=1)");
        shell("box", "sysctl -qw net.ipv4.conf.i.forwarding=0 net.ipv4.conf.o.forwarding=0");
        assertThat(ended(start("firewall packet:i packet:o" + end, log))).as(text(log)).isZero();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {"packet:o | packet:o", "dpdk:net_af_packet0 | dpdk:net_af_packet0,iface=o"})
    void aBoxWaitsForAnInterfaceOrEndsWithOne(String name, String port) throws IOException {
        Path log = folder.resolve("log");
        Process capture = start("capture " + port + " --json --interval 0.1", log);
        try {
            assumeTrue(!text(log).contains("guidepost: DPDK"), text(log));
            assertThat(text(log)).contains("guidepost: " + name + " is open");
            shell("box", "ip link del o");
            assertThat(RunningServer.eventually(() -> text(log).contains(
                            "guidepost: " + name + ": the interface is gone; waiting for its return\n")
                    && text(log).contains("\"link\": \"gone\""))).as(text(log)).isTrue();
            shell("box", "ip link add o numrxqueues 2 numtxqueues 2 type veth peer name p numrxqueues 2 numtxqueues 2;"
                    + " ip link set p up; ip link set o up");
            assertThat(RunningServer.eventually(() -> text(log).contains("guidepost: " + name + ": the interface is back; the link is ")))
                    .as(text(log)).isTrue();
        } finally {
            capture.destroy();
        }
        ended(capture);
        Path other = folder.resolve("other");
        Process told = start("capture " + port + " --quiet --exit-on-loss", other);
        shell("box", "ip link del o");
        assertThat(ended(told)).isEqualTo(1);
        assertThat(text(other)).contains(
                "guidepost: " + name + ": the interface is gone; waiting for its return\n",
                "guidepost: " + name + ": lost, and --exit-on-loss is set\n");
    }

    private String memif(String role) {
        return "dpdk:net_memif0,role=" + role + ",id=0,socket-abstract=no,socket=" + folder.resolve("memif.sock");
    }

    private Process generate(String number) throws IOException {
        return start("generate " + memif("client") + " --rate 1000 --quiet", folder.resolve("generate" + number));
    }

    private static boolean said(Path log, String line, int times) {
        return text(log).lines().filter(each -> each.startsWith("guidepost: dpdk:net_memif0: " + line)).count() == times;
    }

    private static long received(Path log) {
        return RECEIVED.matcher(text(log)).results().mapToLong(each -> Long.parseLong(each.group(1))).max().orElse(0);
    }

    /** Memory that two processes share; its link is down until the other one comes, which is no loss. */
    @Test
    void aBoxWaitsForThePeerOfAMemifOrEndsWithIt() throws IOException {
        Path log = folder.resolve("log");
        String down = "the link is down, no peer; waiting for one";
        Process capture = start("capture " + memif("server") + " --json --interval 0.1", log);
        try {
            assumeTrue(!text(log).contains("guidepost: DPDK"), text(log));
            for (int round = 1; round <= 3; round++) {
                int times = round;
                assertThat(RunningServer.eventually(() -> said(log, down, times))).as(text(log)).isTrue();
                long before = received(log);
                Process generate = generate("-" + round);
                try {
                    assertThat(RunningServer.eventually(() -> said(log, "the link is up", times) && received(log) > before))
                            .as(text(log))
                            .isTrue();
                } finally {
                    generate.destroyForcibly();
                }
            }
        } finally {
            capture.destroy();
        }
        ended(capture);
        assertThat(text(log)).contains("\"link\": \"down, no peer\"", "\"rx_good_packets\": ");
        Path other = folder.resolve("other");
        Process told = start("capture " + memif("server") + " --quiet --exit-on-loss", other);
        try {
            assertThat(RunningServer.eventually(() -> said(other, down, 1))).as(text(other)).isTrue();
            Process generate = generate("");
            assertThat(RunningServer.eventually(() -> said(other, "the link is up", 1))).as(text(other)).isTrue();
            generate.destroyForcibly();
            assertThat(ended(told)).isEqualTo(1);
            assertThat(text(other)).contains("guidepost: dpdk:net_memif0: lost, and --exit-on-loss is set\n");
        } finally {
            told.destroyForcibly();
        }
    }
}
