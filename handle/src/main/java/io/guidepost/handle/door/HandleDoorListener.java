package io.guidepost.handle.door;

import io.guidepost.handle.message.ResolveRequestFlyweight;
import io.guidepost.handle.message.ResponseCode;
import io.guidepost.names.Exchange;

/**
 * Listens to the requests that a door answers directly, for an access log; the service reports the others. Called on
 * the packet path, after the response is written: must be quick, and must not allocate where that matters.
 */
@FunctionalInterface
public interface HandleDoorListener {
    /** Ignores all requests. */
    HandleDoorListener NONE = (_, _, _) -> {};

    /**
     * Reports an answered request.
     *
     * @param exchange the client's address, and the bytes of the request
     * @param question the positions of its parts; valid during the call only
     * @param code the result
     */
    void resolved(Exchange exchange, ResolveRequestFlyweight question, ResponseCode code);
}
