package io.guidepost.alto;

import io.guidepost.alto.protocol.AltoError;
import java.util.Optional;

/**
 * An information resource (RFC 7285 section 9). Pure and thread-safe: its content depends on the snapshot, the POST
 * body and the client. A GET resource has the same content for all clients.
 */
public interface AltoResource extends DirectoryEntry {
    /**
     * Returns the content.
     *
     * @param information the snapshot
     * @param input body of the POST; empty for GET
     * @param caller the client
     * @throws AltoError if the request is invalid
     */
    ResourceContent content(AltoSnapshot information, byte[] input, AltoCaller caller) throws AltoError;

    /**
     * Returns the response to a POST if it takes microseconds; empty if it may take longer, or the request has a fault.
     */
    default Optional<ResourceContent> atOnce(AltoSnapshot information, byte[] input, AltoCaller caller) {
        return Optional.empty();
    }

    /** Returns the content for a GET as a stream if it is too long for the cache; {@link #content} then refuses. */
    default Optional<StreamedContent> streamed(AltoSnapshot information) {
        return Optional.empty();
    }
}
