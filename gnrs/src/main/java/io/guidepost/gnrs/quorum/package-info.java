/**
 * Quorum writes: one change at all replicas of a record, versions, rounds, duplicate requests, and the MERGE requests
 * of peers.
 */
@NullMarked
package io.guidepost.gnrs.quorum;

import org.jspecify.annotations.NullMarked;
