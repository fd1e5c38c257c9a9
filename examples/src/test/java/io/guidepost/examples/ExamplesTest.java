package io.guidepost.examples;

import static org.assertj.core.api.Assertions.assertThat;

import io.guidepost.base.Memory;
import io.guidepost.packet.Burst;
import io.guidepost.packet.Drop;
import io.guidepost.packet.FrameSettings;
import io.guidepost.packet.Port;
import io.guidepost.packet.memory.MemoryLink;
import io.guidepost.packet.udp.UdpPorts;
import io.guidepost.packet.udp.UdpSettings;
import io.guidepost.packet.worker.Worker;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;

class ExamplesTest {
    private static void send(MemoryLink link, int destinationPort) {
        byte[] frame = HexFormat.of().parseHex("02000000000a02000000000b0800" + "4500001c00004000401126cf0a0000010a0000021f90"
                + HexFormat.of().toHexDigits((short) destinationPort) + "00080000");
        Burst burst = link.right().tx(0).burst();
        Memory.copy(frame, 0, burst.room(), frame.length);
        burst.append(frame.length);
        assertThat(link.right().tx(0).send(burst)).isZero();
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

    @Test
    void theMiddleboxBlocksOneUdpPort() throws Exception {
        try (MemoryLink outside = new MemoryLink(FrameSettings.of("outside"));
                MemoryLink inside = new MemoryLink(FrameSettings.of("inside"));
                Worker worker = UdpBlocker.between(outside.left(), inside.left(), 53)) {
            send(outside, 53);
            send(outside, 4000);
            worker.start();
            Burst received = inside.right().rx(0).burst();
            long end = System.nanoTime() + 20_000_000_000L;
            while (inside.right().rx(0).receive(received) == 0 && System.nanoTime() < end) {
                LockSupport.parkNanos(100_000);
            }
            assertThat(received.count()).isEqualTo(1);
            assertThat(Memory.u16(received.offset(0) + 36)).isEqualTo(4000);
            assertThat(outside.left().rx(0).statistics().drops(Drop.REFUSED)).isEqualTo(1);
        }
    }
}
