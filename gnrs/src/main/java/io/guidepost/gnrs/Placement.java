package io.guidepost.gnrs;

import io.guidepost.names.Guid;
import java.util.List;

/**
 * Which servers keep a GUID: a pure function of the GUID, the prefix table and the bindings of ASes to servers, so that
 * every server finds the same without asking anyone. An immutable snapshot; any thread may ask.
 */
public sealed interface Placement permits Everything {
    /** The placement of a server without tables: it keeps every GUID, and knows of no other. */
    static Placement everything() {
        return Everything.HERE;
    }

    /** The K replicas of a GUID in the order of their hashes; empty when there are no tables to place by. */
    List<Replica> replicas(Guid guid);

    /** A view for one worker, see {@link Placer}. */
    Placer placer();
}
