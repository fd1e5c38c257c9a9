/**
 * What all threads of one server share about the records that it replicates: range digests, hinted handoff, change
 * marks, synchronisation state.
 */
package io.guidepost.gnrs.replica;
