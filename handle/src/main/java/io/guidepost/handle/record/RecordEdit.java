package io.guidepost.handle.record;

import io.guidepost.handle.message.ResponseCode;
import java.util.Optional;

/** A change of one record: called by the store's committer with the record as it is then, and must be quick. */
@FunctionalInterface
public interface RecordEdit {
    /**
     * Makes the next form of a record, or says why not.
     *
     * @param current the record as it is, without which there is none
     * @param nowSeconds the store's time, seconds since 1970
     */
    Next apply(Optional<HandleRecord> current, long nowSeconds);

    /** What is to become of a record. */
    sealed interface Next {
        /**
         * It is written so.
         *
         * @param record with at least one value
         * @param replaced whether the answer is to say that something was there before
         */
        record Written(HandleRecord record, boolean replaced) implements Next {}

        /** It is deleted. */
        record Deleted() implements Next {}

        /**
         * Nothing changes.
         *
         * @param code why; {@link ResponseCode#SUCCESS} if there is nothing to change
         * @param text more about it, for people; may be empty
         */
        record Refused(ResponseCode code, String text) implements Next {}
    }
}
