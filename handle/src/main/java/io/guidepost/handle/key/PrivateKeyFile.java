package io.guidepost.handle.key;

import io.guidepost.base.Malformed;
import io.guidepost.handle.HandleLimits;
import io.guidepost.handle.WireReader;
import io.guidepost.handle.WireWriter;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.Arrays;
import javax.crypto.Cipher;
import javax.crypto.SecretKey;
import javax.crypto.SecretKeyFactory;
import javax.crypto.spec.IvParameterSpec;
import javax.crypto.spec.PBEKeySpec;
import javax.crypto.spec.SecretKeySpec;
import org.jspecify.annotations.Nullable;

/**
 * A file with a private key, in clear or encrypted with a passphrase.
 *
 * <pre>
 *  kind (32 bits)    then
 *  0  DES-ECB        ciphertext                          ┐ weak: read only if the caller allows it, never written;
 *  2  DES-CBC        IV (8), ciphertext                  ┘ the key is the first 8 bytes of MD5(passphrase)
 *  1  none           the clear text
 *  3  DESede-CBC     salt, iterations 32, key bits 32, IV, ciphertext; salt, IV and ciphertext behind their lengths;
 *  4  AES-CBC        the same; the key is PBKDF2 with HMAC-SHA1
 * </pre>
 *
 * All ciphers use PKCS #5 padding. The clear text is a {@link PrivateKeyRecord}. Existing tools take each byte of the
 * passphrase's UTF-8 for a character, and encode those in UTF-8 again before they derive the key. Writing does the
 * same; reading tries both that and the plain UTF-8 form.
 */
public final class PrivateKeyFile {
    /** The encryptions of files, in the order of their numbers. */
    public enum Encryption {
        /** DES in ECB mode; weak. */
        DES_ECB,
        /** None. */
        NONE,
        /** DES in CBC mode; weak. */
        DES_CBC,
        /** Triple DES with a derived key. */
        DESEDE,
        /** AES with a derived key. */
        AES;

        /** Returns whether it can be broken in days, with any passphrase. */
        public boolean weak() {
            return this == DES_ECB || this == DES_CBC;
        }
    }

    /** Signals that the passphrase is wrong or the file is damaged: the two cannot be told apart. */
    public static final class WrongPassphrase extends Exception {
        WrongPassphrase() {
            super("the passphrase is wrong, or the key file is damaged", null, false, false);
        }
    }

    private static final int AES_KEY_BITS = 128;
    private static final int AES_IV_BYTES = 16;
    private static final int SALT_BYTES = 16;
    private static final int DES_BLOCK_BYTES = 8;

    /** Iterations of existing writers; more would slow existing readers down. */
    private static final int ITERATIONS = 10_000;

    /** Accepted iterations: a hundred times the usual number, about a second of work. */
    private static final int ITERATIONS_MAX = 1_000_000;

    private PrivateKeyFile() {}

    /**
     * Returns the encryption of a file.
     *
     * @throws Malformed if it does not begin with one of the five kinds
     */
    public static Encryption encryption(byte[] file) throws Malformed {
        int kind = new WireReader(file).u32();
        if (kind < 0 || kind >= Encryption.values().length) {
            throw new Malformed("a key file begins with its encryption, 0 to 4, not " + Integer.toUnsignedString(kind), 0);
        }
        return Encryption.values()[kind];
    }

    /**
     * Reads a file.
     *
     * @param passphrase its passphrase; null where it is not encrypted
     * @param weakToo whether to read files encrypted with DES, which should be encrypted anew
     * @throws Malformed if it is not a key file, has no key in it, or is weak and the caller does not allow that
     * @throws WrongPassphrase if a passphrase is needed and missing, or wrong
     */
    public static PrivateKeyRecord read(byte[] file, char @Nullable [] passphrase, boolean weakToo)
            throws Malformed, WrongPassphrase {
        Encryption encryption = encryption(file);
        WireReader in = new WireReader(file);
        in.u32();
        if (encryption == Encryption.NONE) {
            return PrivateKeyRecord.read(in.raw(in.remaining()));
        }
        if (encryption.weak() && !weakToo) {
            throw new Malformed("this key file is encrypted with DES, which is weak: it is read only if that is allowed", 0);
        }
        if (passphrase == null) {
            throw new WrongPassphrase();
        }
        byte[] clear = switch (encryption) {
            case DES_ECB -> decrypt("DES", desKey(passphrase), null, in.raw(in.remaining()));
            case DES_CBC ->
                decrypt("DES", desKey(passphrase), in.raw(DES_BLOCK_BYTES), in.raw(in.remaining()));
            case DESEDE -> derived("DESede", 192, DES_BLOCK_BYTES, in, passphrase);
            case AES -> derived("AES", AES_KEY_BITS, AES_IV_BYTES, in, passphrase);
            case NONE -> throw new AssertionError("read above");
        };
        try {
            return PrivateKeyRecord.read(clear);
        } catch (Malformed e) {
            // A wrong key leaves valid padding once in 256 times.
            throw new WrongPassphrase();
        }
    }

