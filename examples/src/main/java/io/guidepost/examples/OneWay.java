package io.guidepost.examples;

import io.guidepost.packet.Burst;
import io.guidepost.packet.backend.Middlebox;
import io.guidepost.packet.frame.HeaderParser;
import io.guidepost.packet.worker.FrameHandler;

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

    /** Runs until it is told to end: {@code OneWay xdp:eth0 xdp:eth1}. */
    public static void main(String[] ports) throws Exception {
        try (Middlebox box = Middlebox.join(ports[0], ports[1], OneWay::new, () -> PASS_ALL)) {
            box.await();
        }
    }
}
// end
