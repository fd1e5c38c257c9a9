package io.guidepost.handle.service;

import io.guidepost.base.Malformed;
import io.guidepost.handle.authentication.PublicKeyProof;
import io.guidepost.handle.authentication.SecretKeyProof;
import io.guidepost.handle.message.MessageBody;
import io.guidepost.handle.message.ResponseCode;
import io.guidepost.handle.operation.Authenticator;
import io.guidepost.handle.value.ValueReference;
import io.guidepost.handle.value.ValueType;
import java.io.IOException;
import java.util.Optional;

/**
 * A client's response to a challenge: an identity and a proof.
 *
 * @param micros cost of verification, in microseconds of a processor
 */
record ChallengeResponse(ValueReference who, long micros, Check check) {
    private static final int PUBLIC_KEY_MICROS = 100;

    /** Verifies a proof. */
    @FunctionalInterface
    interface Check {
        ResponseCode of(Authenticator identities, byte[] nonce, byte[] digest) throws IOException;
    }

    /** Parses one; empty if its kind is unknown. */
    static Optional<ChallengeResponse> read(MessageBody.Answer answer) {
        ValueReference who = answer.who();
        try {
            if (ValueType.same(answer.keyType(), ValueType.HS_PUBKEY.typeName())) {
                PublicKeyProof proof = PublicKeyProof.read(answer.answer());
                return Optional.of(new ChallengeResponse(
                        who, PUBLIC_KEY_MICROS, (identities, nonce, digest) -> identities.check(who, proof, nonce, digest)));
            }
            if (ValueType.same(answer.keyType(), ValueType.HS_SECKEY.typeName())) {
                SecretKeyProof proof = SecretKeyProof.read(answer.answer());
                return Optional.of(new ChallengeResponse(
                        who, micros(proof), (identities, nonce, digest) -> identities.check(who, proof, nonce, digest)));
            }
            return Optional.empty();
        } catch (Malformed e) {
            return Optional.empty();
        }
    }

    /** Returns the cost of verifying a proof made with a secret key. */
    static long micros(SecretKeyProof proof) {
        return 1 + (long) proof.iterations() * Math.ceilDiv(proof.keyBits(), 160);
    }
}
