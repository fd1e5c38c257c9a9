package io.guidepost.alto.update;

import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * What the services of updates share.
 *
 * @param renderings the resources with updates
 * @param live signals new versions
 * @param differences cache of patches
 * @param ids supplies unpredictable texts of letters and digits, each once
 * @param clock in nanoseconds
 */
public record UpdateContext(
        UpdateSources renderings, AltoSnapshotMonitor live, PatchCache differences, Supplier<String> ids, LongSupplier clock) {}
