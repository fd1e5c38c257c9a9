/** Durable records: engines, group commit, expiry, backup, change feed, and the read index in front. */
package io.guidepost.store;
