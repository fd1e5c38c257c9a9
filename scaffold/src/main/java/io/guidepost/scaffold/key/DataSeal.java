package io.guidepost.scaffold.key;

import io.guidepost.base.Memory;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import javax.crypto.Cipher;
import javax.crypto.SecretKey;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.SecretKeySpec;
import org.jspecify.annotations.Nullable;

/**
 * Seals packets of flows and opens them: AES-256-GCM (RFC 5116), with keys of a direction of an {@link Association}. Belongs to one
 * thread.
 *
 * <pre>
 *  0 header (12), authenticated   12 packet number (8)   20 packet, encrypted   tag (16)
 *
 *  nonce    0 zeros (4)   4 packet number (8)
 *  key n    HMAC-SHA-256 of "guidepost scaffold data" and n (8) with the key of the direction; n is the packet number >> 24
 * </pre>
 *
 * <p>The number says which key it is, so keys change without a word: after 2^24 packets, and after an hour, for which the sender leaves
 * out the numbers that are left. The receiver derives the next key when a packet of it comes, and takes those of the key before still.
 */
public final class DataSeal {
    /** By how much a packet is longer. */
    public static final int MORE_BYTES = Long.BYTES + 16;

    /** Where the encrypted packet begins. */
    public static final int PACKET_AT = 12 + Long.BYTES;

    static final int KEY_SHIFT = 24;

    private static final long KEY_NANOS = 3_600_000_000_000L;
    private static final int TAG_BYTES = 16;
    private static final int NONCE_BYTES = 12;
    private static final byte[] WORDS = "guidepost scaffold data".getBytes(StandardCharsets.US_ASCII);

    private final Cipher cipher;
    private final Seal seal = new Seal();
    private final byte[] nonce = new byte[NONCE_BYTES];
    private byte[] in = {};
    private byte[] out = {};

    /** What an association has of one direction. */
    static final class Keys {
        private final byte[] root;
        private long number = -1;
        private long begunNanos;
        private @Nullable SecretKey key;
        private long otherNumber = -1;
        private @Nullable SecretKey other;

        Keys(byte[] root) {
            this.root = root;
        }
    }

    /** Creates what one thread needs. */
    public DataSeal() {
        try {
            cipher = Cipher.getInstance("AES/GCM/NoPadding");
        } catch (GeneralSecurityException e) {
            throw new AssertionError("the JDK's own provider has AES-GCM", e);
        }
    }

    /** Returns a key; two are remembered, so that packets around a change derive none. */
    private SecretKey key(Keys keys, long number) {
        SecretKey there = keys.number == number ? keys.key : keys.otherNumber == number ? keys.other : null;
        if (there != null) {
            return there;
        }
        ByteBuffer text = ByteBuffer.allocate(WORDS.length + Long.BYTES).put(WORDS).putLong(number).flip();
        SecretKey next = new SecretKeySpec(seal.whole(keys.root, text), "AES");
        keys.otherNumber = keys.number;
        keys.other = keys.key;
        keys.number = number;
        keys.key = next;
        return next;
    }

    /** Encrypts or decrypts bytes of {@code in} to {@code out}; returns how many, -1 if they are not authentic. */
    private int run(int mode, SecretKey key, long number, long header, int bytes) {
        if (out.length < bytes + TAG_BYTES) {
            out = new byte[bytes + TAG_BYTES];
        }
        Memory.longAt(nonce, NONCE_BYTES - Long.BYTES, number);
        try {
            cipher.init(mode, key, new GCMParameterSpec(8 * TAG_BYTES, nonce));
            cipher.updateAAD(Memory.read(header, PACKET_AT - Long.BYTES));
            return cipher.doFinal(in, 0, bytes, out);
        } catch (GeneralSecurityException e) {
            return -1;
        }
    }

    private void read(long from, int bytes) {
        if (in.length < bytes) {
            in = new byte[bytes];
        }
        MemorySegment.copy(Memory.ALL, Memory.BYTE, from, in, 0, bytes);
    }

    /**
     * Seals a packet behind a header that is there.
     *
     * @param header address of the header, with room for all behind it
     * @param packet its address
     * @return the length of all
     */
    public int put(Association with, long header, long packet, int length, long nowNanos) {
        Keys keys = with.dataSends;
        if (keys.begunNanos == 0) {
            keys.begunNanos = nowNanos;
        }
        boolean old = nowNanos - keys.begunNanos >= KEY_NANOS;
        long number = with.nextDataNumber(old);
        if (old || number >>> KEY_SHIFT != keys.number) {
            keys.begunNanos = nowNanos;
        }
        read(packet, length);
        int sealed = run(Cipher.ENCRYPT_MODE, key(keys, number >>> KEY_SHIFT), number, header, length);
        if (sealed != length + TAG_BYTES) {
            throw new AssertionError("a packet was not encrypted");
        }
        Memory.put64(header + PACKET_AT - Long.BYTES, number);
        Memory.copy(out, 0, header + PACKET_AT, sealed);
        return PACKET_AT + sealed;
    }

    /** Opens a packet in its place; returns its length, -1 if it is not authentic, or was taken before. */
    public int open(Association with, long header, int length) {
        int sealed = length - PACKET_AT;
        if (sealed <= TAG_BYTES) {
            return -1;
        }
        long number = Memory.i64(header + PACKET_AT - Long.BYTES);
        Keys keys = with.dataHears;
        if (!with.isNewData(number)) {
            return -1;
        }
        read(header + PACKET_AT, sealed);
        SecretKey key = key(keys, number >>> KEY_SHIFT);
        int bytes = run(Cipher.DECRYPT_MODE, key, number, header, sealed);
        if (bytes < 0) {
            return -1;
        }
        with.takeData(number);
        Memory.copy(out, 0, header + PACKET_AT, bytes);
        return bytes;
    }
}
