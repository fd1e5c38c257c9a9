/**
 * Handle records in the store: stored form, reads, changes, listing, a secondary index, and the GNRS records derived
 * from them.
 */
@NullMarked
package io.guidepost.handle.record;

import org.jspecify.annotations.NullMarked;
