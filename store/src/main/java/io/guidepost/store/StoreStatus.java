package io.guidepost.store;

/**
 * The status of a store, for metrics and health.
 *
 * @param records records in the index, or the engine's estimate while it is warming
 * @param indexBytes memory of the index: table, arena and free chunks
 * @param indexBytesMax its bound
 * @param warming whether the index is still being filled from the engine
 * @param complete whether the index holds every record, so that a miss is definitive
 * @param writable whether writes are accepted; false after the disk refused one
 * @param trouble why writes are refused, empty if they are not
 * @param damage the first damage that a read has found since the start, empty if none has: names in it are answered as failures
 * @param groups groups committed
 * @param gatheredNanos total group commit delay
 * @param writes changes made durable
 * @param writesFailed changes refused by disk or engine
 * @param queueFull changes refused because the queue was full
 * @param expired bindings and records that expired and were removed
 * @param evicted records evicted from the index by its bound
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
        String damage,
        long groups,
        long gatheredNanos,
        long writes,
        long writesFailed,
        long queueFull,
        long expired,
        long evicted,
        long sequence) {}
