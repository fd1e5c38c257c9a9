/**
 * Mirrors of a server: the log of its transactions, the streams that mirrors pull, both sides of them. Existing servers
 * can be on either side.
 */
@NullMarked
package io.guidepost.handle.replication;

import org.jspecify.annotations.NullMarked;
