package io.guidepost.handle.authentication;

import io.guidepost.handle.Handle;
import io.guidepost.handle.message.HandleMessage;
import io.guidepost.handle.message.MessageCredential;
import java.security.GeneralSecurityException;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.Signature;
import java.util.Optional;

/**
 * Signs messages with a server's key and verifies such signatures: credentials of type HS_SIGNED, see {@link AuthenticatedBytes}.
 */
public final class MessageSignature {
    private MessageSignature() {}

    /**
     * Returns the message, signed.
     *
     * @param key for RSA or DSA
     * @param counter number of the message in its session, 0 outside of one
     * @throws GeneralSecurityException if the key is of another algorithm, or the message's version cannot be signed
     *     (2.5, 2.6)
     */
    public static HandleMessage sign(HandleMessage message, PrivateKey key, int counter) throws GeneralSecurityException {
        byte[] covered = AuthenticatedBytes.of(message.write(), counter)
                .orElseThrow(() -> new GeneralSecurityException(
                        "messages of version " + message.envelope().version() + " cannot be signed"));
        SigningDigest digest = SigningDigest.in(message.envelope().version(), key);
        Signature signature = Signature.getInstance(digest.algorithm(key));
        signature.initSign(key);
        signature.update(covered);
        return message.with(
                new MessageCredential(Handle.NONE, counter, MessageCredential.SIGNED, digest.writtenName(), signature.sign()));
    }

    /**
     * Verifies that a message carries a signature by a public key's private key. Fails closed.
     *
     * @param received the message's bytes, decrypted
     * @param message as parsed from them
     * @param weakToo whether to accept digests that can be forged
     */
    public static boolean verifies(byte[] received, HandleMessage message, PublicKey key, boolean weakToo) {
        if (message.credential().isEmpty()) {
            return false;
        }
        MessageCredential credential = message.credential().get();
        boolean signed = credential.type().equals(MessageCredential.SIGNED) || credential.type().equals(MessageCredential.OLD_SIGNED);
        Optional<SigningDigest> digest = SigningDigest.of(credential.digest());
        Optional<byte[]> covered = AuthenticatedBytes.of(received, credential.counter());
        return signed
                && digest.isPresent()
                && (weakToo || !digest.get().weak())
                && covered.isPresent()
                && digest.get().verifies(key, credential.signature(), covered.get());
    }
}
