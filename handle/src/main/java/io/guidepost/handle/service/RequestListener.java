package io.guidepost.handle.service;

import io.guidepost.handle.Handle;
import io.guidepost.handle.message.ProtocolVersion;
import io.guidepost.handle.message.ResponseCode;
import io.guidepost.handle.value.ValueReference;
import java.util.Optional;

/** Hears of every message that was answered, for access logs and metrics. Thread-safe, and quick. */
@FunctionalInterface
public interface RequestListener {
    /** Hears nothing. */
    RequestListener NONE = (_, _) -> {};

    /**
     * What was asked and answered.
     *
     * @param version of the protocol, as the request said it
     * @param opcode of the request, of a challenge's answer that of what was challenged; 0 if it could not be read
     * @param code of the answer
     * @param handle asked for; none if the request has none
     * @param who asked, if they have said so
     * @param nanos from when it was taken up to when all was sent
     */
    record Entry(
            ProtocolVersion version,
            int opcode,
            ResponseCode code,
            Handle handle,
            Optional<ValueReference> who,
            long nanos) {}

    /** A message was answered. */
    void answered(HandleRequest call, Entry entry);
}
