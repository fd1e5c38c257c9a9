/**
 * Handle records in the store: stored form, reads, changes, listing, a secondary index, and the GNRS records derived
 * from them.
 */
package io.guidepost.handle.record;
