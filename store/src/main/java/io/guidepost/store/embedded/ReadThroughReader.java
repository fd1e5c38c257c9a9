package io.guidepost.store.embedded;

import io.guidepost.base.Memory;
import io.guidepost.store.RecordReader;
import io.guidepost.store.engine.StorageEngine;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;

/** A read-through reader: on an index miss it reads the engine and readmits the record to the index. */
final class ReadThroughReader implements RecordReader {
    private final RecordReader index;
    private final StorageEngine engine;
    private final Maintenance chores;
    private MemorySegment room = MemorySegment.NULL;
    private final List<MemorySegment> full = new ArrayList<>();
    private long used;
    private long at;
    private boolean fromEngine;

    ReadThroughReader(RecordReader index, StorageEngine engine, Maintenance chores) {
        this.index = index;
        this.engine = engine;
        this.chores = chores;
    }

    @Override
    public void enter() {
        used = 0;
        index.enter();
    }

    @Override
    public void exit() {
        full.clear();
        index.exit();
    }

    /**
     * Implements {@link RecordReader#find}.
     *
     * @throws UncheckedIOException if the engine cannot be read
     */
    @Override
    public Found find(byte namespace, MemorySegment segment, long offset, int length) {
        fromEngine = false;
        Found found = index.find(namespace, segment, offset, length);
        return found == Found.UNKNOWN ? ask(namespace, segment, offset, length) : found;
    }

    private Found ask(byte namespace, MemorySegment segment, long offset, int length) {
        byte[] key = new byte[1 + length];
        key[0] = namespace;
        MemorySegment.copy(segment, Memory.BYTE, offset, key, 1, length);
        byte[] image;
        try {
            image = engine.get(key);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        if (image == null) {
            return Found.NO;
        }
        String wrong = IndexWarmer.wrong(key, image);
        if (wrong != null) {
            throw new UncheckedIOException(new IOException(wrong));
        }
        if (used + image.length > room.byteSize()) {
            // What was found before stays readable until the burst ends.
            full.add(room);
            room = Arena.ofAuto().allocate(Math.max(2L * image.length, 4096));
            used = 0;
        }
        at = room.address() + used;
        used += image.length + Long.BYTES - 1 & -Long.BYTES;
        Memory.copy(image, 0, at, image.length);
        fromEngine = true;
        chores.admit(key);
        return Found.YES;
    }

    // The same segment as the index's, so that callers see one kind of memory alone.
    @Override
    public MemorySegment segment() {
        return Memory.ALL;
    }

    @Override
    public long offset() {
        return fromEngine ? at : index.offset();
    }
}
