package io.guidepost.store;

/**
 * What a store is doing, for metrics and health.
 *
 * @param records records in the index, or as near as the engine can say while it is warming
 * @param indexBytes memory of the index: table, arena and free chunks
 * @param indexBytesMax the bound on it
 * @param warming whether the index is still being filled from the engine
 * @param complete whether the index holds every record, so that a miss is certain
 * @param writable whether writes are taken; false after the disk refused
 * @param trouble why writes are refused, empty if they are not
 * @param groups groups committed
 * @param gatheredNanos how long groups waited for more writes to come
 * @param writes changes made durable
 * @param writesFailed changes refused by disk or engine
 * @param queueFull changes refused because the queue was full
 * @param expired bindings and records that ended by their time and were removed
 * @param evicted records pushed out of the index by its bound
 * @param sequence number of the last change in the feed
 */
public record StoreStatus(
        long records,
        long indexBytes,
        long indexBytesMax,
        boolean warming,
        boolean complete,
        boolean writable,
        String trouble,
        long groups,
        long gatheredNanos,
        long writes,
        long writesFailed,
        long queueFull,
        long expired,
        long evicted,
        long sequence) {}
