package io.guidepost.fleet;

import io.guidepost.base.Memory;
import io.guidepost.names.Name;
import io.guidepost.store.RecordImage;
import io.guidepost.store.RecordReader;
import io.guidepost.store.StoreOptions;
import io.guidepost.store.index.ReadIndex;
import java.lang.foreign.MemorySegment;
import java.time.InstantSource;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The off-heap index as a cache with bounded staleness: what a reader finds was read from a quorum, or written, no longer ago than the
 * bound. Writers take turns; readers take no lock and allocate nothing.
 *
 * <p>When an image was last read stands in a word beside it, see {@link ReadIndex#note}:
 *
 * <pre>
 *  63                                              1 0
 *  milliseconds since the cache was made            | being renewed
 * </pre>
 *
 * What is asked for in the last quarter of its time is renewed, so that no look-up of a name that is often asked for waits. A renewal
 * that finds the same image changes its word alone.
 */
final class RecordCache {
    private final ReadIndex index;
    private final long staleMillis;
    private final long renewMillis;
    private final long serveStaleMillis;
    private final InstantSource clock;
    private final LongSupplier nanoClock;
    private final Renewal renewal;
    private final long madeNanos;

    /** Asks for an image again, without waiting. */
    @FunctionalInterface
    interface Renewal {
        /** Asks for that of one key; returns whether it will be asked for. */
        boolean offer(byte namespace, MemorySegment segment, long offset, int length);
    }

    RecordCache(StoreOptions options, FleetSettings settings, LongSupplier nanoClock, Renewal renewal) {
        this.index = ReadIndex.withNotes(options.indexBytesMax(), options.random(), options.memory());
        // Without a bound even what was read in this millisecond is too old.
        this.staleMillis = settings.staleMillis() == 0 ? Long.MIN_VALUE : settings.staleMillis();
        this.renewMillis = staleMillis - staleMillis / 4;
        this.serveStaleMillis = Math.max(staleMillis, settings.serveStaleMillis());
        this.clock = options.clock();
        this.nanoClock = nanoClock;
        this.renewal = renewal;
        this.madeNanos = nanoClock.getAsLong();
    }

    /** Returns whether a record is kept: those of other namespaces are only scanned. */
    private boolean holds(byte[] key) {
        return serveStaleMillis > 0 && (key[0] == Name.Namespace.GUID.code() || key[0] == Name.Namespace.HANDLE.code());
    }

    private long millis(long nanos) {
        return (nanos - madeNanos) / 1_000_000;
    }

    /** Returns the word of an image that was asked for at a time. */
    private long word(long askedNanos) {
        return millis(askedNanos) << 1;
    }

    private static long ageMillis(long word, long nowMillis) {
        return nowMillis - (word >> 1);
    }

    /**
     * Takes what a quorum answered, unless a later version is here.
     *
     * @param image null if there is no record
     * @param askedNanos when it was asked
     */
    synchronized void put(byte[] key, byte @Nullable [] image, long askedNanos) {
        if (!holds(key)) {
            return;
        }
        long hash = index.hash(key);
        if (image == null) {
            drop(key, hash);
            return;
        }
        long there = index.address(key, hash);
        if (there == 0) {
            index.put(key, hash, image, word(askedNanos));
        } else {
            replace(there, key, hash, image, askedNanos);
        }
        index.tidy();
    }

    private void replace(long there, byte[] key, long hash, byte[] image, long askedNanos) {
        long version = RecordImage.version(MemorySegment.ofArray(image), 0);
        long has = RecordImage.version(Memory.ALL, there);
        // What is merged may have the version of the newest place for ever, or lose it with a place that has ended.
        if (has > version && RecordImage.nextExpiry(Memory.ALL, there) > clock.millis()) {
            return;
        }
        if (has == version && isSame(there, image)) {
            ReadIndex.note(there, word(askedNanos));
        } else if (has != version || ageMillis(ReadIndex.note(there), millis(askedNanos)) >= 0) {
            index.put(key, hash, image, word(askedNanos));
        }
    }

    private static boolean isSame(long there, byte[] image) {
        return RecordImage.length(Memory.ALL, there) == image.length
                && Memory.same(Memory.ALL, there, MemorySegment.ofArray(image), 0, image.length);
    }

    /** Drops a record whose version is now another, unless that or a later one is here. */
    synchronized void forget(byte[] key, long version) {
        if (!holds(key)) {
            return;
        }
        long hash = index.hash(key);
        long there = index.address(key, hash);
        if (there != 0 && RecordImage.version(Memory.ALL, there) < version) {
            drop(key, hash);
        }
    }

    private void drop(byte[] key, long hash) {
        index.remove(key, hash);
        index.tidy();
    }

    /** Returns an image that may be answered while the cluster does not answer; null if there is none. */
    synchronized byte @Nullable [] stale(byte[] key) {
        if (!holds(key)) {
            return null;
        }
        long hash = index.hash(key);
        long there = index.address(key, hash);
        return there == 0 || ageMillis(ReadIndex.note(there), millis(nanoClock.getAsLong())) > serveStaleMillis
                ? null
                : index.get(key, hash);
    }

    long records() {
        return index.records();
    }

    long evicted() {
        return index.evicted();
    }

    long bytes() {
        return index.bytes();
    }

    long bytesMax() {
        return index.bytesMax();
    }

    /** Returns a reader for one thread: it finds what is fresh, and knows nothing of the rest. */
    RecordReader reader() {
        return new Reader(index.reader());
    }

    private final class Reader implements RecordReader {
        private final RecordReader reader;
        private long nowMillis;

        Reader(RecordReader reader) {
            this.reader = reader;
        }

        @Override
        public void enter() {
            reader.enter();
            nowMillis = millis(nanoClock.getAsLong());
        }

        @Override
        public void exit() {
            reader.exit();
        }

        @Override
        public void prefetch(byte namespace, MemorySegment segment, long offset, int length) {
            reader.prefetch(namespace, segment, offset, length);
        }

        @Override
        public Found find(byte namespace, MemorySegment segment, long offset, int length) {
            if (reader.find(namespace, segment, offset, length) != Found.YES) {
                return Found.UNKNOWN;
            }
            long word = ReadIndex.note(reader.offset());
            long age = ageMillis(word, nowMillis);
            if (age > renewMillis) {
                if (age > staleMillis) {
                    return Found.UNKNOWN;
                }
                if ((word & 1) == 0) {
                    renew(word, namespace, segment, offset, length);
                }
            }
            return Found.YES;
        }

        private void renew(long word, byte namespace, MemorySegment segment, long offset, int length) {
            long image = reader.offset();
            if (ReadIndex.replaceNote(image, word, word | 1) && !renewal.offer(namespace, segment, offset, length)) {
                ReadIndex.replaceNote(image, word | 1, word);
            }
        }

        @Override
        public MemorySegment segment() {
            return reader.segment();
        }

        @Override
        public long offset() {
            return reader.offset();
        }
    }
}
