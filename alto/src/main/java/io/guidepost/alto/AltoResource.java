package io.guidepost.alto;

import io.guidepost.alto.protocol.AltoError;
import io.guidepost.base.Address;
import java.util.List;
import java.util.Optional;

/**
 * An information resource (RFC 7285 section 9). Pure and thread-safe: its content depends on the snapshot, the POST
 * body and the client. A GET resource has the same content for all clients.
 */
public abstract class AltoResource {
    private final DirectoryEntry entry;

    /** Creates a resource with its entry in the directory. */
    protected AltoResource(DirectoryEntry entry) {
        this.entry = entry;
    }

    /** Returns its entry in the directory. */
    public final DirectoryEntry entry() {
        return entry;
    }

    /** Returns its id in the directory. */
    public final String id() {
        return entry.id();
    }

    /** Returns the media type of the response. */
    public final String mediaType() {
        return entry.mediaType();
    }

    /** Returns the media type of the POST body; empty for a GET resource. */
    public final Optional<String> accepts() {
        return entry.accepts();
    }

    /** Returns the ids of the resources that it depends on. */
    public final List<String> uses() {
        return entry.uses();
    }

    /**
     * Returns the content.
     *
     * @param information the snapshot
     * @param input body of the POST; empty for GET
     * @param caller the client
     * @throws AltoError if the request is invalid
     */
    public abstract ResourceContent content(AltoSnapshot information, byte[] input, Address caller) throws AltoError;

    /**
     * Returns the response to a POST if it takes microseconds; empty if it may take longer, or the request has a fault.
     */
    public Optional<ResourceContent> atOnce(AltoSnapshot information, byte[] input, Address caller) {
        return Optional.empty();
    }

    /** Returns the content for a GET as a stream if it is too long for the cache; {@link #content} then refuses. */
    public Optional<StreamedContent> streamed(AltoSnapshot information) {
        return Optional.empty();
    }
}
