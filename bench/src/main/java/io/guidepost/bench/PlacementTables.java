package io.guidepost.bench;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * The files of a placement: the user's, else those that may lie beside a checkout, else generated ones of the same
 * shape.
 *
 * @param prefixes lines {@code a.b.c.d/len AS}
 * @param bindings lines {@code AS host port}, all of one server
 * @param server that server as {@code host:port}
 * @param description what they are, for a report's title
 */
record PlacementTables(Path prefixes, Path bindings, String server, String description) {
    static final String SERVER = "127.0.0.1:5001";
    static PlacementTables of(@Nullable Path prefixes, @Nullable Path bindings, boolean small, Path folder) {
        throw new IllegalStateException("" + prefixes + bindings + small + folder);
    }
}
