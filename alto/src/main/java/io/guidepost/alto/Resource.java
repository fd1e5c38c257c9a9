package io.guidepost.alto;

import java.util.List;
import java.util.Optional;

/**
 * One information resource of the directory (RFC 7285 section 9). Pure and thread-safe: what it says follows from the
 * information, the input and who asks.
 */
public interface Resource {
    /** Its id in the directory, 1 to 64 characters (section 10.2). */
    String id();

    /** Media type of what it says. */
    String mediaType();

    /** Media type of the input that it takes by POST; empty if it is fetched by GET. */
    Optional<String> accepts();

    /** Ids of the resources that it depends on. */
    List<String> uses();

    /**
     * What it says.
     *
     * @param information the version to say it of
     * @param input body of the POST; empty for GET
     * @param caller who asks
     * @throws AltoError with what the standard says for that fault
     */
    Content content(Information information, byte[] input, Caller caller) throws AltoError;
}
