package io.guidepost.client;

import java.util.Optional;

/**
 * What a watch tells. Immutable.
 *
 * @param kind what it is
 * @param name the name, for {@code PUT} and {@code DELETE}; else empty
 * @param record its places now, for {@code PUT}
 */
public record NameChange(Kind kind, String name, Optional<NameRecord> record) {
    /** What a watch tells. */
    public enum Kind {
        /** The name has these places now. */
        PUT,
        /** The name has no places any more. */
        DELETE,
        /** The snapshot is complete; what follows are changes. */
        READY,
        /** Forget all that was told: a snapshot follows, in which deleted names are missing. */
        RESET
    }
}
