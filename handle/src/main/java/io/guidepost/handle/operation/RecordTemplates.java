package io.guidepost.handle.operation;

import io.guidepost.handle.Handle;
import io.guidepost.handle.record.HandleRecord;
import java.io.IOException;
import java.util.Optional;

/** Computes the records of handles without one of their own, by the templates of their prefixes. Thread-safe. */
@FunctionalInterface
public interface RecordTemplates {
    /** Has no templates. */
    RecordTemplates NONE = new RecordTemplates() {
        @Override
        public Optional<HandleRecord> expand(Handle handle) {
            return Optional.empty();
        }

        @Override
        public boolean isEmpty() {
            return true;
        }
    };

    /**
     * Returns the record that a template computes.
     *
     * @param handle of a homed prefix, without a record of its own
     * @return empty if no template covers it, or the template fails
     * @throws IOException if the disk cannot be read
     */
    Optional<HandleRecord> expand(Handle handle) throws IOException;

    /**
     * Returns whether there are no templates at all, so that a handle without a record does not exist. Called on the
     * packet path: must be cheap, and allocate nothing.
     */
    default boolean isEmpty() {
        return false;
    }
}
