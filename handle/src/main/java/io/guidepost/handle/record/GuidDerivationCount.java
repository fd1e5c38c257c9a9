package io.guidepost.handle.record;

/** Counters of {@link GuidDerivation}. */
public enum GuidDerivationCount {
    /** GUID records written for their handle. */
    GUID_RECORDS_WRITTEN,
    /** GUID records deleted, as their handle has no locators any more. */
    GUID_RECORDS_REMOVED,
    /** GUIDs left unchanged, as a GNRS client had bound them before. */
    GUID_RECORDS_KEPT_FOREIGN,
    /** Values of a location that are malformed or too long. */
    IGNORED_LOCATION_VALUES,
    /** Locators left out, as the GUID's record was full, see {@link io.guidepost.base.CommonLimits#LOCATORS_MAX}. */
    OMITTED_LOCATORS
}
