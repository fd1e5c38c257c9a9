package io.guidepost.scaffold.key;

import io.guidepost.base.Memory;
import io.guidepost.scaffold.wire.ControlMessage;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.Arrays;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * Seals control messages and checks seals: the first 16 bytes of HMAC-SHA-256 (RFC 2104) over all that stands before, with the
 * key of a direction of an {@link Association}. Belongs to one thread.
 */
public final class Seal {
    private static final String ALGORITHM = "HmacSHA256";

    private final Mac mac;

    /** Creates what one thread needs. */
    public Seal() {
        try {
            mac = Mac.getInstance(ALGORITHM);
        } catch (GeneralSecurityException e) {
            throw new AssertionError("the JDK's own provider has " + ALGORITHM, e);
        }
    }

    /** Writes the seal behind a message of {@code length} bytes, where there is room for it; returns the new length. */
    public int put(Association association, MemorySegment segment, long at, int length) {
        MemorySegment.copy(of(association.sends, segment, at, length), 0, segment, Memory.BYTE, at + length, ControlMessage.SEAL_BYTES);
        return length + ControlMessage.SEAL_BYTES;
    }

    /** Returns whether a message is from the other host of an association, and is heard for the first time. */
    public boolean check(Association association, ControlMessage message) {
        long sequence = Integer.toUnsignedLong(message.sequence());
        int bare = message.length() - ControlMessage.SEAL_BYTES;
        if (!association.window.isNew(sequence)) {
            return false;
        }
        byte[] there = message.segment().asSlice(message.offset() + bare, ControlMessage.SEAL_BYTES).toArray(Memory.BYTE);
        return MessageDigest.isEqual(there, of(association.hears, message.segment(), message.offset(), bare))
                && association.take(sequence);
    }

    /** Returns the seal of bytes with a key of any length. */
    byte[] of(byte[] key, MemorySegment segment, long at, int length) {
        return Arrays.copyOf(whole(key, segment.asSlice(at, length).asByteBuffer()), ControlMessage.SEAL_BYTES);
    }

    /** Returns all 32 bytes of the HMAC. */
    byte[] whole(byte[] key, ByteBuffer text) {
        try {
            mac.init(new SecretKeySpec(key, ALGORITHM));
        } catch (GeneralSecurityException e) {
            throw new AssertionError(ALGORITHM + " takes any key", e);
        }
        mac.update(text);
        return mac.doFinal();
    }
}
