/**
 * Quorum writes: one change at all replicas of a record, versions, rounds, duplicate requests, and the MERGE requests
 * of peers.
 */
package io.guidepost.gnrs.quorum;
