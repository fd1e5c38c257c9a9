package io.guidepost.bench.packet;

import io.guidepost.base.Memory;
import io.guidepost.packet.Burst;
import io.guidepost.packet.Port;
import io.guidepost.packet.PortLayer;
import io.guidepost.packet.RxQueue;
import io.guidepost.packet.TxQueue;
import io.guidepost.packet.backend.FramePortOpener;
import io.guidepost.packet.udp.SegmentationOffload;
import io.guidepost.packet.udp.UdpPorts;
import io.guidepost.packet.udp.UdpSettings;
import io.guidepost.packet.worker.DatagramHandler;
import io.guidepost.packet.worker.DatagramResponder;
import io.guidepost.packet.worker.DutyCycle;
import io.guidepost.packet.worker.Worker;
import io.guidepost.packet.worker.WorkerSettings;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.concurrent.TimeUnit;

/**
 * A UDP echo server over IPv4: at layer 2 on a port of frames, as {@code xdp_responder.c} does, or with a kernel
 * socket.
 */
final class FrameEcho implements DutyCycle {
    private static final int HEADERS_BYTES = 42;

    /** EtherType IPv4, version 4, header of 20 bytes; and the mask of these four bytes. */
    private static final int IPV4 = 0x0800_4500;

    private static final int IPV4_MASK = 0xffff_ff00;
    private static final int UDP = 17;
    private static final int DATAGRAM_BYTES_MAX = 2048;

    private final RxQueue rx;
    private final TxQueue tx;
    private final Burst in;
    private final Burst out;

    FrameEcho(RxQueue rx, TxQueue tx) {
        this.rx = rx;
        this.tx = tx;
        this.in = rx.burst();
        this.out = tx.burst();
    }

    /**
     * Runs until it is killed: {@code PORT SPIN}, a port of frames or udp:IP:NUMBER, and the spin time in microseconds.
     */
    public static void main(String[] arguments) throws IOException, InterruptedException {
        Port port = open(arguments[0]);
        long spinNanos = TimeUnit.MICROSECONDS.toNanos(Long.parseLong(arguments[1]));
        Worker worker = new Worker(WorkerSettings.of("echo").withWaiting(spinNanos, 0, 100));
        worker.watch(port.rx(0)).add(duty(port)).start();
        Runtime.getRuntime().addShutdownHook(new Thread(() -> {
            worker.close();
            port.close();
        }));
        System.out.println("ready");
        Thread.currentThread().join();
    }

    private static Port open(String name) throws IOException {
        if (!name.startsWith("udp:")) {
            return FramePortOpener.open(name);
        }
        int colon = name.lastIndexOf(':');
        InetSocketAddress address = new InetSocketAddress(
                InetAddress.ofLiteral(name.substring(4, colon)), Integer.parseInt(name.substring(colon + 1)));
        return UdpPorts.open(UdpSettings.of(address)
                .withSegmentationOffload(SegmentationOffload.OFF)
                .withDatagramBytesMax(DATAGRAM_BYTES_MAX));
    }

    private static DutyCycle duty(Port port) {
        DatagramHandler copy = (in, i, out) -> {
            int length = in.length(i);
            MemorySegment.copy(in.segment(), in.offset(i), out.segment(), out.room(), length);
            out.append(length, in, i);
        };
        return port.layer() == PortLayer.FRAME
                ? new FrameEcho(port.rx(0), port.tx(0))
                : new DatagramResponder(port.rx(0), port.tx(0), copy);
    }

    @Override
    public int work(long nowMillis) {
        int number = rx.receive(in);
        for (int i = 0; i < number; i++) {
            if (isUdp(in.offset(i), in.length(i))) {
                turn(in.offset(i));
                out.take(in, i);
            }
        }
        if (out.count() > 0 && tx.send(out) > 0) {
            tx.drop(out);
        }
        return number;
    }

    private static boolean isUdp(long at, int length) {
        return length >= HEADERS_BYTES && (Memory.i32(at + 12) & IPV4_MASK) == IPV4 && Memory.u8(at + 23) == UDP;
    }

    /** Swaps Ethernet addresses, IP addresses and ports, which changes no checksum. */
    private static void turn(long at) {
        long low = Memory.i64Le(at);
        int high = Memory.i32Le(at + 8);
        Memory.put64Le(at, low >>> 48 | (high & 0xffff_ffffL) << 16 | low << 48);
        Memory.put32Le(at + 8, (int) (low >>> 16));
        Memory.put64Le(at + 26, Long.rotateLeft(Memory.i64Le(at + 26), 32));
        Memory.put32Le(at + 34, Integer.rotateLeft(Memory.i32Le(at + 34), 16));
    }
}
