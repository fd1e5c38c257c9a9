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

/** A client's response to a challenge: an identity and a proof. */
sealed interface ChallengeResponse {
    ValueReference who();

    /** Returns the cost of verification, in microseconds of a processor. */
    long micros();

    ResponseCode check(Authenticator identities, byte[] nonce, byte[] digest) throws IOException;

    /** Made with a private key. */
    record Public(ValueReference who, PublicKeyProof answer) implements ChallengeResponse {
        private static final int VERIFY_MICROS = 100;

        @Override
        public long micros() {
            return VERIFY_MICROS;
        }

        @Override
        public ResponseCode check(Authenticator identities, byte[] nonce, byte[] digest) throws IOException {
            return identities.check(who, answer, nonce, digest);
        }
    }

    /** Made with a secret key. */
    record Secret(ValueReference who, SecretKeyProof answer) implements ChallengeResponse {
        @Override
        public long micros() {
            return 1 + (long) answer.iterations() * Math.ceilDiv(answer.keyBits(), 160);
        }

        @Override
        public ResponseCode check(Authenticator identities, byte[] nonce, byte[] digest) throws IOException {
            return identities.check(who, answer, nonce, digest);
        }
    }

    /** Parses one; empty if its kind is unknown. */
    static Optional<ChallengeResponse> read(MessageBody.Answer answer) {
        try {
            if (ValueType.same(answer.keyType(), ValueType.HS_PUBKEY.typeName())) {
                return Optional.of(new Public(answer.who(), PublicKeyProof.read(answer.answer())));
            }
            return ValueType.same(answer.keyType(), ValueType.HS_SECKEY.typeName())
                    ? Optional.of(new Secret(answer.who(), SecretKeyProof.read(answer.answer())))
                    : Optional.empty();
        } catch (Malformed e) {
            return Optional.empty();
        }
    }
}
