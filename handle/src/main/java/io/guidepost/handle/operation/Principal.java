package io.guidepost.handle.operation;

import io.guidepost.handle.message.ResponseCode;
import io.guidepost.handle.value.ValueReference;
import java.io.IOException;
import java.util.Optional;

/** The client of a request: anonymous, authenticated, or with a proof to be verified. */
public sealed interface Principal {
    /** An anonymous client. */
    Principal ANONYMOUS = new Anonymous();

    /** Returns the reference of the value with the client's key, proven or not; empty if it is anonymous. */
    Optional<ValueReference> who();

    /** Has no identity. */
    record Anonymous() implements Principal {
        @Override
        public Optional<ValueReference> who() {
            return Optional.empty();
        }
    }

    /**
     * Authenticated: by a session, or by a certificate.
     *
     * @param identity reference of the value with its key
     */
    record Proven(ValueReference identity) implements Principal {
        @Override
        public Optional<ValueReference> who() {
            return Optional.of(identity);
        }
    }

    /**
     * Claims an identity with a proof that is not yet verified: verification costs time, and existing servers first
     * check that the identity is an administrator at all.
     *
     * @param identity reference of the value with its key
     * @param proof verifies the claim
     */
    record Claimed(ValueReference identity, Proof proof) implements Principal {
        @Override
        public Optional<ValueReference> who() {
            return Optional.of(identity);
        }
    }

    /** Verifies a proof; may take milliseconds, and ask other servers. */
    @FunctionalInterface
    interface Proof {
        /** Returns {@link ResponseCode#SUCCESS} if it is right, and otherwise the code of the refusal. */
        ResponseCode check() throws IOException;
    }
}
