package io.guidepost.packet.pcap;

import io.guidepost.base.Memory;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;

/**
 * Writes packets to a capture file through a buffer, flushed when it is full, on request, and at the end. Several
 * threads may each have a writer of one file: whole packets are written at once, those of one writer in order. Times
 * are nanoseconds since 1970, numbers are in the processor's byte order, as both formats allow.
 *
 * <p>The file name selects the format: {@code .pcap} is the classic one, all others are pcapng.
 */
public abstract sealed class CaptureWriter implements AutoCloseable permits PcapWriter, PcapngWriter {
    /** Bytes of the buffer: four times the longest packet, which amortises the write. */
    private static final int BUFFER_BYTES = 4 * CaptureReader.PACKET_BYTES_MAX;

    /** Bytes of a comment: an option's length field has 16 bits, and people read it. */
    private static final int COMMENT_BYTES_MAX = 1_024;

    private final Path file;
    private final FileChannel channel;
    private final ByteBuffer buffer;
    private final long address;
    private int used;

    CaptureWriter(Path file, FileChannel channel) {
        this.file = file;
        this.channel = channel;
        MemorySegment memory = Arena.ofAuto().allocate(BUFFER_BYTES, Long.BYTES);
        this.buffer = memory.asByteBuffer().order(ByteOrder.nativeOrder());
        this.address = memory.address();
    }

    /**
     * Creates or truncates a file.
     *
     * @param name source of the packets, for people
     * @param comment about the file, empty for none; the classic format omits both
     * @throws IOException if it cannot be written
     */
    public static CaptureWriter create(Path file, String name, String comment) throws IOException {
        FileChannel channel;
        try {
            channel = FileChannel.open(
                    file, StandardOpenOption.CREATE, StandardOpenOption.WRITE, StandardOpenOption.TRUNCATE_EXISTING);
        } catch (IOException e) {
            throw new IOException(file + ": cannot be written: " + e.getMessage(), e);
        }
        CaptureWriter writer =
                file.toString().endsWith(".pcap") ? new PcapWriter(file, channel) : new PcapngWriter(file, channel);
        writer.begin(name, cut(comment));
        writer.flush();
        return writer;
    }

    /** Returns another writer of the same file, for another thread. */
    public final CaptureWriter another() {
        return this instanceof PcapngWriter ? new PcapngWriter(file, channel) : new PcapWriter(file, channel);
    }

    abstract void begin(String name, byte[] comment);

    /**
     * Writes a packet.
     *
     * @param packet its address
     * @param length its bytes, 262,144 at most
     * @throws IOException if the file cannot be written
     */
    public final void write(long packet, int length, long timeNanos) throws IOException {
        write(packet, length, length, timeNanos, "");
    }

    /**
     * Writes a truncated packet with a comment.
     *
     * @param wireLength its original bytes, as many or more
     * @param comment for people, 1,024 bytes at most; the classic format omits it
     * @throws IOException if the file cannot be written
     */
    public final void write(long packet, int length, int wireLength, long timeNanos, String comment) throws IOException {
        if (length < 0 || length > CaptureReader.PACKET_BYTES_MAX) {
            throw new IllegalArgumentException(
                    "a packet of " + length + " bytes; the bound is " + CaptureReader.PACKET_BYTES_MAX);
        }
        if (used + length + 2 * COMMENT_BYTES_MAX > BUFFER_BYTES) {
            flush();
        }
        put(packet, length, wireLength, timeNanos, comment);
    }

    abstract void put(long packet, int length, int wireLength, long timeNanos, String comment);

    /**
     * Flushes the buffer.
     *
     * @throws IOException if the file cannot be written; what was in the buffer is lost
     */
    public final void flush() throws IOException {
        buffer.clear().limit(used);
        used = 0;
        try {
            // One writer's packets must not interleave with halves of another's.
            synchronized (channel) {
                while (buffer.hasRemaining()) {
                    channel.write(buffer);
                }
            }
        } catch (IOException e) {
            throw new IOException(file + ": cannot be written: " + e.getMessage(), e);
        }
    }

    /** Flushes the buffer and closes the file; other writers of it must have been flushed. */
    @Override
    public final void close() throws IOException {
        if (channel.isOpen()) {
            try {
                flush();
            } finally {
                channel.close();
            }
        }
    }

    static byte[] cut(String comment) {
        byte[] bytes = comment.getBytes(StandardCharsets.UTF_8);
        if (bytes.length <= COMMENT_BYTES_MAX) {
            return bytes;
        }
        // Not inside of a UTF-8 character: bytes that begin with 10 continue one.
        int end = COMMENT_BYTES_MAX;
        while ((bytes[end] & 0xc0) == 0x80) {
            end--;
        }
        return Arrays.copyOf(bytes, end);
    }

    final void put32(int value) {
        Memory.put32Le(address + used, value);
        used += 4;
    }

    final void put16(int value) {
        Memory.put16Le(address + used, value);
        used += 2;
    }

    final void putBytes(byte[] bytes) {
        Memory.copy(bytes, 0, address + used, bytes.length);
        used += bytes.length;
    }

    final void putPacket(long packet, int length) {
        Memory.copy(packet, address + used, length);
        used += length;
    }

    /** Pads with zeros to a multiple of four bytes. */
    final void pad(int length) {
        for (int i = length; i % 4 != 0; i++) {
            Memory.put8(address + used, 0);
            used++;
        }
    }
}
