package io.guidepost.proximity.bgp;

import io.guidepost.base.Address;
import io.guidepost.base.Malformed;

/** A reader of untrusted bytes: every step checks first that enough bytes are left. */
final class BgpCursor {
    final byte[] bytes;
    final int end;
    private int at;

    /** Creates a reader of the bytes between two offsets. */
    BgpCursor(byte[] bytes, int from, int to) {
        this.bytes = bytes;
        this.at = from;
        this.end = to;
    }

    int at() {
        return at;
    }

    int left() {
        return end - at;
    }

    private int take(int count, String what) throws Malformed {
        if (count > end - at) {
            throw new Malformed(what + " needs " + count + " bytes, and " + (end - at) + " are left", at);
        }
        int taken = at;
        at += count;
        return taken;
    }

    void skip(int count, String what) throws Malformed {
        take(count, what);
    }

    int u8(String what) throws Malformed {
        return bytes[take(1, what)] & 0xff;
    }

    int u16(String what) throws Malformed {
        int from = take(2, what);
        return (bytes[from] & 0xff) << 8 | bytes[from + 1] & 0xff;
    }

    int i32(String what) throws Malformed {
        int from = take(4, what);
        return bytes[from] << 24
                | (bytes[from + 1] & 0xff) << 16
                | (bytes[from + 2] & 0xff) << 8
                | bytes[from + 3] & 0xff;
    }

    long u32(String what) throws Malformed {
        return i32(what) & 0xffffffffL;
    }

    long i64(String what) throws Malformed {
        long high = u32(what);
        return high << 32 | u32(what);
    }

    /** Reads an address of 4 or 16 bytes. */
    Address address(boolean ipv4, String what) throws Malformed {
        return ipv4 ? Address.ofIpv4(i32(what)) : new Address(i64(what), i64(what));
    }

    /** Returns the next bytes as a reader of their own; this one goes on after them. */
    BgpCursor part(int count, String what) throws Malformed {
        int from = take(count, what);
        return new BgpCursor(bytes, from, from + count);
    }

    /** Returns a copy, to look ahead. */
    BgpCursor copy() {
        return new BgpCursor(bytes, at, end);
    }
}
