package io.guidepost.packet.xdp;

import static org.assertj.core.api.Assertions.assertThat;

import io.guidepost.packet.Port;
import io.guidepost.packet.Responder;
import io.guidepost.packet.Worker;
import io.guidepost.packet.WorkerSettings;
import io.guidepost.packet.device.Ports;
import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.SplittableRandom;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The port on a real interface, with the kernel's own UDP at the other end. */
class XdpPortTest {
    private static final int SERVICE = 5001;

    @ParameterizedTest
    @ValueSource(strings = {"native", "generic"})
    void everySizeComesBackWhole(String mode) throws IOException, InterruptedException {
        try (Wire wire = Wire.open(1500, 1);
                Port port = wire.inLeft(() -> Ports.open("xdp:left,mode=" + mode + ",redirect=udp:" + SERVICE));
                Worker worker = echo(port, 0);
                DatagramSocket socket = wire.inRight(() -> new DatagramSocket())) {
            assertThat(port.name()).isEqualTo("xdp:left,mode=" + mode);
            socket.setSoTimeout(10_000);
            InetSocketAddress to = new InetSocketAddress(InetAddress.getByName(Wire.LEFT_IP), SERVICE);
            SplittableRandom random = new SplittableRandom(1);
            // Ethernet, IPv4 and UDP headers are 42 bytes: frames of 60 to 1,514 without the check sequence.
            for (int size = 18; size <= 1472; size++) {
                byte[] sent = new byte[size];
                random.nextBytes(sent);
                socket.send(new DatagramPacket(sent, size, to));
                DatagramPacket answer = new DatagramPacket(new byte[2000], 2000);
                socket.receive(answer);
                assertThat(java.util.Arrays.copyOf(answer.getData(), answer.getLength()))
                        .as("%d bytes", size)
                        .isEqualTo(sent);
            }
            assertThat(worker.statistics().faults()).isZero();
            assertThat(port.deviceCounters()).containsEntry("xdp_redirected", 1455L);
        }
    }

    private static Worker echo(Port port, int queue) throws InterruptedException {
        return new Worker(WorkerSettings.of("echo-" + queue))
                .watch(port.rx(queue))
                .add(new Responder(port.rx(queue), port.tx(queue), new UdpEcho()))
                .start();
    }
}
