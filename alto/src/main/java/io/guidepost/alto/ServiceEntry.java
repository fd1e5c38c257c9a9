package io.guidepost.alto;

import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import tools.jackson.core.JsonGenerator;

/** The directory entry of a service with a path of its own; see {@link DirectoryEntry} for each member. */
public record ServiceEntry(
        String id,
        String mediaType,
        Optional<String> accepts,
        List<String> uses,
        Optional<Consumer<JsonGenerator>> capabilities)
        implements DirectoryEntry {}
