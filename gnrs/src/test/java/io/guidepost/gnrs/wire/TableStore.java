package io.guidepost.gnrs.wire;

import io.guidepost.base.Malformed;
import io.guidepost.names.Binding;
import io.guidepost.names.Name;
import io.guidepost.names.Record;
import io.guidepost.store.RecordImage;
import io.guidepost.store.RecordReader;
import io.guidepost.store.RecordStore;
import io.guidepost.store.StoreStatus;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.TreeMap;
import java.util.function.BiPredicate;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * A store in a sorted map with a table of GUIDs in front, stepped by hand: changes wait until {@link #commit}. The door's
 * tests decide when a write is durable, when the queue is full, the disk refuses, or the index does not know. Looks
 * allocate nothing. One thread.
 */
public final class TableStore implements RecordStore {
    private static final int SLOTS_MIN = 1 << 10;

    private final TreeMap<byte[], byte[]> records = new TreeMap<>(Arrays::compareUnsigned);
    private final Queue<Pending> queue = new ArrayDeque<>();
    private final LongSupplier clock;
    private long[] highs = new long[SLOTS_MIN];
    private long[] middles = new long[SLOTS_MIN];
    private int[] lows = new int[SLOTS_MIN];
    private @Nullable MemorySegment[] images = new MemorySegment[SLOTS_MIN];
    private int used;
    private long version;
    private long failed;
    private long refused;

    /** Changes that may wait. */
    public int queueMax = Integer.MAX_VALUE;

    /** Whether the disk refuses. */
    public boolean diskFull;

    /** Whether a miss of the index is certain. */
    public boolean complete = true;

    /** Whether the index has forgotten everything. */
    public boolean cold;

    /** Images that were visited. */
    public long visited;

    /** Hears of every change. */
    public @Nullable Observer observer;

    private record Pending(byte[] key, Change change, Completion completion) {}

    /** Empty; the clock says what has ended. */
    public TableStore(LongSupplier clock) {
        this.clock = clock;
    }

    /** Makes the changes that wait, in order. */
    public void commit() {
        for (Pending each = queue.poll(); each != null; each = queue.poll()) {
            commit(each);
        }
    }

    /** Takes out what has ended, or may be forgotten. */
    public void expire() {
        for (byte[] each : List.copyOf(records.keySet())) {
            submit(each, Change.expire(), (outcome, given) -> {});
        }
        commit();
    }

    @SuppressWarnings("ReferenceEquality") // KEEP and DELETE are told from records by what they are.
    private void commit(Pending pending) {
        byte[] current = records.get(pending.key);
        byte[] next = pending.change.apply(pending.key, current, version + 1, clock.getAsLong());
        if (next == Change.KEEP) {
            pending.completion.complete(Outcome.KEPT, current == null ? 0 : RecordImage.version(MemorySegment.ofArray(current), 0));
        } else if (next == Change.DELETE && current == null) {
            pending.completion.complete(Outcome.KEPT, 0);
        } else if (diskFull) {
            failed++;
            pending.completion.complete(Outcome.FAILED, 0);
        } else {
            version++;
            byte[] after = next == Change.DELETE ? null : next;
            set(pending.key, after);
            if (observer != null) {
                observer.changed(0, pending.key, current, after);
            }
            pending.completion.complete(Outcome.DONE, version);
        }
        Runnable afterwards = pending.completion.afterwards();
        if (afterwards != null) {
            afterwards.run();
        }
    }

    private void set(byte[] key, byte @Nullable [] image) {
        if (image == null) {
            records.remove(key);
        } else {
            records.put(key, image);
        }
        MemorySegment guid = MemorySegment.ofArray(key);
        int slot = slot(guid, 1);
        if (images[slot] == null && image == null) {
            return;
        }
        boolean fresh = images[slot] == null;
        highs[slot] = guid.get(GnrsWire.LONG, 1);
        middles[slot] = guid.get(GnrsWire.LONG, 9);
        lows[slot] = guid.get(GnrsWire.INT, 17);
        // A removed record leaves an empty segment, so that those behind it are still found.
        images[slot] = image == null ? MemorySegment.NULL : copy(image);
        if (fresh && ++used > images.length / 2) {
            rebuild();
        }
    }

    private static MemorySegment copy(byte[] image) {
        return Arena.ofAuto().allocate(image.length).copyFrom(MemorySegment.ofArray(image));
    }

    /** Sheds what was removed, and grows if there are many records. */
    private void rebuild() {
        int slots = records.size() > images.length / 4 ? 2 * images.length : images.length;
        highs = new long[slots];
        middles = new long[slots];
        lows = new int[slots];
        images = new MemorySegment[slots];
        used = 0;
        for (Map.Entry<byte[], byte[]> each : records.entrySet()) {
            set(each.getKey(), each.getValue());
        }
    }

    private int slot(MemorySegment segment, long offset) {
        long high = segment.get(GnrsWire.LONG, offset);
        long middle = segment.get(GnrsWire.LONG, offset + 8);
        int low = segment.get(GnrsWire.INT, offset + 16);
        long hash = (high ^ Long.rotateLeft(middle, 21) ^ low) * 0x9e3779b97f4a7c15L;
        int slot = (int) (hash >>> 32) & images.length - 1;
        while (images[slot] != null && (highs[slot] != high || middles[slot] != middle || lows[slot] != low)) {
            slot = slot + 1 & images.length - 1;
        }
        return slot;
    }

    private final class TableReader implements RecordReader {
        private final boolean through;
        private MemorySegment found = MemorySegment.NULL;
        private boolean entered;

        TableReader(boolean through) {
            this.through = through;
        }

        @Override
        public void enter() {
            if (entered) {
                throw new IllegalStateException("entered twice");
            }
            entered = true;
        }

        @Override
        public void exit() {
            if (!entered) {
                throw new IllegalStateException("not entered");
            }
            entered = false;
        }

        @Override
        public Found find(byte namespace, MemorySegment segment, long offset, int length) {
            if (!entered || namespace != Name.Namespace.GUID.code() || length != 20) {
                throw new IllegalStateException("a look outside of a burst, or for no GUID");
            }
            if (through && diskFull) {
                throw new UncheckedIOException(new IOException("the disk does not read"));
            }
            if (cold && !through) {
                return Found.UNKNOWN;
            }
            MemorySegment image = images[slot(segment, offset)];
            if (image == null || image.byteSize() == 0) {
                return complete || through ? Found.NO : Found.UNKNOWN;
            }
            found = image;
            return Found.YES;
        }

        @Override
        public MemorySegment segment() {
            return found;
        }

        @Override
        public long offset() {
            return 0;
        }
    }

    @Override
    public RecordReader reader() {
        return new TableReader(false);
    }

    @Override
    public RecordReader throughReader() {
        return new TableReader(true);
    }

    @Override
    public boolean submit(byte[] key, Change change, Completion completion) {
        if (queue.size() >= queueMax) {
            refused++;
            return false;
        }
        queue.add(new Pending(key, change, completion));
        return true;
    }

    @Override
    public Optional<Record> get(Name name) {
        byte[] image = records.get(name.key());
        return image == null ? Optional.empty() : Optional.of(live(image));
    }

    private Record live(byte[] image) {
        try {
            Record record = RecordImage.read(image);
            long now = clock.getAsLong();
            return new Record(
                    record.name(),
                    record.version(),
                    record.bindings().stream()
                            .filter((Binding each) -> !each.expired(now))
                            .toList(),
                    record.values());
        } catch (Malformed e) {
            throw new IllegalStateException("the door wrote what is no image", e);
        }
    }

    @Override
    public Optional<Long> put(Record record, long expectedVersion) {
        version++;
        set(record.name().key(), RecordImage.write(new Record(record.name(), version, record.bindings(), record.values())));
        return Optional.of(version);
    }

    @Override
    public boolean delete(Name name) {
        boolean there = records.containsKey(name.key());
        set(name.key(), null);
        return there;
    }

    @Override
    public void scan(byte[] prefix, byte @Nullable [] after, Predicate<Record> visitor) {
        for (Map.Entry<byte[], byte[]> each : records.tailMap(after == null ? prefix : after, after == null).entrySet()) {
            if (!visitor.test(live(each.getValue()))) {
                return;
            }
        }
    }

    @Override
    public void images(byte @Nullable [] after, BiPredicate<byte[], byte[]> visitor) {
        Map<byte[], byte[]> rest = after == null ? records : records.tailMap(after, false);
        for (Map.Entry<byte[], byte[]> each : rest.entrySet()) {
            visited++;
            if (!visitor.test(each.getKey(), each.getValue())) {
                return;
            }
        }
    }

    @Override
    public long changes(long after, Predicate<ChangeEvent> visitor) {
        return version;
    }

    @Override
    public void backup(Path folder) throws IOException {
        throw new IOException("records in memory are not backed up to " + folder);
    }

    @Override
    public StoreStatus status() {
        return new StoreStatus(
                records.size(), 0, 0, false, complete, !diskFull, "", "", 0, 0, version, failed, refused, 0, 0, version);
    }

    @Override
    public void close() {
        queue.clear();
    }
}
