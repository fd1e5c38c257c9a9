package io.guidepost.packet.frame;

import io.guidepost.base.Memory;
import java.lang.foreign.Arena;
import java.util.HexFormat;

/** Bytes of tests: written as hexadecimal digits with spaces, put into memory, and read back. */
final class Bytes {
    /** UDP in IPv4, ports 5001 to 5000, two bytes of payload; all checksums right. */
    static final String UDP4 = "020000000001 020000000002 0800"
            + " 4500001e 00004000 401126cd 0a000001 0a000002 1389 1388 000a 5c5d 6869";

    private static final Bytes SCRATCH = room(4096);

    private final byte[] bytes;
    final long address;

    private Bytes(byte[] bytes) {
        this.bytes = bytes;
        this.address = Arena.global().allocate(Math.max(1, bytes.length)).address();
    }

    static Bytes of(String hex) {
        byte[] all = HexFormat.of().parseHex(hex.replace(" ", ""));
        Bytes made = new Bytes(all);
        Memory.copy(all, 0, made.address, all.length);
        return made;
    }

    /** Puts bytes into memory that is used for the next ones too. */
    static Bytes scratch(byte[] bytes) {
        Memory.copy(bytes, 0, SCRATCH.address, bytes.length);
        return SCRATCH;
    }

    /** Reads as many bytes as there is room for. */
    void read(byte[] into) {
        Memory.copy(address, into, 0, into.length);
    }

    static Bytes room(int length) {
        return new Bytes(new byte[length]);
    }

    int length() {
        return bytes.length;
    }

    String hex() {
        return hex(address, bytes.length);
    }

    static String hex(long address, int length) {
        byte[] read = new byte[length];
        Memory.copy(address, read, 0, length);
        return HexFormat.of().formatHex(read);
    }
}
