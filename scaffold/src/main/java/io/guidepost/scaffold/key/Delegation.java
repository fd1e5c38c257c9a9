package io.guidepost.scaffold.key;

import io.guidepost.base.Malformed;
import io.guidepost.names.Guid;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.Signature;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * That an object's key lets a host serve the object, until a time. Immutable; equal to those of the same bytes.
 *
 * <pre>
 *   0               32             52                 60             124
 *  | object key 32 | host GUID 20 | expiry, seconds 8 | signature 64 |
 * </pre>
 *
 * <p>Signed (Ed25519, RFC 8032) are the words "guidepost scaffold delegation" and the first 60 bytes.
 */
public final class Delegation {
    /** Length of every delegation in bytes. */
    public static final int BYTES = 124;

    private static final byte[] WORDS = "guidepost scaffold delegation".getBytes(StandardCharsets.US_ASCII);
    private static final int SIGNATURE_BYTES = 64;
    private static final int INSTANCE_TEXT_BYTES = 2 * Guid.BYTES + 3;
    private static final int SIGNED_BYTES = BYTES - SIGNATURE_BYTES;

    private final Guid object;
    private final byte[] objectKey;
    private final Guid host;
    private final long expirySeconds;
    private final byte[] signature;

    Delegation(Guid object, byte[] objectKey, Guid host, long expirySeconds, byte[] signature) {
        this.object = object;
        this.objectKey = objectKey;
        this.host = host;
        this.expirySeconds = expirySeconds;
        this.signature = signature;
    }

    /**
     * Reads one; its signature is not looked at yet.
     *
     * @throws Malformed if there are not 124 bytes
     */
    public static Delegation read(byte[] bytes) throws Malformed {
        if (bytes.length != BYTES) {
            throw new Malformed("a delegation has " + BYTES + " bytes, not " + bytes.length, bytes.length);
        }
        byte[] key = Arrays.copyOf(bytes, RawKeys.BYTES);
        Guid host = Guid.read(MemorySegment.ofArray(bytes), RawKeys.BYTES);
        long expiry = ByteBuffer.wrap(bytes).getLong(RawKeys.BYTES + Guid.BYTES);
        return new Delegation(RawKeys.guid(key), key, host, expiry, Arrays.copyOfRange(bytes, SIGNED_BYTES, BYTES));
    }

    static byte[] text(byte[] objectKey, Guid host, long expirySeconds) {
        byte[] text = new byte[WORDS.length + SIGNED_BYTES];
        ByteBuffer.wrap(text).put(WORDS).put(objectKey).putLong(text.length - Long.BYTES, expirySeconds);
        host.write(MemorySegment.ofArray(text), WORDS.length + RawKeys.BYTES);
        return text;
    }

    /** Returns the bytes that {@link #read} takes. */
    public byte[] bytes() {
        byte[] signed = text(objectKey, host, expirySeconds);
        return ByteBuffer.allocate(BYTES)
                .put(signed, WORDS.length, SIGNED_BYTES)
                .put(signature)
                .array();
    }

    /** Returns the GUID of the object, the hash of the key. */
    public Guid object() {
        return object;
    }

    /** Returns the host that may serve it. */
    public Guid host() {
        return host;
    }

    /** Returns the GUID of an instance at the host: the hash of the object, the host, the protocol and the port. */
    public Guid instance(int protocol, int port) {
        byte[] text = ByteBuffer.allocate(INSTANCE_TEXT_BYTES)
                .put(object.toBytes())
                .put(host.toBytes())
                .put((byte) protocol)
                .putShort((short) port)
                .array();
        return RawKeys.guid(text);
    }

    /** Returns until when, in seconds since 1970. */
    public long expirySeconds() {
        return expirySeconds;
    }

    /** Returns whether the object's key has signed this. Takes some 0.65 ms: what was found right is to be remembered. */
    public boolean isSigned() {
        try {
            Signature check = Signature.getInstance("Ed25519");
            check.initVerify(RawKeys.signatureKey(objectKey));
            check.update(text(objectKey, host, expirySeconds));
            return check.verify(signature);
        } catch (GeneralSecurityException | Malformed e) {
            return false;
        }
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof Delegation that && Arrays.equals(bytes(), that.bytes());
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(signature);
    }
}
