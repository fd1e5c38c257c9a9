package io.guidepost.scaffold.key;

import io.guidepost.base.Memory;
import io.guidepost.scaffold.wire.HostLocator;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.security.MessageDigest;

/**
 * What a stranger is given, and returns, to show that it receives at the address that it sends from: until then nothing is kept
 * of it. Belongs to one thread.
 *
 * <pre>
 *   0             8                                                                    24
 *  | seconds 8   | HMAC-SHA-256 of seconds, address 16, port 4 with a secret, first 16 |
 * </pre>
 */
public final class Cookie {
    /** Length of every cookie in bytes. */
    public static final int BYTES = 24;

    /** How long one is good: some retransmissions. */
    static final int SECONDS_MAX = 10;

    private final Seal seal = new Seal();
    private final byte[] secret;

    /** Creates cookies of a secret of 16 bytes or more, which all threads of a server share. */
    public Cookie(byte[] secret) {
        this.secret = secret.clone();
    }

    /** Returns the cookie of an address. */
    public byte[] of(HostLocator at, long nowSeconds) {
        byte[] text = ByteBuffer.allocate(3 * Long.BYTES + Integer.BYTES)
                .putLong(nowSeconds)
                .putLong(at.high())
                .putLong(at.low())
                .putInt(at.port())
                .array();
        byte[] sealed = seal.of(secret, MemorySegment.ofArray(text), 0, text.length);
        return ByteBuffer.allocate(BYTES).putLong(nowSeconds).put(sealed).array();
    }

    /** Returns whether bytes are a cookie that the address was given lately. */
    public boolean check(byte[] cookie, HostLocator at, long nowSeconds) {
        long seconds = cookie.length == BYTES ? Memory.longAt(cookie, 0) : Long.MAX_VALUE;
        return nowSeconds - seconds >= 0 && nowSeconds - seconds <= SECONDS_MAX && MessageDigest.isEqual(cookie, of(at, seconds));
    }
}
