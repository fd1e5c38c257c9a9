package io.guidepost.handle.operation;

import io.guidepost.handle.HandleLimits;
import io.guidepost.handle.record.HandleRecord;
import io.guidepost.handle.value.HandleValue;
import io.guidepost.handle.value.ValueReference;

/** What a record may hold: as much as one message carries to whoever asks for it. */
final class RecordSize {
    /** Header, digest, lengths, a signature by the longest key, an initial vector and padding. */
    private static final int OTHER_BYTES = 4096;

    static final int RECORD_BYTES_MAX = HandleLimits.MESSAGE_BYTES_MAX - OTHER_BYTES;

    static final String TEXT = "a record has at most " + HandleLimits.VALUES_MAX + " values and " + RECORD_BYTES_MAX + " bytes";

    private RecordSize() {}

    /** Whether a record fits an answer that holds all of it. */
    static boolean fits(HandleRecord record) {
        long bytes = record.handle().length();
        for (HandleValue each : record.values()) {
            // A character has at most three bytes in UTF-8, or four for two of them.
            bytes += HandleValue.BYTES_MIN + 3L * each.type().length() + each.data().length;
            for (ValueReference to : each.references()) {
                bytes += 8 + to.handle().length();
            }
        }
        return record.values().size() <= HandleLimits.VALUES_MAX && bytes <= RECORD_BYTES_MAX;
    }
}
