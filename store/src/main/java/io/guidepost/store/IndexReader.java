package io.guidepost.store;

import java.lang.foreign.MemorySegment;

/** The eye of one thread on the {@link ReadIndex}. */
final class IndexReader implements Reader {
    private final ReadIndex index;
    private final Epochs epochs;
    private final long[] cell;
    private long address;

    @SuppressWarnings("unused") // Keeps the compiler from leaving out the reads that fetch.
    private long fetched;

    IndexReader(ReadIndex index, Epochs epochs) {
        this.index = index;
        this.epochs = epochs;
        this.cell = epochs.register();
    }

    @Override
    public void enter() {
        epochs.enter(cell);
    }

    @Override
    public void exit() {
        epochs.exit(cell);
    }

    @Override
    public Found find(byte namespace, MemorySegment segment, long offset, int length) {
        // Asked before the look, as warming may end meanwhile, and after it, as eviction may begin meanwhile.
        boolean complete = index.complete();
        address = index.find(index.hash(namespace, segment, offset, length), namespace, segment, offset, length);
        if (address != 0) {
            return Found.YES;
        }
        return complete && index.complete() ? Found.NO : Found.UNKNOWN;
    }

    @Override
    public long hash(byte namespace, MemorySegment segment, long offset, int length) {
        return index.hash(namespace, segment, offset, length);
    }

    @Override
    public void fetch(long[] hashes, int count) {
        fetched = index.touch(hashes, count);
    }

    @Override
    public MemorySegment segment() {
        return Memory.ALL;
    }

    @Override
    public long offset() {
        return address;
    }
}
