package io.guidepost.handle.record;

import io.guidepost.handle.message.ResponseCode;
import java.util.Optional;

/**
 * A change of one record. The thread that submits it calls it with the record as it was read, and the store's committer again if that is
 * another by then; it must be quick.
 */
@FunctionalInterface
public interface RecordEdit {
    /**
     * Computes the next form of a record, or refuses the change.
     *
     * @param current the record; empty if there is none
     * @param nowSeconds the store's time, seconds since 1970
     */
    Next apply(Optional<HandleRecord> current, long nowSeconds);

    /** The result of an edit. */
    sealed interface Next {
        /**
         * The record is written.
         *
         * @param record with at least one value
         * @param replaced whether the response tells that a record or value was replaced
         */
        record Written(HandleRecord record, boolean replaced) implements Next {}

        /** The record is deleted. */
        record Deleted() implements Next {}

        /**
         * Nothing changes.
         *
         * @param code the reason; {@link ResponseCode#SUCCESS} if there is nothing to change
         * @param text details for people; may be empty
         */
        record Refused(ResponseCode code, String text) implements Next {}
    }
}
