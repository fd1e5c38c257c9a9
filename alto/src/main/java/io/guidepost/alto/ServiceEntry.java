package io.guidepost.alto;

import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import tools.jackson.core.JsonGenerator;

/** What the directory says of a service that is more than a {@link AltoResource}; see {@link DirectoryEntry} for each member. */
public record ServiceEntry(
        String id,
        String mediaType,
        Optional<String> accepts,
        List<String> uses,
        Optional<Consumer<JsonGenerator>> capabilities)
        implements DirectoryEntry {}
