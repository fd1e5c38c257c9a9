package io.guidepost.handle.operation;

import io.guidepost.handle.value.ValueReference;
import java.io.IOException;
import java.util.Optional;

/** Other servers, as this one needs them: where groups and keys live elsewhere, and for recursion. Thread-safe. */
public interface RemoteResolver {
    /** Knows no other servers. */
    RemoteResolver NONE = new RemoteResolver() {
        @Override
        public Optional<HandleResult> resolve(ResolveRequest question) {
            return Optional.empty();
        }

        @Override
        public Optional<Boolean> verify(ValueReference key, byte[] nonce, byte[] digest, byte[] answer) {
            return Optional.empty();
        }
    };

    /**
     * Asks whoever is responsible.
     *
     * @return empty if nobody is known to be
     * @throws IOException if they do not answer
     */
    Optional<HandleResult> resolve(ResolveRequest question) throws IOException;

    /**
     * Has a proof with a secret key looked at by the server that keeps the key.
     *
     * @param digest of the request, without its algorithm's number
     * @return empty if nobody is known who keeps it
     * @throws IOException if they do not answer
     */
    Optional<Boolean> verify(ValueReference key, byte[] nonce, byte[] digest, byte[] answer) throws IOException;
}
