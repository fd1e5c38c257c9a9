package io.guidepost.handle.operation;

import java.io.IOException;

/** Resolves handles. Thread-safe; may wait for the disk. */
@FunctionalInterface
public interface HandleResolver {
    /**
     * Resolves a handle.
     *
     * @param caller the client; its proof is verified only if the request needs more than public values
     * @return codes SUCCESS, HANDLE_NOT_FOUND, VALUES_NOT_FOUND, NOT_RESPONSIBLE, SERVICE_REFERRAL, PREFIX_REFERRAL,
     *     CHALLENGE (the client must authenticate), NOT_PERMITTED and those of authentication
     * @throws IOException if the disk cannot be read
     */
    HandleResult resolve(ResolveRequest question, Principal caller) throws IOException;
}
