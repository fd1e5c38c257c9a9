package io.guidepost.packet.pcap;

import java.nio.channels.FileChannel;
import java.nio.file.Path;

/** Writes the classic format with nanoseconds; drawn at {@link PcapReader}. */
final class PcapWriter extends CaptureWriter {
    PcapWriter(Path file, FileChannel channel) {
        super(file, channel);
    }

    @Override
    void begin(String name, byte[] comment) {
        put32(PcapReader.NANOSECONDS);
        put16(2);
        put16(4);
        put32(0);
        put32(0);
        put32(CaptureReader.PACKET_BYTES_MAX);
        put32(CaptureReader.ETHERNET);
    }

    @Override
    void put(long packet, int length, int wireLength, long timeNanos, String comment) {
        put32((int) (timeNanos / 1_000_000_000));
        put32((int) (timeNanos % 1_000_000_000));
        put32(length);
        put32(wireLength);
        putPacket(packet, length);
    }
}
