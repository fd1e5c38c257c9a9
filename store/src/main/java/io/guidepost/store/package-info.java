/** Durable records: engines, group commit, expiry, backup, change feed, and the read index in front. */
@NullMarked
package io.guidepost.store;

import org.jspecify.annotations.NullMarked;
