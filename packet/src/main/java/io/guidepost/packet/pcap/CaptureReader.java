package io.guidepost.packet.pcap;

import io.guidepost.base.Memory;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * Iterates over the packets of a mapped capture file: {@code while (reader.next()) ...}. A fault of the file ends the
 * iteration and sets {@link #failure}: file, offset and what was wrong. A reader belongs to one thread; each thread
 * makes its own with {@link #another}, over the same mapping.
 *
 * <p>Only Ethernet is supported, as for all ports of frames.
 */
public abstract sealed class CaptureReader permits PcapReader, PcapngReader {
    /** Link type of Ethernet (tcpdump.org, LINKTYPE_ETHERNET). */
    static final int ETHERNET = 1;

    /** Bytes that a packet may claim; libpcap's own bound (MAXIMUM_SNAPLEN), and no link has longer frames. */
    static final int PACKET_BYTES_MAX = 262_144;

    private final Path file;

    /** Keeps the mapping alive as long as its readers. */
    private final MemorySegment mapping;

    private final long base;
    private final long size;
    private long at;
    private boolean little;
    private String failure = "";
    private long address;
    private int length;
    private int wireLength;
    private long timeNanos;

    CaptureReader(Path file, MemorySegment mapping) {
        this.file = file;
        this.mapping = mapping;
        this.base = mapping.address();
        this.size = mapping.byteSize();
    }

    /**
     * Maps a file and validates its beginning, up to the first packet.
     *
     * @throws IOException in one line: that it cannot be read, or FILE:OFFSET and what is wrong there
     */
    public static CaptureReader open(Path file) throws IOException {
        if (!Files.isReadable(file) || Files.isDirectory(file)) {
            throw new IOException(file + ": " + (Files.exists(file) ? "cannot be read as a file" : "there is no such file"));
        }
        CaptureReader reader = over(file, map(file));
        if (!reader.next() && !reader.failure().isEmpty()) {
            throw new IOException(reader.failure());
        }
        reader.rewind();
        return reader;
    }

    private static MemorySegment map(Path file) throws IOException {
        // An automatic arena: a reader stays valid after the port is closed.
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
            return channel.map(MapMode.READ_ONLY, 0, channel.size(), Arena.ofAuto());
        } catch (NoSuchFileException e) {
            throw new IOException(file + ": there is no such file", e);
        }
    }

    /** Returns a reader for bytes in memory; their magic number selects its class. */
    static CaptureReader over(Path file, MemorySegment bytes) throws IOException {
        if (bytes.byteSize() < 4) {
            throw new IOException(file + ":0: " + bytes.byteSize() + " bytes are no capture file");
        }
        int magic = Memory.i32(bytes.address());
        CaptureReader reader;
        if (magic == PcapngReader.SECTION) {
            reader = new PcapngReader(file, bytes);
        } else if (PcapReader.isMagic(magic) || PcapReader.isMagic(Integer.reverseBytes(magic))) {
            reader = new PcapReader(file, bytes);
        } else if (magic >>> 16 == 0x1f8b || magic == 0x28b5_2ffd) {
            throw new IOException(file + ":0: it is compressed; unpack it first");
        } else {
            throw new IOException(
                    file + ":0: it begins with 0x" + hex(magic) + "; a pcap file begins with a1b2c3d4 or a1b23c4d in"
                            + " either byte order, a pcapng file with 0a0d0d0a");
        }
        reader.rewind();
        return reader;
    }

    /** Returns a reader of the same mapping for another thread, at the beginning. */
    public final CaptureReader another() {
        CaptureReader other = this instanceof PcapngReader ? new PcapngReader(file, mapping) : new PcapReader(file, mapping);
        other.rewind();
        return other;
    }

    /**
     * Advances to the next packet; false at the end of the file, or at a truncated or malformed packet: see {@link
     * #failure}.
     */
    public abstract boolean next();

    /** Rewinds to before the first packet. */
    public final void rewind() {
        at = 0;
        failure = "";
        length = 0;
        timeNanos = 0;
        begin();
    }

    abstract void begin();

    /** Returns the address of the packet's bytes. */
    public final long address() {
        return address;
    }

    /** Returns the bytes of the packet in the file. */
    public final int length() {
        return length;
    }

    /** Returns the bytes that the packet had when it was captured, as many or more. */
    public final int wireLength() {
        return wireLength;
    }

    /** Returns the capture time in nanoseconds since 1970. */
    public final long timeNanos() {
        return timeNanos;
    }

    /** Returns the fault as FILE:OFFSET: WHAT; empty if there was none. */
    public final String failure() {
        return failure;
    }

    final void skip(long bytes) {
        at += bytes;
    }

    /** Returns the bytes from here to the end. */
    final long left() {
        return size - at;
    }

    final void order(boolean littleEndian) {
        little = littleEndian;
    }

    final int i32(int offset) {
        long from = base + at + offset;
        return little ? Memory.i32Le(from) : Memory.i32(from);
    }

    final int u16(int offset) {
        long from = base + at + offset;
        return little ? Memory.u16Le(from) : Memory.u16(from);
    }

    final int u8(int offset) {
        return Memory.u8(base + at + offset);
    }

    final long i64(int offset) {
        long from = base + at + offset;
        return little ? Memory.i64Le(from) : Memory.i64(from);
    }

    final boolean packet(int offset, int bytes, int wireBytes, long nanos) {
        address = base + at + offset;
        length = bytes;
        wireLength = wireBytes;
        timeNanos = nanos;
        return true;
    }

    final boolean failed(String what) {
        failure = file + ":" + at + ": " + what;
        at = size;
        return false;
    }

    static String hex(int number) {
        return String.format("%08x", number);
    }
}
