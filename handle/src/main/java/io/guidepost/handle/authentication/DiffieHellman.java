package io.guidepost.handle.authentication;

import io.guidepost.base.Malformed;
import io.guidepost.handle.WireReader;
import io.guidepost.handle.WireRecord;
import io.guidepost.handle.WireWriter;
import io.guidepost.handle.key.PublicKeyRecord;
import java.math.BigInteger;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.PrivateKey;
import java.security.ProviderException;
import java.security.SecureRandom;
import java.util.Arrays;
import javax.crypto.KeyAgreement;
import javax.crypto.spec.DHParameterSpec;

/**
 * Ephemeral Diffie-Hellman key agreement of a session. The client chooses the group, and both parties generate a key
 * pair for this session alone, so that a bad group harms only that client; groups that are broken in practice are still
 * refused. The primality of p is not checked: it costs more than the exchange, and the client gains nothing by lying.
 */
public final class DiffieHellman {
    /** Bits of the smallest accepted prime: that of existing clients. */
    public static final int PRIME_BITS_MIN = 1024;

    /** Bits of the smallest accepted prime if the caller allows weak groups: that of old clients. */
    public static final int PRIME_BITS_WEAK = 512;

    /** Bits of the largest accepted prime: above, one exchange takes a processor a tenth of a second. */
    public static final int PRIME_BITS_MAX = 4096;

    /** The 1024-bit group of RFC 2409 section 6.2, which existing clients use. */
    private static final BigInteger OAKLEY_2 = new BigInteger(
            "ffffffffffffffffc90fdaa22168c234c4c6628b80dc1cd129024e088a67cc74020bbea63b139b22514a08798e3404dd"
                    + "ef9519b3cd3a431b302b0a6df25f14374fe1356d6d51c245e485b576625e7ec6f44c42e9a637ed6b0bff5cb6f406b7ed"
                    + "ee386bfb5a899fa5ae9f24117c4b1fe649286651ece65381ffffffffffffffff",
            16);

    /**
     * The server's part, the data of a {@link io.guidepost.handle.message.MessageBody.SetupReply} from version 2.4 on.
     *
     * <pre>
     *  +0  4  cipher, see SessionCipher
     *  +4  .  record of the server's public key
     * </pre>
     *
     * @param cipher of the session's messages
     * @param publicKey the server's
     */
    public record Reply(SessionCipher cipher, PublicKeyRecord.Dh publicKey) implements WireRecord {
        /** Reads the data of a reply. */
        public static Reply read(byte[] data) throws Malformed {
            WireReader in = new WireReader(data);
            SessionCipher cipher = SessionCipher.ofCode(in.u32(), 0);
            if (PublicKeyRecord.read(in.raw(in.remaining())) instanceof PublicKeyRecord.Dh key) {
                return new Reply(cipher, key);
            }
            throw new Malformed("the key of a Diffie-Hellman exchange is DH_PUB_KEY", 4);
        }

        @Override
        public void write(WireWriter out) {
            out.u32(cipher.code());
            publicKey.write(out);
        }
    }

    private DiffieHellman() {}

    /** Generates the client's key pair, in the group that all existing servers accept. */
    public static KeyPair clientKeys(SecureRandom random) throws GeneralSecurityException {
        return keys(new DHParameterSpec(OAKLEY_2, BigInteger.TWO), random);
    }

    /**
     * Generates the server's key pair, in the group of a client's key.
     *
     * @param weakToo whether to accept groups that a well-equipped adversary breaks
     * @throws Malformed if group or key are refused
     */
    public static KeyPair serverKeys(PublicKeyRecord.Dh client, boolean weakToo, SecureRandom random) throws Malformed {
        int bits = client.p().bitLength();
        int bitsMin = weakToo ? PRIME_BITS_WEAK : PRIME_BITS_MIN;
        if (bits < bitsMin || bits > PRIME_BITS_MAX || !client.p().testBit(0)) {
            throw new Malformed(
                    "the prime of a Diffie-Hellman group has " + bitsMin + " to " + PRIME_BITS_MAX + " bits and is odd, not "
                            + bits,
                    0);
        }
        BigInteger last = client.p().subtract(BigInteger.ONE);
        if (!inside(client.g(), last) || !inside(client.y(), last)) {
            throw new Malformed("generator and key of a Diffie-Hellman exchange are above 1 and below p-1", 0);
        }
        try {
            return keys(new DHParameterSpec(client.p(), client.g()), random);
        } catch (GeneralSecurityException e) {
            throw new Malformed("this Diffie-Hellman group is not taken: " + e.getMessage(), 0);
        }
    }

    private static boolean inside(BigInteger value, BigInteger last) {
        return value.compareTo(BigInteger.ONE) > 0 && value.compareTo(last) < 0;
    }

    private static KeyPair keys(DHParameterSpec group, SecureRandom random) throws GeneralSecurityException {
        KeyPairGenerator generator = KeyPairGenerator.getInstance("DH");
        generator.initialize(group, random);
        return generator.generateKeyPair();
    }

    /**
     * Derives the session's key on either side: the shared secret without leading zeros, cut to 32 bytes for AES, and
     * for DES and triple DES to 8 and 24 with each byte's lowest bit as its parity. Existing clients also take MACs
     * with that key, although the ciphers ignore parity.
     *
     * @param own one's own private key
     * @param other the other's public key, in the same group
     * @param cipher of the session
     * @throws GeneralSecurityException if the two keys do not belong together
     * @throws Malformed if the other's key is invalid, or the shared secret is too short
     */
    public static SessionKey agree(PrivateKey own, PublicKeyRecord.Dh other, SessionCipher cipher)
            throws GeneralSecurityException, Malformed {
        byte[] secret = secret(own, other);
        if (secret.length < cipher.keyBytes()) {
            throw new Malformed("the shared secret is too short for a key", 0);
        }
        return new SessionKey(cipher == SessionCipher.AES ? secret : withParity(secret, cipher.keyBytes()), cipher);
    }

    private static byte[] withParity(byte[] secret, int bytes) {
        byte[] key = Arrays.copyOf(secret, bytes);
        for (int i = 0; i < bytes; i++) {
            int high = key[i] & 0xfe;
            key[i] = (byte) (high | Integer.bitCount(high) & 1 ^ 1);
        }
        return key;
    }

    /** Returns the shared secret without leading zeros, at most 32 bytes of it. */
    static byte[] secret(PrivateKey own, PublicKeyRecord.Dh other) throws GeneralSecurityException, Malformed {
        KeyAgreement agreement = KeyAgreement.getInstance("DH");
        agreement.init(own);
        agreement.doPhase(other.key(), true);
        byte[] result;
        try {
            result = agreement.generateSecret();
        } catch (ProviderException e) {
            // The JDK refuses the shared secrets 0, 1 and p-1; a client can force them with a group whose p is not
            // prime.
            throw new Malformed("the shared value is no secret: " + e.getMessage(), 0);
        }
        int zeros = 0;
        while (zeros < result.length - 1 && result[zeros] == 0) {
            zeros++;
        }
        return Arrays.copyOfRange(result, zeros, Math.min(result.length, zeros + SessionKey.BYTES));
    }
}
