package io.guidepost.lab.simulation;

import io.guidepost.names.Guid;
import org.jspecify.annotations.Nullable;

/** A violated invariant. */
final class Violation extends RuntimeException {
    private final @Nullable Guid guid;

    Violation(@Nullable Guid guid, String what) {
        super(what);
        this.guid = guid;
    }

    Violation(String what, Throwable cause) {
        super(what, cause);
        guid = null;
    }

    /** Returns the record concerned, if there is one. */
    @Nullable Guid guid() {
        return guid;
    }
}
