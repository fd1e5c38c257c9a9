package io.guidepost.alto;

import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import tools.jackson.core.JsonGenerator;

/** An entry of the directory (RFC 7285 section 9.2.2). */
public interface DirectoryEntry {
    /** Returns its id in the directory, 1 to 64 characters (section 10.2), which is the path of its URI too. */
    String id();

    /** Returns the media type of the response. */
    String mediaType();

    /** Returns the media type of the POST body; empty for a GET resource. */
    Optional<String> accepts();

    /** Returns the ids of the resources that it depends on. */
    List<String> uses();

    /** Returns a writer of the members of {@code capabilities}; empty if it has none. */
    default Optional<Consumer<JsonGenerator>> capabilities() {
        return Optional.empty();
    }
}
