package io.guidepost.handle.service;

import io.guidepost.handle.Handle;
import io.guidepost.handle.message.ProtocolVersion;
import io.guidepost.handle.message.ResponseCode;
import io.guidepost.handle.value.ValueReference;
import java.util.Optional;

/** Listens to all answered requests, for access logs and metrics. Thread-safe, and quick. */
@FunctionalInterface
public interface RequestListener {
    /** Ignores all requests. */
    RequestListener NONE = (_, _) -> {};

    /**
     * An answered request.
     *
     * @param version of the request
     * @param opcode of the request, of a response to a challenge that of the challenged one; 0 if it was malformed
     * @param code of the response
     * @param handle of the request; none if it has none
     * @param who identity of the client, if it has one
     * @param nanos from receipt to the end of sending
     */
    record Entry(
            ProtocolVersion version,
            int opcode,
            ResponseCode code,
            Handle handle,
            Optional<ValueReference> who,
            long nanos) {}

    /** Reports an answered request. */
    void answered(HandleRequest call, Entry entry);
}
