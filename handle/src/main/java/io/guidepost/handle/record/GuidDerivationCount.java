package io.guidepost.handle.record;

/** Counters of {@link GuidDerivation}. */
public enum GuidDerivationCount {
    /** GUID records written for their handle. */
    WRITTEN,
    /** GUID records deleted, as their handle has no locators any more. */
    REMOVED,
    /** GUIDs left unchanged, as a GNRS client had bound them before. */
    KEPT_FOREIGN,
    /** Values of a location that are malformed or too long. */
    VALUES_PASSED_OVER,
    /** Locators left out, as the GUID's record was full, see {@link io.guidepost.base.CommonLimits#LOCATORS_MAX}. */
    PLACES_LEFT_OUT
}
