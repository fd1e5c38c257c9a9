package io.guidepost.naming;

import io.guidepost.names.Locator;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What a client wants a record to become.
 *
 * @param replace whether all places are removed first
 * @param remove places to be removed
 * @param add places to be added, or given other times and attributes
 * @param ifMatch the version that the record must have, or {@code *} for any
 * @param ifAbsent whether there must be no record
 * @param lease the lease that holds the added places, or null
 */
record NameEdit(
        boolean replace, Set<Locator> remove, PlaceReader add, Optional<String> ifMatch, boolean ifAbsent, @Nullable Lease lease) {
    /** Returns the same change with a lease that holds the added places. */
    NameEdit heldBy(@Nullable Lease holder) {
        return new NameEdit(replace, remove, add, ifMatch, ifAbsent, holder);
    }
}
