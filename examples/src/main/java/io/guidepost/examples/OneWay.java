package io.guidepost.examples;

import io.guidepost.packet.Burst;
import io.guidepost.packet.Port;
import io.guidepost.packet.backend.FramePortOpener;
import io.guidepost.packet.frame.HeaderParser;
import io.guidepost.packet.worker.FrameForwarder;
import io.guidepost.packet.worker.FrameHandler;
import io.guidepost.packet.worker.TxBuffer;
import io.guidepost.packet.worker.Worker;
import io.guidepost.packet.worker.WorkerSettings;

// snippet: middlebox
/** A middlebox: joins two ports, and denies the outside TCP connections and UDP ports below 1024. */
public final class OneWay implements FrameHandler {
    private static final int SYN_WITHOUT_ACK = 0x02;
    private static final int SYN_AND_ACK = 0x12;

    private final HeaderParser headers = new HeaderParser();

    @Override
    public int frame(Burst in, int index) {
        if (!headers.read(in, index)) {
            return REFUSE;
        }
        return switch (headers.protocol()) {
            case HeaderParser.TCP -> isOpening() ? REFUSE : 0;
            case HeaderParser.UDP -> headers.destinationPort() < 1024 ? REFUSE : 0;
            default -> 0;
        };
    }

    private boolean isOpening() {
        int flags = headers.transportOffset() < 0 ? 0 : headers.frame().u8(headers.transportOffset() + 13);
        return (flags & SYN_AND_ACK) == SYN_WITHOUT_ACK;
    }

    /** Runs until it is killed: {@code OneWay xdp:eth0 xdp:eth1}. */
    public static void main(String[] ports) throws Exception {
        try (Port outside = FramePortOpener.open(ports[0]);
                Port inside = FramePortOpener.open(ports[1]);
                Worker worker = join(outside, inside)) {
            worker.start();
            Thread.currentThread().join();
        }
    }

    static Worker join(Port outside, Port inside) {
        return new Worker(WorkerSettings.of("one-way"))
                .watch(outside.rx(0))
                .add(new FrameForwarder(outside.rx(0), new OneWay(), new TxBuffer(inside.tx(0))))
                .watch(inside.rx(0))
                .add(new FrameForwarder(inside.rx(0), (in, index) -> 0, new TxBuffer(outside.tx(0))));
    }
}
// end
