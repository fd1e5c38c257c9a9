package io.guidepost.handle.door;

import io.guidepost.handle.message.ResolveRequestFlyweight;
import io.guidepost.handle.message.ResponseCode;
import io.guidepost.names.Exchange;

/**
 * Hears of each question that a door answers at once, for an access log; those that go to the service are the service's to
 * tell. Called on the packet path, once an answer is written: must be quick, and allocate nothing where that matters.
 */
@FunctionalInterface
public interface HandleDoorListener {
    /** Hears nothing. */
    HandleDoorListener NONE = (_, _, _) -> {};

    /**
     * A question was answered.
     *
     * @param exchange who asked, and the bytes of the question
     * @param question where its parts are; only for now
     * @param code what was answered
     */
    void resolved(Exchange exchange, ResolveRequestFlyweight question, ResponseCode code);
}
