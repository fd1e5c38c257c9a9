/** Records that survive kill -9: engine, group commit, expiry, backup, change feed, and the read index in front. */
@NullMarked
package io.guidepost.store;

import org.jspecify.annotations.NullMarked;
