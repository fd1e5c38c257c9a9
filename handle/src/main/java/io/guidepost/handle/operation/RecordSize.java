package io.guidepost.handle.operation;

import io.guidepost.handle.HandleLimits;
import io.guidepost.handle.record.HandleRecord;
import io.guidepost.handle.value.HandleValue;
import io.guidepost.handle.value.ValueReference;

/** The largest record: one message carries all of it. */
final class RecordSize {
    /** Header, digest, lengths, a signature by the longest key, an initialization vector and padding. */
    private static final int OTHER_BYTES = 4096;

    static final int RECORD_BYTES_MAX = HandleLimits.MESSAGE_BYTES_MAX - OTHER_BYTES;

    static final String TEXT = "a record has at most " + HandleLimits.VALUES_MAX + " values and " + RECORD_BYTES_MAX + " bytes";

    private RecordSize() {}

    /** Returns whether a record fits one response. */
    static boolean fits(HandleRecord record) {
        long bytes = record.handle().length();
        for (HandleValue each : record.values()) {
            // A character has at most three bytes in UTF-8, or four for a surrogate pair.
            bytes += HandleValue.BYTES_MIN + 3L * each.type().length() + each.data().length;
            for (ValueReference to : each.references()) {
                bytes += 8 + to.handle().length();
            }
        }
        return record.values().size() <= HandleLimits.VALUES_MAX && bytes <= RECORD_BYTES_MAX;
    }
}
