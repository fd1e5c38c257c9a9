package io.guidepost.alto.protocol;

import java.util.Locale;
import java.util.Optional;

/** How costs are to be read (RFC 7285 section 6.1.2, RFC 9274 section 2, RFC 9275 section 6.5.2). */
public enum CostMode {
    /** Numbers that may be added and compared. */
    NUMERICAL,
    /** Positions: the lower one is the better. */
    ORDINAL,
    /** Arrays; what is in them, the metric says. */
    ARRAY;

    /** The word of the protocol. */
    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** The mode that a word stands for. */
    public static Optional<CostMode> of(String word) {
        for (CostMode each : values()) {
            if (each.word().equals(word)) {
                return Optional.of(each);
            }
        }
        return Optional.empty();
    }
}
