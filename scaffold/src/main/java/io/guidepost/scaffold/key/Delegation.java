package io.guidepost.scaffold.key;

import io.guidepost.base.Malformed;
import io.guidepost.base.Memory;
import io.guidepost.names.Guid;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.security.Signature;
import java.security.SignatureException;
import java.util.Arrays;
import java.util.Base64;
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
    private static final int EXPIRY = RawKeyPair.BYTES + Guid.BYTES;
    private static final int SIGNED_BYTES = EXPIRY + Long.BYTES;
    private static final int WARM_UPS = 5;

    private final byte[] bytes;
    private final Guid object;
    private final Guid host;

    private Delegation(byte[] bytes) {
        this.bytes = bytes;
        this.object = RawKeyPair.guid(Arrays.copyOf(bytes, RawKeyPair.BYTES));
        this.host = Guid.of(Arrays.copyOfRange(bytes, RawKeyPair.BYTES, EXPIRY));
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
        return new Delegation(bytes.clone());
    }

    /** Reads one that says that a host may serve an object, and still holds; null if it is none. Its signature is not looked at yet. */
    public static @Nullable Delegation shown(byte[] bytes, Guid object, Guid host, long nowSeconds) {
        Delegation read = bytes.length == BYTES ? new Delegation(bytes.clone()) : null;
        boolean right = read != null && read.object.equals(object) && read.host.equals(host) && read.expirySeconds() > nowSeconds;
        return right ? read : null;
    }

    /**
     * Reads the text that {@link #toString} makes.
     *
     * @throws Malformed if it is none
     */
    public static Delegation parse(String text) throws Malformed {
        try {
            return read(Base64.getMimeDecoder().decode(text));
        } catch (IllegalArgumentException e) {
            throw new Malformed("this is not base 64", 0);
        }
    }

    static Delegation sign(byte[] objectKey, Guid host, long expirySeconds, Signature signature) throws SignatureException {
        ByteBuffer text = ByteBuffer.allocate(BYTES).put(objectKey).put(host.toBytes()).putLong(expirySeconds);
        signature.update(WORDS);
        signature.update(text.array(), 0, SIGNED_BYTES);
        return new Delegation(text.put(signature.sign()).array());
    }

    /** Returns the bytes that {@link #read} takes. */
    public byte[] bytes() {
        return bytes.clone();
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
        return RawKeyPair.guid(ByteBuffer.allocate(2 * Guid.BYTES + 3)
                .put(object.toBytes())
                .put(host.toBytes())
                .put((byte) protocol)
                .putShort((short) port)
                .array());
    }

    /** Returns until when, in seconds since 1970. */
    public long expirySeconds() {
        return Memory.longAt(bytes, EXPIRY);
    }

    /** Returns whether the object's key has signed this. Takes some 0.65 ms: what was found right is to be remembered. */
    public boolean isSigned() {
        try {
            Signature check = Signature.getInstance(RawKeyPair.ED25519);
            check.initVerify(RawKeyPair.publicKey(RawKeyPair.ED25519, Arrays.copyOf(bytes, RawKeyPair.BYTES)));
            check.update(WORDS);
            check.update(bytes, 0, SIGNED_BYTES);
            return check.verify(bytes, SIGNED_BYTES, BYTES - SIGNED_BYTES);
        } catch (GeneralSecurityException | Malformed e) {
            return false;
        }
    }

    /**
     * Checks a signature of its own a few times. The first one that a JVM checks takes 20 ms of its processor, the fifth 2: that is to be
     * over before a connection waits for it.
     */
    public static void warmUp(SecureRandom random) {
        Delegation own = ObjectKey.generate(random).delegate(HostKey.generate(random).guid(), 0);
        for (int i = 0; i < WARM_UPS; i++) {
            if (!own.isSigned()) {
                throw new AssertionError("the JDK refuses a signature of its own");
            }
        }
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof Delegation that && Arrays.equals(bytes, that.bytes);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(bytes);
    }

    /** Returns its bytes in base 64. */
    @Override
    public String toString() {
        return Base64.getEncoder().encodeToString(bytes);
    }
}
