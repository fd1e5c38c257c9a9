package io.guidepost.handle.service;

import io.guidepost.handle.ValueReference;
import io.guidepost.handle.ValueType;
import io.guidepost.handle.authentication.PublicKeyAnswer;
import io.guidepost.handle.authentication.SecretKeyAnswer;
import io.guidepost.handle.message.Body;
import io.guidepost.handle.message.ResponseCode;
import io.guidepost.names.Malformed;
import java.io.IOException;
import java.util.Optional;

/** What an answer to a challenge holds. */
sealed interface Proof {
    ValueReference who();

    /** What looking at it costs, in microseconds of a processor. */
    long micros();

    ResponseCode check(Identities identities, byte[] nonce, byte[] digest) throws IOException;

    /** Made with a public key's private one. */
    record Public(ValueReference who, PublicKeyAnswer answer) implements Proof {
        private static final int VERIFY_MICROS = 100;

        @Override
        public long micros() {
            return VERIFY_MICROS;
        }

        @Override
        public ResponseCode check(Identities identities, byte[] nonce, byte[] digest) throws IOException {
            return identities.check(who, answer, nonce, digest);
        }
    }

    /** Made with a secret key. */
    record Secret(ValueReference who, SecretKeyAnswer answer) implements Proof {
        @Override
        public long micros() {
            return 1 + (long) answer.iterations() * Math.ceilDiv(answer.keyBits(), 160);
        }

        @Override
        public ResponseCode check(Identities identities, byte[] nonce, byte[] digest) throws IOException {
            return identities.check(who, answer, nonce, digest);
        }
    }

    /** Reads one; empty if it is of no known kind. */
    static Optional<Proof> read(Body.Answer answer) {
        try {
            if (ValueType.same(answer.keyType(), ValueType.HS_PUBKEY.typeName())) {
                return Optional.of(new Public(answer.who(), PublicKeyAnswer.read(answer.answer())));
            }
            return ValueType.same(answer.keyType(), ValueType.HS_SECKEY.typeName())
                    ? Optional.of(new Secret(answer.who(), SecretKeyAnswer.read(answer.answer())))
                    : Optional.empty();
        } catch (Malformed e) {
            return Optional.empty();
        }
    }
}
