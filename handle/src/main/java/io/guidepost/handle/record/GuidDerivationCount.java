package io.guidepost.handle.record;

/** What {@link GuidDerivation} counts. */
public enum GuidDerivationCount {
    /** GUIDs whose places were written for the handle that they belong to. */
    WRITTEN,
    /** GUIDs that have no places any more, as their handle has none. */
    REMOVED,
    /** GUIDs that were left alone, as somebody else had bound them before the handle had places. */
    KEPT_FOREIGN,
    /** Values that would say where the thing is, but are malformed or too long. */
    VALUES_PASSED_OVER,
    /** Places left out because a GUID has no room for more, see {@link io.guidepost.base.CommonLimits#LOCATORS_MAX}. */
    PLACES_LEFT_OUT
}
