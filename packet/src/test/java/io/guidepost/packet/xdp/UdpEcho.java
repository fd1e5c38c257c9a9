package io.guidepost.packet.xdp;

import io.guidepost.base.Memory;
import io.guidepost.packet.Burst;
import io.guidepost.packet.frame.HeaderParser;
import io.guidepost.packet.frame.InternetChecksum;
import io.guidepost.packet.worker.DatagramHandler;
import java.util.concurrent.atomic.AtomicLong;

/** Sends every UDP datagram back to where it came from, in the frame that it came in; counts what is not one. */
final class UdpEcho implements DatagramHandler {
    private final HeaderParser headers = new HeaderParser();
    private final AtomicLong others = new AtomicLong();

    @Override
    public void packet(Burst in, int index, Burst out) {
        if (!headers.read(in, index) || headers.protocol() != HeaderParser.UDP || headers.transportOffset() < 0) {
            others.incrementAndGet();
            return;
        }
        long at = in.offset(index);
        swap(at, at + 6, 6);
        int network = headers.networkOffset();
        int transport = headers.transportOffset();
        int bytes = headers.networkEnd() - transport;
        long sum;
        if (headers.isIpv4()) {
            swap(at + network + 12, at + network + 16, 4);
            sum = InternetChecksum.pseudoIpv4(
                    (int) headers.sourceLow(), (int) headers.destinationLow(), HeaderParser.UDP, bytes);
        } else {
            swap(at + network + 8, at + network + 24, 16);
            sum = InternetChecksum.pseudoIpv6(
                    headers.sourceHigh(),
                    headers.sourceLow(),
                    headers.destinationHigh(),
                    headers.destinationLow(),
                    HeaderParser.UDP,
                    bytes);
        }
        swap(at + transport, at + transport + 2, 2);
        // The sender left its checksum to a device that does not exist.
        Memory.put16(at + transport + 6, 0);
        int checksum = InternetChecksum.fold(InternetChecksum.add(sum, at + transport, bytes));
        Memory.put16(at + transport + 6, checksum == 0 ? 0xffff : checksum);
        out.take(in, index);
    }

    private static void swap(long one, long other, int bytes) {
        for (int i = 0; i < bytes; i++) {
            int kept = Memory.u8(one + i);
            Memory.put8(one + i, Memory.u8(other + i));
            Memory.put8(other + i, kept);
        }
    }

    /** Frames that were no UDP datagrams. */
    long others() {
        return others.get();
    }
}