    /** Writes a key in clear: file permissions must protect it. */
    public static byte[] write(PrivateKeyRecord key) {
        return new WireWriter().u32(code(Encryption.NONE)).raw(key.write()).toBytes();
    }

    /**
     * Writes a key encrypted with AES and a passphrase.
     *
     * @param random source of salt and initialization vector
     */
    public static byte[] write(PrivateKeyRecord key, char[] passphrase, SecureRandom random) {
        byte[] salt = new byte[SALT_BYTES];
        byte[] iv = new byte[AES_IV_BYTES];
        random.nextBytes(salt);
        random.nextBytes(iv);
        try {
            Cipher cipher = Cipher.getInstance("AES/CBC/PKCS5Padding");
            cipher.init(
                    Cipher.ENCRYPT_MODE,
                    new SecretKeySpec(derive(customary(passphrase), salt, ITERATIONS, AES_KEY_BITS), "AES"),
                    new IvParameterSpec(iv));
            WireWriter out = new WireWriter().u32(code(Encryption.AES));
            out.bytes(salt).u32(ITERATIONS).u32(AES_KEY_BITS).bytes(iv).bytes(cipher.doFinal(key.write()));
            return out.toBytes();
        } catch (GeneralSecurityException e) {
            throw new AssertionError("every JDK has AES", e);
        }
    }

    private static byte[] derived(String cipher, int keyBitsAsked, int ivBytes, WireReader in, char[] passphrase)
            throws Malformed, WrongPassphrase {
        int at = in.position();
        byte[] salt = in.bytes(HandleLimits.TYPE_BYTES_MAX);
        int iterations = in.u32();
        int keyBits = in.u32();
        byte[] iv = in.bytes(ivBytes);
        if (iterations < 1 || iterations > ITERATIONS_MAX) {
            throw new Malformed("a key file has 1 to " + ITERATIONS_MAX + " iterations, not " + iterations, at);
        }
        boolean aes = cipher.equals("AES") && (keyBits == 192 || keyBits == 256);
        if (salt.length == 0 || iv.length != ivBytes || keyBits != keyBitsAsked && !aes) {
            throw new Malformed("salt, length of the key (" + keyBits + " bits) or IV do not fit " + cipher, at);
        }
        byte[] ciphertext = in.bytes();
        in.end();
        try {
            return decrypt(cipher, derive(customary(passphrase), salt, iterations, keyBits), iv, ciphertext);
        } catch (WrongPassphrase e) {
            return decrypt(cipher, derive(passphrase, salt, iterations, keyBits), iv, ciphertext);
        }
    }

    /** Returns the bytes of a passphrase in UTF-8, each as a character. */
    private static char[] customary(char[] passphrase) {
        return StandardCharsets.ISO_8859_1.decode(ByteBuffer.wrap(utf8(passphrase))).toString().toCharArray();
    }

    private static byte[] utf8(char[] passphrase) {
        ByteBuffer utf8 = StandardCharsets.UTF_8.encode(CharBuffer.wrap(passphrase));
        byte[] bytes = new byte[utf8.remaining()];
        utf8.get(bytes);
        return bytes;
    }

    private static byte[] derive(char[] passphrase, byte[] salt, int iterations, int bits) {
        try {
            SecretKey key = SecretKeyFactory.getInstance("PBKDF2WithHmacSHA1")
                    .generateSecret(new PBEKeySpec(passphrase, salt, iterations, bits));
            return key.getEncoded();
        } catch (GeneralSecurityException e) {
            throw new AssertionError("every JDK has PBKDF2", e);
        }
    }

    private static byte[] decrypt(String algorithm, byte[] key, byte @Nullable [] iv, byte[] ciphertext)
            throws WrongPassphrase {
        try {
            Cipher cipher = Cipher.getInstance(algorithm + (iv == null ? "/ECB/" : "/CBC/") + "PKCS5Padding");
            SecretKeySpec spec = new SecretKeySpec(key, algorithm);
            if (iv == null) {
                cipher.init(Cipher.DECRYPT_MODE, spec);
            } else {
                cipher.init(Cipher.DECRYPT_MODE, spec, new IvParameterSpec(iv));
            }
            return cipher.doFinal(ciphertext);
        } catch (GeneralSecurityException e) {
            throw new WrongPassphrase();
        }
    }

    private static byte[] desKey(char[] passphrase) {
        try {
            return Arrays.copyOf(MessageDigest.getInstance("MD5").digest(utf8(passphrase)), DES_BLOCK_BYTES);
        } catch (GeneralSecurityException e) {
            throw new AssertionError("every JDK has MD5", e);
        }
    }

    @SuppressWarnings("EnumOrdinal") // The order of the constants is the order of their numbers.
    private static int code(Encryption encryption) {
        return encryption.ordinal();
    }
}
