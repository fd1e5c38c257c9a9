package io.guidepost.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.guidepost.server.cli.CommandRun;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Every door over UDP answers on every kind of port of frames, to clients on sockets of another kernel namespace. */
class DoorsOnFramePortsTest {
    private static final String OWN = own(77);

    @TempDir
    private Path folder;

    private static void allAnswer(TwoNamespaces two) throws Exception {
        allAnswer(two, 77);
    }

    /** All doors answer at the server's address in a network, and nothing at a port that is not the server's. */
    private static void allAnswer(TwoNamespaces two, int net) throws Exception {
        // Other names in each, as one store is behind all of them.
        String scanner = "scanner" + net;
        String copier = "copier" + net;
        List<CommandRun> ran = two.guidepost(
                "put " + scanner + " 10.1.2.3:4444 -S 10." + net + ".0.9",
                "get " + scanner + " -S 10." + net + ".0.9",
                "put " + copier + " 10.1.2.4:4444 -S [fd" + net + "::9]",
                "get " + copier + " -S [fd" + net + "::9]",
                "handle get 1234/printer -S udp://10." + net + ".0.9:2641",
                "rank 203.0.113.7 198.51.100.7 192.0.2.7 --for 192.0.2.1 -S 10." + net + ".0.9:8899",
                "get " + scanner + " --timeout 100ms -S 10." + net + ".0.9:5002");
        assertThat(ran.subList(0, 6)).as("commands in 10." + net + ".0.0/24 that went well").allMatch(each -> each.code() == 0);
        assertThat(ran.get(6).code()).as("at a port that is not the server's").isNotZero();
        assertThat(ran.get(1).out()).startsWith("10.1.2.3:4444");
        assertThat(ran.get(3).out()).startsWith("10.1.2.4:4444");
        assertThat(ran.get(4).out()).contains("http://10.1.2.3:631/");
        assertThat(ran.get(5).out()).contains("192.0.2.7");
    }

    /** Serves the demonstration, whose source addresses may rank for others. */
    private static void serve(TwoNamespaces two, String port) throws Exception {
        two.serve(port + " --demo", "proxidor.trusted=10.76.0.0/14", "gnrs.listen=", "proxidor.listen=");
    }

    private static String own(int net) {
        return "address=10." + net + ".0.9/24,address=fd" + net + "::9/64";
    }

    /** One server on three interfaces at once; ARP, neighbour discovery and echo are its own, the address beside it is the kernel's. */
    @Test
    void allAnswerOnInterfaces() throws Exception {
        try (TwoNamespaces two = new TwoNamespaces(folder)) {
            two.join(78);
            two.join(79);
            serve(two, "packet:gpfar," + OWN + " --port xdp:gpfar78,mode=native," + own(78) + " --port xdp:gpfar79,mode=generic,"
                    + own(79));
            for (int net = 77; net <= 79; net++) {
                allAnswer(two, net);
                two.pings("10." + net + ".0.9");
                two.pings("fd" + net + "::9");
                two.pings("10." + net + ".0.2");
            }
        }
    }

    @Test
    void allAnswerOnADeviceOfDpdk() throws Exception {
        assumeTrue(TwoNamespaces.has("dpdk-devbind.py"), "there is no DPDK here (apt: dpdk)");
        try (TwoNamespaces two = new TwoNamespaces(folder)) {
            serve(two, "dpdk:net_af_packet0,iface=gpfar," + OWN);
            allAnswer(two);
            two.pings("10.77.0.9");
            two.pings("fd77::9");
        }
    }

    /** A bridge of the kernel joins the TAP device and the interface that leads to the clients. */
    @Test
    void allAnswerOnATapDevice() throws Exception {
        try (TwoNamespaces two = new TwoNamespaces(folder)) {
            serve(two, "tap:gptap," + OWN);
            for (String each : List.of(
                    "add gpbridge type bridge",
                    "set gpfar master gpbridge",
                    "set gptap master gpbridge",
                    "set gptap up",
                    "set gpbridge up")) {
                assertThat(two.far("ip link " + each).code()).as(each).isZero();
            }
            allAnswer(two);
        }
    }

    /** The server shares memory with another process, which bridges to the interface that leads to the clients. */
    @Test
    void allAnswerInSharedMemory() throws Exception {
        assumeTrue(TwoNamespaces.has("dpdk-devbind.py"), "there is no DPDK here (apt: dpdk)");
        try (TwoNamespaces two = new TwoNamespaces(folder)) {
            String socket = ",id=0,socket-abstract=no,socket=" + folder.resolve("memif.sock");
            serve(two, "dpdk:net_memif0,role=server" + socket + "," + OWN);
            two.startGuidepost("forward packet:gpfar,promiscuous=true dpdk:net_memif0,role=client" + socket, "net_memif0 is open");
            allAnswer(two);
        }
    }
}
