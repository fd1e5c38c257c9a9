package io.guidepost.packet.ip;

import static org.assertj.core.api.Assertions.assertThat;

import io.guidepost.base.Addresses;
import io.guidepost.base.Memory;
import io.guidepost.packet.Burst;
import io.guidepost.packet.FramePool;
import io.guidepost.packet.FrameSettings;
import io.guidepost.packet.RxQueue;
import io.guidepost.packet.TxQueue;
import io.guidepost.packet.memory.MemoryLink;
import io.guidepost.packet.worker.DatagramHandler;
import io.guidepost.packet.worker.DatagramResponder;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** A host at the left end of a link, that answers every datagram; its neighbour at the right end is the test. */
final class HostStand implements AutoCloseable {
    static final InterfaceAddress IPV4 = InterfaceAddress.parse("10.0.0.2/24");
    static final InterfaceAddress IPV6 = InterfaceAddress.parse("2001:db8::2/64");
    static final int PORT = 5001;

    private static final byte[] ANSWER = "answer!".getBytes(StandardCharsets.US_ASCII);

    final MemoryLink link = new MemoryLink(FrameSettings.of("stand").withFrames(1024, 2048));
    final HostPort host;
    long nanos = 1;
    private final DatagramResponder responder;
    private final Burst told;
    private final TxQueue tx = link.right().tx(0);
    private final RxQueue rx = link.right().rx(0);
    private final Burst sent = tx.burst();
    private final Burst come = rx.burst();

    HostStand(HostPortSettings settings, DatagramHandler handler) {
        host = new HostPort(link.left(), settings, () -> nanos);
        responder = new DatagramResponder(host.rx(0), host.tx(0), handler);
        told = host.tx(0).burst();
    }

    static HostStand answering() {
        HostPortSettings settings =
                new HostPortSettings(List.of(IPV4, IPV6), List.of(address("10.0.0.254")), List.of(PORT), 0, 64, null);
        return new HostStand(settings, (in, i, out) -> {
            Memory.copy(ANSWER, 0, out.room(), ANSWER.length);
            out.append(ANSWER.length, in, i);
        });
    }

    static InetAddress address(String text) {
        return InetAddress.ofLiteral(text);
    }

    /** Puts a frame on the link. */
    void send(byte[] frame) {
        assertThat(sent.hasRoom()).isTrue();
        Memory.copy(frame, 0, sent.room(), frame.length);
        sent.append(frame.length);
        assertThat(tx.send(sent)).isZero();
    }

    /** Has the host look at what has come, and gives what it sent. */
    List<byte[]> turn() {
        responder.work(0);
        return received();
    }

    List<byte[]> received() {
        List<byte[]> frames = new ArrayList<>();
        while (rx.receive(come) > 0) {
            for (int i = 0; i < come.count(); i++) {
                byte[] frame = new byte[come.length(i)];
                Memory.copy(come.offset(i), frame, 0, frame.length);
                frames.add(frame);
            }
        }
        return frames;
    }

    /** Has the host send a datagram to somebody. */
    void tell(InetAddress to, String what) {
        byte[] bytes = what.getBytes(StandardCharsets.US_ASCII);
        Memory.copy(bytes, 0, told.room(), bytes.length);
        told.append(bytes.length, Addresses.high(to), Addresses.low(to), PORT);
        assertThat(host.tx(0).send(told)).isZero();
    }

    /** Frames that are neither free nor at hand of a view; a view keeps 128 at most. */
    FramePool pool() {
        return link.pool();
    }

    @Override
    public void close() {
        host.close();
        link.close();
    }
}
