package io.guidepost.handle.rest;

import io.guidepost.handle.message.HandleOperation;
import io.guidepost.handle.message.ResponseCode;
import io.guidepost.handle.value.ValueReference;
import io.guidepost.web.HttpRequest;
import java.util.Optional;

/** Hears of the changes that the JSON interface was asked for, for access logs and metrics. Thread-safe, and quick. */
@FunctionalInterface
public interface RestListener {
    /** Ignores all. */
    RestListener NONE = (_, _) -> {};

    /**
     * A change, done or refused.
     *
     * @param operation empty if the request does not say it
     * @param code of the response
     * @param who identity of the client, if it has one
     * @param handle as the client wrote it, or as it was minted; empty if there is none
     * @param millis how long it took
     */
    record Change(Optional<HandleOperation> operation, ResponseCode code, Optional<ValueReference> who, String handle, long millis) {}

    /** Reports a change; a bulk request has one for each line. */
    void changed(HttpRequest request, Change change);
}
