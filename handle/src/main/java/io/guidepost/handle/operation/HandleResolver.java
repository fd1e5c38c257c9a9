package io.guidepost.handle.operation;

import java.io.IOException;

/** Finds values of handles. Thread-safe; may wait for the disk. */
@FunctionalInterface
public interface HandleResolver {
    /**
     * Answers a question.
     *
     * @param caller who asks; a proof is looked at only if something is wanted that not everybody may read
     * @return codes SUCCESS, HANDLE_NOT_FOUND, VALUES_NOT_FOUND, NOT_RESPONSIBLE, SERVICE_REFERRAL, PREFIX_REFERRAL,
     *     CHALLENGE (it must be said who asks), NOT_PERMITTED and those of authentication
     * @throws IOException if the disk cannot be read
     */
    HandleResult resolve(ResolveRequest question, Principal caller) throws IOException;
}
