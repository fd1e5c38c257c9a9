package io.guidepost.alto;

import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import tools.jackson.core.JsonGenerator;

/** A line of the directory (RFC 7285 section 9.2.2). */
public interface DirectoryEntry {
    /** Its id in the directory, 1 to 64 characters (section 10.2); the path of its URI too. */
    String id();

    /** Media type of what it says. */
    String mediaType();

    /** Media type of the input that it takes by POST; empty if it is fetched by GET. */
    Optional<String> accepts();

    /** Ids of the resources that it depends on. */
    List<String> uses();

    /** Writes the members of its {@code capabilities}; empty if it has none. */
    default Optional<Consumer<JsonGenerator>> capabilities() {
        return Optional.empty();
    }
}
