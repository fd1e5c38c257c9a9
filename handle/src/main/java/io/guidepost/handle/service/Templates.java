package io.guidepost.handle.service;

import io.guidepost.handle.Handle;
import io.guidepost.handle.record.HandleRecord;
import java.io.IOException;
import java.util.Optional;

/** Makes the records of handles that have none of their own, by the templates of their prefixes. Thread-safe. */
@FunctionalInterface
public interface Templates {
    /** Knows no templates. */
    Templates NONE = _ -> Optional.empty();

    /**
     * The record that a template makes.
     *
     * @param handle of a prefix that is at home here, without a record of its own
     * @return empty if no template is for it, or the template fails
     * @throws IOException if the disk cannot be read
     */
    Optional<HandleRecord> expand(Handle handle) throws IOException;
}
