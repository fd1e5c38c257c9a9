package io.guidepost.lab.simulation;

import io.guidepost.names.Guid;
import org.jspecify.annotations.Nullable;

/** A promise that was not kept. */
final class Violation extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final transient @Nullable Guid guid;

    Violation(@Nullable Guid guid, String what) {
        super(what);
        this.guid = guid;
    }

    Violation(String what, Throwable cause) {
        super(what, cause);
        guid = null;
    }

    /** The record that it is about, if it is about one. */
    @Nullable Guid guid() {
        return guid;
    }
}
