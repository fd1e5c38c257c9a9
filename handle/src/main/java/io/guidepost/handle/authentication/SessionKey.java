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
 * The key that two have agreed on for a session: makes and checks MACs, encrypts and decrypts messages. Immutable and
 * thread-safe.
 *
 * <pre>
 *  MAC          from 2.7 on HMAC-SHA256 of what is covered; up to 2.4 SHA-1 of key, what is covered, key
 *  encryption   of all behind the envelope: AES, DESede or DES with PKCS #5 padding; from 2.4 on in a chain of blocks,
 *               the initial vector before them; before, each block by itself
 * </pre>
 */
public final class SessionKey {
    /** Bytes of a key. */
    public static final int BYTES = 32;

    private static final String HMAC = "HMAC-SHA256";

    /** How SHA-1 is named up to 2.4: by one byte, its number. */
    private static final String OLD_SHA1 = "\u0002";

    private final byte[] key;
    private final SessionCipher cipher;

    /** Keyed and otherwise untouched, to be copied for each MAC: that costs a tenth of looking up and keying one. */
    private final Mac keyed;

    /**
     * A key of what was agreed on.
     *
     * @param secret at least as long as the cipher's key, and not empty; what is behind 32 bytes is not used
     * @param cipher how messages are encrypted, if they are
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

    /** How messages are encrypted, if they are. */
    public SessionCipher cipher() {
        return cipher;
    }

    /**
     * The message with a MAC.
     *
     * @param counter number of the message in the session
     * @throws IllegalArgumentException if MACs of the message's version are not made here (2.5, 2.6)
     */
    public HandleMessage seal(HandleMessage message, int counter) {
        ProtocolVersion version = message.envelope().version();
        byte[] covered = AuthenticatedBytes.of(message.write(), counter)
                .orElseThrow(() -> new IllegalArgumentException("messages of version " + version + " have no MAC here"));
        return message.with(
                new MessageCredential(Handle.NONE, counter, MessageCredential.MAC, digestName(version), mac(version, covered)));
    }

    /**
     * Whether a message carries a MAC by this key. Any doubt is a no. Whether its counter was used before is a question
     * for {@link ReplayWindow}, to be asked afterwards.
     *
     * @param received the message as it came, decrypted
     * @param message what was read of it
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
     * A message as it goes out encrypted.
     *
     * @param message written, envelope included
     * @param random where the initial vector comes from
     * @throws IllegalArgumentException if it would be longer than a message may be
     */
    public byte[] encrypt(byte[] message, RandomGenerator random) {
        byte[] iv = new byte[cipher.blockBytes()];
        random.nextBytes(iv);
        return encrypt(message, iv);
    }

    /** The same with an initial vector that the caller gives: two messages must not have the same. */
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
     * A message that came encrypted, as it was before: envelope without its mark, header, body, credential. That it
     * decrypts says nothing of who sent it: check its MAC.
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
