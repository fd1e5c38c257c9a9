package io.guidepost.handle.authentication;

import io.guidepost.base.Malformed;
import io.guidepost.handle.Handle;
import io.guidepost.handle.HandleLimits;
import io.guidepost.handle.WireReader;
import io.guidepost.handle.WireWriter;
import io.guidepost.handle.message.HandleEnvelope;
import io.guidepost.handle.message.HandleMessage;
import io.guidepost.handle.message.MessageCredential;
import io.guidepost.handle.message.ProtocolVersion;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.Optional;
import java.util.random.RandomGenerator;
import javax.crypto.Cipher;
import javax.crypto.Mac;
import javax.crypto.spec.IvParameterSpec;
import javax.crypto.spec.SecretKeySpec;

/**
 * The key of a session: computes and verifies MACs, encrypts and decrypts messages. Immutable and thread-safe.
 *
 * <pre>
 *  MAC          from 2.7 on HMAC-SHA256 of the covered bytes; up to 2.4 SHA-1 of key, covered bytes, key
 *  encryption   of all after the envelope: AES, DESede or DES with PKCS #5 padding; from 2.4 on CBC mode with
 *               the initialization vector in front; before 2.4 ECB mode
 * </pre>
 */
public final class SessionKey {
    /** Bytes of a key. */
    public static final int BYTES = 32;

    private static final String HMAC = "HMAC-SHA256";

    /** The name of SHA-1 up to 2.4: one byte, its number. */
    private static final String OLD_SHA1 = "\u0002";

    private final byte[] key;
    private final SessionCipher cipher;

    /** Keyed and otherwise unused, to be cloned for each MAC: a tenth of the cost of a look-up and keying. */
    private final Mac keyed;

    /**
     * Creates a key from a shared secret.
     *
     * @param secret at least as long as the cipher's key, and not empty; bytes after the 32nd are ignored
     * @param cipher of the messages, if they are encrypted
     * @throws IllegalArgumentException if it is too short
     */
    public SessionKey(byte[] secret, SessionCipher cipher) {
        if (secret.length < cipher.keyBytes()) {
            throw new IllegalArgumentException(
                    "a session's key has at least " + cipher.keyBytes() + " bytes, not " + secret.length);
        }
        this.key = Arrays.copyOf(secret, Math.min(secret.length, BYTES));
        this.cipher = cipher;
        try {
            this.keyed = Mac.getInstance("HmacSHA256");
            keyed.init(new SecretKeySpec(key, "HmacSHA256"));
        } catch (GeneralSecurityException e) {
            throw new AssertionError("every JDK has HMAC-SHA256", e);
        }
    }

    /**
     * Returns the message with a MAC.
     *
     * @param counter number of the message in the session
     * @throws IllegalArgumentException if the message's version cannot carry a MAC (2.5, 2.6)
     */
    public HandleMessage seal(HandleMessage message, int counter) {
        ProtocolVersion version = message.envelope().version();
        byte[] covered = AuthenticatedBytes.of(message.write(), counter)
                .orElseThrow(() -> new IllegalArgumentException("messages of version " + version + " have no MAC here"));
        return message.with(
                new MessageCredential(Handle.NONE, counter, MessageCredential.MAC, digestName(version), mac(version, covered)));
    }

    /**
     * Verifies that a message carries a MAC by this key. Fails closed. The caller then checks its counter with
     * {@link ReplayWindow}.
     *
     * @param received the message's bytes, decrypted
     * @param message as parsed from them
     */
    public boolean verifies(byte[] received, HandleMessage message) {
        if (message.credential().isEmpty()) {
            return false;
        }
        MessageCredential credential = message.credential().get();
        ProtocolVersion version = message.envelope().version();
        Optional<byte[]> covered = AuthenticatedBytes.of(received, credential.counter());
        return credential.type().equals(MessageCredential.MAC)
                && credential.digest().equals(digestName(version))
                && covered.isPresent()
                && MessageDigest.isEqual(mac(version, covered.get()), credential.signature());
    }

    private static String digestName(ProtocolVersion version) {
        return version.atLeast(2, 7) ? HMAC : OLD_SHA1;
    }

