/**
 * Replication: the transaction log, the streams that mirrors pull, and both sides of them. Existing servers can be on
 * either side.
 */
package io.guidepost.handle.replication;
