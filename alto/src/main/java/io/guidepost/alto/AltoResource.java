package io.guidepost.alto;

import io.guidepost.alto.protocol.AltoError;
import java.util.Optional;

/**
 * One information resource of the directory (RFC 7285 section 9). Pure and thread-safe: what it says follows from the
 * information, the input and who asks. One that is fetched by GET says the same to everybody.
 */
public interface AltoResource extends DirectoryEntry {
    /**
     * What it says.
     *
     * @param information the version to say it of
     * @param input body of the POST; empty for GET
     * @param caller who asks
     * @throws AltoError with what the standard says for that fault
     */
    ResourceContent content(AltoSnapshot information, byte[] input, AltoCaller caller) throws AltoError;

    /** What it says to an input, if that takes microseconds; empty if it may take longer, or the input is wrong. */
    default Optional<ResourceContent> atOnce(AltoSnapshot information, byte[] input, AltoCaller caller) {
        return Optional.empty();
    }

    /** What it says to a GET, if that is too long to be kept as a whole; then {@link #content} refuses. */
    default Optional<StreamedContent> streamed(AltoSnapshot information) {
        return Optional.empty();
    }
}
