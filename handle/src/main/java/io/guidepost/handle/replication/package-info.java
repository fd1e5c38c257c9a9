/**
 * Replication: the transaction log, the streams that mirrors pull, and both sides of them. Existing servers can be on
 * either side.
 */
@NullMarked
package io.guidepost.handle.replication;

import org.jspecify.annotations.NullMarked;
