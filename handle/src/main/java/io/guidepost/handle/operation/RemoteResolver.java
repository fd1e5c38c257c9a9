package io.guidepost.handle.operation;

import io.guidepost.handle.record.WouldWaitException;
import io.guidepost.handle.value.ValueReference;
import java.io.IOException;
import java.util.Optional;

/** Access to other servers: for groups and keys that live there, and for recursive resolution. Thread-safe. */
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

    /** Stands where other servers may be known, and must not be waited for. */
    RemoteResolver WOULD_WAIT = new RemoteResolver() {
        @Override
        public Optional<HandleResult> resolve(ResolveRequest question) {
            throw WouldWaitException.SIGNAL;
        }

        @Override
        public Optional<Boolean> verify(ValueReference key, byte[] nonce, byte[] digest, byte[] answer) {
            throw WouldWaitException.SIGNAL;
        }
    };

    /**
     * Asks the responsible servers.
     *
     * @return empty if none is known
     * @throws IOException if they do not respond
     */
    Optional<HandleResult> resolve(ResolveRequest question) throws IOException;

    /**
     * Asks the server that keeps a secret key to verify a proof.
     *
     * @param digest of the request, without its algorithm's number
     * @return empty if that server is unknown
     * @throws IOException if it does not respond
     */
    Optional<Boolean> verify(ValueReference key, byte[] nonce, byte[] digest, byte[] answer) throws IOException;
}
