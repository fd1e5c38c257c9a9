package io.guidepost.handle.client;

import io.guidepost.handle.authentication.PublicKeyProof;
import io.guidepost.handle.authentication.SecretKeyProof;
import io.guidepost.handle.message.MessageBody;
import io.guidepost.handle.message.ProtocolVersion;
import io.guidepost.handle.value.ValueReference;
import io.guidepost.handle.value.ValueType;
import java.io.IOException;
import java.security.GeneralSecurityException;
import java.security.PrivateKey;
import java.util.random.RandomGenerator;

/** A client's identity and how it authenticates. */
public sealed interface ClientIdentity {
    /** Returns the reference of the value that holds the key. */
    ValueReference who();

    /**
     * Holds the private key of an HS_PUBKEY value.
     *
     * @param who the value
     * @param key for RSA or DSA
     */
    record KeyHolder(ValueReference who, PrivateKey key) implements ClientIdentity {}

    /**
     * Holds the bytes of an HS_SECKEY value.
     *
     * @param who the value
     * @param secret its bytes; treated as immutable
     */
    @SuppressWarnings("ArrayRecordComponent") // One secret, handed on and not compared.
    record SecretHolder(ValueReference who, byte[] secret) implements ClientIdentity {
        /** Refuses an empty secret, which proves nothing. */
        public SecretHolder {
            if (secret.length == 0) {
                throw new IllegalArgumentException("an empty secret proves nothing");
            }
        }

        /** Returns the identity without the secret. */
        @Override
        public String toString() {
            return who + " by a secret";
        }
    }

    /**
     * Answers a challenge.
     *
     * @param version of the message that carries the answer
     * @param nonce of the challenge
     * @param digest of the request that was challenged
     * @param random source of salts
     * @throws IOException if the key cannot sign
     */
    default MessageBody.Answer answer(ProtocolVersion version, byte[] nonce, byte[] digest, RandomGenerator random)
            throws IOException {
        try {
            return switch (this) {
                case KeyHolder it ->
                    new MessageBody.Answer(
                            ValueType.HS_PUBKEY.typeName(),
                            it.who,
                            PublicKeyProof.sign(it.key, version, nonce, digest).write());
                case SecretHolder it ->
                    new MessageBody.Answer(
                            ValueType.HS_SECKEY.typeName(),
                            it.who,
                            SecretKeyProof.prove(
                                            SecretKeyProof.Kind.PBKDF2, it.secret, nonce, digest, random)
                                    .write());
            };
        } catch (GeneralSecurityException e) {
            throw new IOException("the key of " + who() + " does not sign: " + e.getMessage(), e);
        }
    }
}