    private byte[] mac(ProtocolVersion version, byte[] covered) {
        try {
            if (version.atLeast(2, 7)) {
                return ((Mac) keyed.clone()).doFinal(covered);
            }
            MessageDigest digest = MessageDigest.getInstance("SHA-1");
            digest.update(key);
            digest.update(covered);
            return digest.digest(key);
        } catch (GeneralSecurityException | CloneNotSupportedException e) {
            throw new AssertionError("every JDK has SHA-1, and an HMAC-SHA256 that can be copied", e);
        }
    }

    /**
     * Encrypts a message.
     *
     * @param message written, envelope included
     * @param random source of the initialization vector
     * @throws IllegalArgumentException if it would be longer than a message may be
     */
    public byte[] encrypt(byte[] message, RandomGenerator random) {
        byte[] iv = new byte[cipher.blockBytes()];
        random.nextBytes(iv);
        return encrypt(message, iv);
    }

    /** Encrypts a message with an initialization vector, which the caller must not use twice. */
    byte[] encrypt(byte[] message, byte[] iv) {
        HandleEnvelope envelope = envelope(message);
        boolean chained = envelope.version().encryptsWithVector();
        try {
            byte[] sealed = cipher(Cipher.ENCRYPT_MODE, chained, iv)
                    .doFinal(message, HandleEnvelope.BYTES, message.length - HandleEnvelope.BYTES);
            int length = sealed.length + (chained ? iv.length : 0);
            if (length > HandleLimits.MESSAGE_BYTES_MAX) {
                throw new IllegalArgumentException(
                        "a message has at most " + HandleLimits.MESSAGE_BYTES_MAX + " bytes, encrypted it has " + length);
            }
            WireWriter out = new WireWriter();
            envelope.withEncrypted(true).withLength(length).write(out);
            return (chained ? out.raw(iv) : out).raw(sealed).toBytes();
        } catch (GeneralSecurityException e) {
            throw new AssertionError("every JDK has " + cipher.algorithm(), e);
        }
    }

    /**
     * Decrypts a message to its original form: envelope without the encryption flag, header, body, credential.
     * Decryption does not authenticate the sender: verify the MAC.
     *
     * @param message whole, envelope included
     * @throws Malformed if it cannot be decrypted with this key
     */
    public byte[] decrypt(byte[] message) throws Malformed {
        HandleEnvelope envelope = HandleEnvelope.readPrefix(new WireReader(message));
        boolean chained = envelope.version().encryptsWithVector();
        int ivBytes = chained ? cipher.blockBytes() : 0;
        int from = HandleEnvelope.BYTES + ivBytes;
        if (!envelope.encrypted() || envelope.length() != message.length - HandleEnvelope.BYTES || message.length <= from) {
            throw new Malformed("not an encrypted message, or cut off", HandleEnvelope.BYTES);
        }
        try {
            byte[] clear = cipher(Cipher.DECRYPT_MODE, chained, Arrays.copyOfRange(message, HandleEnvelope.BYTES, from))
                    .doFinal(message, from, message.length - from);
            WireWriter out = new WireWriter();
            envelope.withEncrypted(false).withLength(clear.length).write(out);
            return out.raw(clear).toBytes();
        } catch (GeneralSecurityException e) {
            throw new Malformed("the message was not encrypted with the session's key", HandleEnvelope.BYTES);
        }
    }

    private static HandleEnvelope envelope(byte[] message) {
        try {
            return HandleEnvelope.readPrefix(new WireReader(message));
        } catch (Malformed e) {
            throw new IllegalArgumentException("only a whole message can be encrypted", e);
        }
    }

    private Cipher cipher(int mode, boolean chained, byte[] iv) throws GeneralSecurityException {
        Cipher made = Cipher.getInstance(cipher.algorithm() + (chained ? "/CBC/" : "/ECB/") + "PKCS5Padding");
        SecretKeySpec spec = new SecretKeySpec(key, 0, cipher.keyBytes(), cipher.algorithm());
        if (chained) {
            made.init(mode, spec, new IvParameterSpec(iv));
        } else {
            made.init(mode, spec);
        }
        return made;
    }
}
