package io.guidepost.packet.pcap;

import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;

/** Writes pcapng: one section, one interface with a resolution of nanoseconds; drawn at {@link PcapngReader}. */
final class PcapngWriter extends CaptureWriter {
    private static final int COMMENT = 1;
    private static final int SECTION_APPLICATION = 4;
    private static final int INTERFACE_NAME = 2;
    private static final int NAME_BYTES_MAX = 256;
    private static final byte[] NOTHING = {};

    PcapngWriter(Path file, FileChannel channel) {
        super(file, channel);
    }

    @Override
    void begin(String name, byte[] comment) {
        byte[] application = "guidepost".getBytes(StandardCharsets.UTF_8);
        int section = 28 + optionBytes(application) + optionBytes(comment) + 4;
        put32(PcapngReader.SECTION);
        put32(section);
        put32(PcapngReader.ORDER);
        put16(1);
        put16(0);
        // The section's length is unknown: -1.
        put32(-1);
        put32(-1);
        option(COMMENT, comment);
        option(SECTION_APPLICATION, application);
        put32(0);
        put32(section);

        byte[] bytes = name.getBytes(StandardCharsets.UTF_8);
        byte[] shown = Arrays.copyOf(bytes, Math.min(bytes.length, NAME_BYTES_MAX));
        int description = 20 + optionBytes(shown) + 8 + 4;
        put32(PcapngReader.INTERFACE);
        put32(description);
        put16(CaptureReader.ETHERNET);
        put16(0);
        put32(CaptureReader.PACKET_BYTES_MAX);
        option(INTERFACE_NAME, shown);
        option(PcapngReader.RESOLUTION, new byte[] {9});
        put32(0);
        put32(description);
    }

    @Override
    void put(long packet, int length, int wireLength, long timeNanos, String comment) {
        byte[] note = comment.isEmpty() ? NOTHING : cut(comment);
        int options = note.length == 0 ? 0 : optionBytes(note) + 4;
        int bytes = 32 + (length + 3 & ~3) + options;
        put32(PcapngReader.PACKET);
        put32(bytes);
        put32(0);
        put32((int) (timeNanos >>> 32));
        put32((int) timeNanos);
        put32(length);
        put32(wireLength);
        putPacket(packet, length);
        pad(length);
        if (options > 0) {
            option(COMMENT, note);
            put32(0);
        }
        put32(bytes);
    }

    private static int optionBytes(byte[] value) {
        return value.length == 0 ? 0 : 4 + (value.length + 3 & ~3);
    }

    private void option(int code, byte[] value) {
        if (value.length > 0) {
            put16(code);
            put16(value.length);
            putBytes(value);
            pad(value.length);
        }
    }
}
