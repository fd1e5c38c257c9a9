package io.guidepost.alto.protocol;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/** Cost modes (RFC 7285 section 6.1.2, RFC 9274 section 2, RFC 9275 section 6.5.2). */
public enum CostMode {
    /** Numbers that a client may add and compare. */
    NUMERICAL,
    /** Ranks: a lower one is better. */
    ORDINAL,
    /** Arrays; the metric defines their elements. */
    ARRAY;

    /** Returns the word of the protocol. */
    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** Returns the mode of a word of the protocol. */
    public static Optional<CostMode> of(String word) {
        return Arrays.stream(values()).filter(each -> each.word().equals(word)).findFirst();
    }
}
