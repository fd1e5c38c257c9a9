package io.guidepost.handle.service;

import io.guidepost.handle.HandleValue;
import io.guidepost.handle.Limits;
import io.guidepost.handle.ValueReference;
import io.guidepost.handle.record.HandleRecord;

/** What a record may hold: as much as one message carries to whoever asks for it. */
final class Sizes {
    /** Header, digest, lengths, a signature by the longest key, an initial vector and padding. */
    private static final int OTHER_BYTES = 4096;

    static final int RECORD_BYTES_MAX = Limits.MESSAGE_BYTES_MAX - OTHER_BYTES;

    static final String TEXT = "a record has at most " + Limits.VALUES_MAX + " values and " + RECORD_BYTES_MAX + " bytes";

    private Sizes() {}

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
        return record.values().size() <= Limits.VALUES_MAX && bytes <= RECORD_BYTES_MAX;
    }
}
