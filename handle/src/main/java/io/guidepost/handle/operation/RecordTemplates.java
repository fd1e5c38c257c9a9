package io.guidepost.handle.operation;

import io.guidepost.handle.Handle;
import io.guidepost.handle.record.HandleRecord;
import java.io.IOException;
import java.util.Optional;

/** Makes the records of handles that have none of their own, by the templates of their prefixes. Thread-safe. */
@FunctionalInterface
public interface RecordTemplates {
    /** Knows no templates. */
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
     * The record that a template makes.
     *
     * @param handle of a prefix that is at home here, without a record of its own
     * @return empty if no template is for it, or the template fails
     * @throws IOException if the disk cannot be read
     */
    Optional<HandleRecord> expand(Handle handle) throws IOException;

    /**
     * Whether there are no templates at all now, so that a handle without a record is known not to be. Called on the packet
     * path: must be cheap, and allocate nothing.
     */
    default boolean isEmpty() {
        return false;
    }
}
