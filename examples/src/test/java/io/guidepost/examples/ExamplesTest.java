package io.guidepost.examples;

import static org.assertj.core.api.Assertions.assertThat;

import io.guidepost.base.Memory;
import io.guidepost.packet.Burst;
import io.guidepost.packet.Drop;
import io.guidepost.packet.FrameSettings;
import io.guidepost.packet.Port;
import io.guidepost.packet.backend.Middlebox;
import io.guidepost.packet.memory.MemoryLink;
import io.guidepost.packet.udp.UdpPorts;
import io.guidepost.packet.udp.UdpSettings;
import io.guidepost.packet.worker.FrameHandler;
import io.guidepost.packet.worker.Worker;
import io.guidepost.server.Server;
import io.guidepost.server.cli.HandleDemo;
import io.guidepost.server.config.Configuration;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Each example runs, against a server in the test's own process where it is a client. */
class ExamplesTest {
    private static final String ETHERNET = "02000000000a02000000000b0800";

    /** IPv4 and TCP from port 8080 to 80; the flags are left out. */
    private static final String TCP = "45000028000040004006" + "26ce" + "0a0000010a000002" + "1f900050" + "00000001" + "00000000" + "50";

    @TempDir
    private Path folder;

    private Server start(String... further) throws Exception {
        List<String> settings = new ArrayList<>(List.of(
                "gnrs.listen=127.0.0.1", "gnrs.port=0", "admin.port=-1", "store.folder=" + folder.resolve("store")));
        settings.addAll(List.of(further));
        Configuration configuration = Configuration.load(null, Map.of(), settings);
        return Server.start(configuration, () -> configuration);
    }

    @Test
    void aServerRunsInsideAProgram() throws Exception {
        assertThat(EmbeddedServer.run(folder)).isEqualTo("192.0.2.100:7000");
    }

    @Test
    void theGnrsClientMovesAName() throws Exception {
        try (Server server = start()) {
            assertThat(BindName.run(server.gnrsAddresses().getFirst())).isEqualTo("192.0.2.100:7000");
        }
    }

    @Test
    void theHandleClientCreatesAndResolves() throws Exception {
        List<String> settings = new ArrayList<>(HandleDemo.settings());
        settings.addAll(List.of("handle.listen=127.0.0.1", "handle.udp-port=0", "handle.tcp-port=0", "handle.http-port=0",
                "handle.folder=" + folder.resolve("handle")));
        try (Server server = start(settings.toArray(String[]::new))) {
            HandleDemo.fill(server);
            InetSocketAddress address = server.handleTcpAddresses().getFirst();
            assertThat(ResolveHandle.run(address, HandleDemo.BY_SECRET, HandleDemo.SECRET)).isEqualTo("https://library.example/");
        }
    }

    @Test
    void theAltoClientRanks() throws Exception {
        Path topology = Files.writeString(folder.resolve("topology.json"), """
                {"nodes": [{"id": "10.0.0.1"}, {"id": "10.0.0.2"}], "links": [{"source": "10.0.0.1", "target": "10.0.0.2"}]}
                """);
        Path prefixes = Files.writeString(folder.resolve("prefixes.csv"), """
                127.0.0.0/8,,10.0.0.1
                192.0.2.0/24,,10.0.0.1
                198.51.100.0/24,,10.0.0.2
                """);
        try (Server server = start("proximity.files=" + topology + "," + prefixes, "alto.enabled=true", "alto.listen=127.0.0.1",
                "alto.http-port=0", "alto.folder=" + folder.resolve("alto"))) {
            assertThat(RankAddresses.run(server.altoAddresses().getFirst())).map(Object::toString)
                    .containsExactly("192.0.2.7", "198.51.100.7");
        }
    }

    @Test
    void theEchoServerSendsADatagramBack() throws Exception {
        try (Port port = UdpPorts.open(UdpSettings.of(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0)));
                Worker worker = EchoServer.on(port);
                DatagramSocket client = new DatagramSocket()) {
            worker.start();
            client.setSoTimeout(20_000);
            byte[] question = "where is it?".getBytes(StandardCharsets.UTF_8);
            client.send(new DatagramPacket(question, question.length, port.localAddress()));
            DatagramPacket answer = new DatagramPacket(new byte[100], 100);
            client.receive(answer);
            assertThat(new String(answer.getData(), 0, answer.getLength(), StandardCharsets.UTF_8)).isEqualTo("where is it?");
        }
    }

    private static byte[] tcp(String flags) {
        return HexFormat.of().parseHex(ETHERNET + TCP + flags + "2000" + "00000000");
    }

    private static byte[] udp(int port) {
        return HexFormat.of().parseHex(ETHERNET + "4500001c00004000401126cf0a0000010a0000021f90"
                + HexFormat.of().toHexDigits((short) port) + "00080000");
    }

    private static void send(MemoryLink link, byte[] frame) {
        Burst burst = link.right().tx(0).burst();
        Memory.copy(frame, 0, burst.room(), frame.length);
        burst.append(frame.length);
        assertThat(link.right().tx(0).send(burst)).isZero();
    }

    private static int received(MemoryLink link, int number) {
        Burst burst = link.right().rx(0).burst();
        int all = 0;
        long end = System.nanoTime() + 20_000_000_000L;
        while (all < number && System.nanoTime() < end) {
            all += link.right().rx(0).receive(burst);
            LockSupport.parkNanos(100_000);
        }
        return all;
    }

    @Test
    void theMiddleboxLetsConnectionsBeOpenedFromInsideOnly() throws Exception {
        try (MemoryLink outside = new MemoryLink(FrameSettings.of("outside"));
                MemoryLink inside = new MemoryLink(FrameSettings.of("inside"));
                Middlebox box = Middlebox.join(outside.left(), inside.left(), OneWay::new, () -> FrameHandler.PASS_ALL)) {
            assertThat(box.queues()).isEqualTo(1);
            send(outside, tcp("02"));
            send(outside, udp(53));
            send(outside, tcp("12"));
            send(outside, udp(4000));
            send(inside, tcp("02"));
            assertThat(received(inside, 2)).isEqualTo(2);
            assertThat(received(outside, 1)).isEqualTo(1);
            assertThat(outside.left().rx(0).statistics().drops(Drop.REFUSED)).isEqualTo(2);
        }
    }
}
