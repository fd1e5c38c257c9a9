package io.guidepost.store;

import io.guidepost.base.Memory;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A read-through reader: what an index cannot tell it reads where the records are. One thread's. */
public final class ReadThroughReader implements RecordReader {
    private static final int ROOM_BYTES_MIN = 4096;

    private final RecordReader index;
    private final Source source;
    private MemorySegment room = MemorySegment.NULL;
    private final List<MemorySegment> full = new ArrayList<>();
    private long used;
    private long at;
    private boolean fromSource;

    /** Where the records are. */
    @FunctionalInterface
    public interface Source {
        /**
         * Reads the image of a record, which may be published; null if there is none. May wait.
         *
         * @throws IOException if it cannot be read
         */
        byte @Nullable [] image(byte[] key) throws IOException;
    }

    /** Creates one. */
    public ReadThroughReader(RecordReader index, Source source) {
        this.index = index;
        this.source = source;
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
     * @throws UncheckedIOException if the record cannot be read
     */
    @Override
    public Found find(byte namespace, MemorySegment segment, long offset, int length) {
        fromSource = false;
        Found found = index.find(namespace, segment, offset, length);
        return found == Found.UNKNOWN ? ask(namespace, segment, offset, length) : found;
    }

    private Found ask(byte namespace, MemorySegment segment, long offset, int length) {
        byte[] key = new byte[1 + length];
        key[0] = namespace;
        MemorySegment.copy(segment, Memory.BYTE, offset, key, 1, length);
        byte[] image;
        try {
            image = source.image(key);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        if (image == null) {
            return Found.NO;
        }
        if (used + image.length > room.byteSize()) {
            // What was found before stays readable until the burst ends.
            full.add(room);
            room = Arena.ofAuto().allocate(Math.max(2L * image.length, ROOM_BYTES_MIN));
            used = 0;
        }
        at = room.address() + used;
        used += image.length + Long.BYTES - 1 & -Long.BYTES;
        Memory.copy(image, 0, at, image.length);
        fromSource = true;
        return Found.YES;
    }

    // The same segment as the index's, so that callers see one kind of memory alone.
    @Override
    public MemorySegment segment() {
        return Memory.ALL;
    }

    @Override
    public long offset() {
        return fromSource ? at : index.offset();
    }
}
