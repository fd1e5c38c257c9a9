package io.guidepost.fleet;

import io.guidepost.names.Name;
import io.guidepost.store.RecordImage;
import io.guidepost.store.RecordReader;
import io.guidepost.store.StoreOptions;
import io.guidepost.store.index.ReadIndex;
import java.lang.foreign.MemorySegment;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The off-heap index as a cache with bounded staleness: what a reader finds was read from a quorum, or written, no longer ago than the
 * bound. Writers take turns; readers take no lock and allocate nothing.
 *
 * <p>When an image was read stands beside the index, in a table of words without chains:
 *
 * <pre>
 *  63        32 31                                              1 0
 *  tag of hash | milliseconds since the cache was made, plus 1   | being renewed
 * </pre>
 *
 * Two keys with one word displace each other, which costs a read. What is asked for in the second half of its time is renewed, so that
 * no look-up of a name that is often asked for waits. The word is looked at before the index: it is published behind the
 * image, so the image that is found then is no older than the word says.
 */
final class RecordCache {
    private static final int WORDS_MAX = 1 << 22;
    private static final int WORDS_MIN = 1 << 12;
    private static final int BYTES_OF_A_WORD = 1024;

    private final ReadIndex index;
    private final AtomicLongArray words;
    private final long staleMillis;
    private final long serveStaleMillis;
    private final InstantSource clock;
    private final LongSupplier nanoClock;
    private final Renewal renewal;
    private final long madeNanos;
    private long sweptMillis;

    /** Asks for an image again, without waiting. */
    @FunctionalInterface
    interface Renewal {
        /** Asks for that of one key. */
        void offer(byte namespace, MemorySegment segment, long offset, int length);
    }

    RecordCache(StoreOptions options, FleetSettings settings, LongSupplier nanoClock, Renewal renewal) {
        this.index = new ReadIndex(options.indexBytesMax(), options.random(), options.memory());
        this.words = new AtomicLongArray(
                Math.clamp(Long.highestOneBit(options.indexBytesMax() / BYTES_OF_A_WORD), WORDS_MIN, WORDS_MAX));
        this.staleMillis = settings.staleMillis();
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
        return (nanos - madeNanos) / 1_000_000 + 1;
    }

    private int slot(long hash) {
        return (int) hash & words.length() - 1;
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
        byte[] there = index.get(key, hash);
        long version = RecordImage.version(MemorySegment.ofArray(image), 0);
        long has = there == null ? 0 : RecordImage.version(MemorySegment.ofArray(there), 0);
        // What is merged may have the version of the newest place for ever, or lose it with a place that has ended.
        if (has > version && RecordImage.nextExpiry(MemorySegment.ofArray(there), 0) > clock.millis()) {
            return;
        }
        boolean same = has == version && there != null && Arrays.equals(there, image);
        if (has == version && !same && isLater(hash, askedNanos)) {
            return;
        }
        if (!same) {
            index.put(key, hash, image);
        }
        words.setRelease(slot(hash), hash >>> 32 << 32 | millis(askedNanos) << 1 & 0xffff_ffffL);
        index.tidy();
    }

    /** Returns whether what is here was asked for later than a time. */
    private boolean isLater(long hash, long askedNanos) {
        long word = words.get(slot(hash));
        return word != 0 && (word ^ hash) >>> 32 == 0 && age(word, millis(askedNanos)) < 0;
    }

    /** Drops a record whose version is now another, unless that or a later one is here. */
    synchronized void forget(byte[] key, long version) {
        if (!holds(key)) {
            return;
        }
        long hash = index.hash(key);
        byte[] there = index.get(key, hash);
        if (there != null && RecordImage.version(MemorySegment.ofArray(there), 0) < version) {
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
        long word = words.get(slot(hash));
        return word == 0 || (word ^ hash) >>> 32 != 0 || age(word, millis(nanoClock.getAsLong())) > serveStaleMillis
                ? null
                : index.get(key, hash);
    }

    /** Clears words that are long out of date, before their time comes round again; to be called now and then. */
    synchronized void sweep() {
        long now = millis(nanoClock.getAsLong());
        if (now - sweptMillis < Integer.MAX_VALUE / 4) {
            return;
        }
        sweptMillis = now;
        for (int i = 0; i < words.length(); i++) {
            if (age(words.getPlain(i), now) > serveStaleMillis) {
                words.setPlain(i, 0);
            }
        }
    }

    /** The lower halves alone, so that it is right when they have come round. */
    private static int age(long word, long nowMillis) {
        return (int) (nowMillis << 1) - (int) (word & ~1L) >> 1;
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
        public Found find(byte namespace, MemorySegment segment, long offset, int length) {
            long hash = index.hash(namespace, segment, offset, length);
            long word = words.getAcquire(slot(hash));
            int age = age(word, nowMillis);
            if (word == 0 || (word ^ hash) >>> 32 != 0 || age > staleMillis || staleMillis == 0) {
                return Found.UNKNOWN;
            }
            if (reader.find(namespace, segment, offset, length) != Found.YES) {
                return Found.UNKNOWN;
            }
            if (age > staleMillis / 2 && (word & 1) == 0 && words.compareAndSet(slot(hash), word, word | 1)) {
                renewal.offer(namespace, segment, offset, length);
            }
            return Found.YES;
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
