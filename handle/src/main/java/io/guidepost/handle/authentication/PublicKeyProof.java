package io.guidepost.handle.authentication;

import io.guidepost.base.Malformed;
import io.guidepost.handle.HandleLimits;
import io.guidepost.handle.WireReader;
import io.guidepost.handle.WireRecord;
import io.guidepost.handle.WireWriter;
import io.guidepost.handle.message.ProtocolVersion;
import java.security.GeneralSecurityException;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.Signature;
import java.util.Optional;

/**
 * A response to a challenge: a signature that proves possession of the private key of an HS_PUBKEY value.
 *
 * <pre>
 *  +0    4+n  name of the digest, text
 *  +4+n  4+m  signature over the nonce and the digest of the request: PKCS #1 v1.5, or DSA in DER
 * </pre>
 *
 * @param digest name of the digest
 * @param signature treated as immutable
 */
public record PublicKeyProof(String digest, byte[] signature) implements WireRecord {
    /** Bytes of the longest name of a digest. */
    private static final int NAME_BYTES_MAX = 64;

    /** Reads a response. */
    public static PublicKeyProof read(byte[] bytes) throws Malformed {
        return WireReader.whole(
                bytes, in -> new PublicKeyProof(in.text(NAME_BYTES_MAX), in.bytes(HandleLimits.KEY_RECORD_BYTES_MAX)));
    }

    /**
     * Answers a challenge.
     *
     * @param key for RSA or DSA
     * @param version of the message that carries the response
     * @param nonce of the challenge
     * @param requestDigest of the request that was challenged
     * @throws GeneralSecurityException if the key is of another algorithm
     */
    public static PublicKeyProof sign(PrivateKey key, ProtocolVersion version, byte[] nonce, byte[] requestDigest)
            throws GeneralSecurityException {
        SigningDigest digest = SigningDigest.in(version, key);
        Signature signature = Signature.getInstance(digest.algorithm(key));
        signature.initSign(key);
        signature.update(nonce);
        signature.update(requestDigest);
        return new PublicKeyProof(digest.writtenName(), signature.sign());
    }

    /**
     * Verifies that the response was made for this challenge with the private key of a public key. Fails closed.
     *
     * @param weakToo whether to accept digests that can be forged
     */
    public boolean verifies(PublicKey key, byte[] nonce, byte[] requestDigest, boolean weakToo) {
        Optional<SigningDigest> known = SigningDigest.of(digest);
        return known.isPresent()
                && (weakToo || !known.get().weak())
                && known.get().verifies(key, signature, nonce, requestDigest);
    }

    @Override
    public void write(WireWriter out) {
        out.text(digest).bytes(signature);
    }
}
