package io.guidepost.lab.simulation;

import io.guidepost.base.Malformed;
import io.guidepost.lab.events.EventScheduler;
import io.guidepost.names.Name;
import io.guidepost.names.Record;
import io.guidepost.store.RecordImage;
import io.guidepost.store.RecordReader;
import io.guidepost.store.RecordStore;
import io.guidepost.store.StoreStatus;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.function.BiPredicate;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * A simulated disk. Changes that arrive together form one commit group, which takes its time; only then are they
 * durable, visible and reported. A crash loses what waits, and all or none of the group that is being written.
 */
final class SimulatedStore implements RecordStore {
    /** Changes of one sync. */
    private static final int GROUP_MAX = 64;

    /** Changes that may wait. */
    private static final int QUEUE_MAX = 4096;

    private static final long SYNC_NANOS = 2 * EventScheduler.NANOS_PER_MILLI;

    private record Pending(byte[] key, Change change, Completion completion) {}

    /** A change in the group that is being written; an image of null removes the record. */
    private record Written(Pending pending, boolean kept, byte @Nullable [] before, byte @Nullable [] image, long version) {}

    private final EventScheduler world;
    private final SplittableRandom random;
    private final LongSupplier wallMillis;
    private final InjectedDefects defects;
    private final TreeMap<byte[], byte[]> records = new TreeMap<>(Arrays::compareUnsigned);
    private final ArrayDeque<Pending> queue = new ArrayDeque<>();
    private List<Written> group = List.of();
    private boolean writing;
    private boolean sweeping;
    private @Nullable Observer observer;
    private @Nullable Derivation derivation;
    private final List<ChangeEvent> feed = new ArrayList<>();
    private UnaryOperator<List<ChangeEvent>> reread = UnaryOperator.identity();
    private int life;
    private long version;
    private long failed;
    private long sequence;
    private long refused;
    private boolean full;
    private long slowNanos;

    /** The interval of expiry sweeps. */
    private static final long SWEEP_NANOS = 1000 * EventScheduler.NANOS_PER_MILLI;

    SimulatedStore(EventScheduler world, SplittableRandom random, LongSupplier wallMillis, InjectedDefects defects) {
        this.defects = defects;
        this.world = world;
        this.random = random;
        this.wallMillis = wallMillis;
    }

    /** Sets whether the disk refuses writes. */
    void full(boolean now) {
        full = now;
    }

    /** Sets the extra time of a sync. */
    void slow(long nanos) {
        slowNanos = nanos;
    }

    /** Returns whether the disk is empty. */
    boolean isEmpty() {
        return records.isEmpty();
    }

    /** Ends the process. */
    void crash() {
        life++;
        observer = null;
        sweeping = false;
        queue.clear();
        if (random.nextBoolean()) {
            for (Written each : group) {
                restore(each);
            }
        }
        group = List.of();
        writing = false;
    }

    /** Restores a change that reached the disk unreported. */
    private void restore(Written change) {
        byte[] image = change.image();
        if (change.kept()) {
            return;
        }
        if (image == null) {
            records.remove(change.pending().key());
        } else {
            records.put(change.pending().key(), image);
        }
        feed(change.pending().key(), image);
    }

    private void feed(byte[] key, byte @Nullable [] image) {
        sequence++;
        if (derivation != null) {
            feed.add(new ChangeEvent(sequence, key, image));
        }
    }

    /** Loses the disk. */
    void erase() {
        records.clear();
    }

    @Override
    public boolean submit(byte[] key, Change change, Completion completion) {
        if (queue.size() >= QUEUE_MAX) {
            refused++;
            return false;
        }
        queue.add(new Pending(key, change, completion));
        if (!writing) {
            writing = true;
            int alive = life;
            world.after(random.nextLong(SYNC_NANOS / 10), () -> begin(alive));
        }
        return true;
    }

    private void begin(int alive) {
        if (alive != life) {
            return;
        }
        List<Written> written = new ArrayList<>();
        Map<byte[], Optional<byte[]>> fresh = new TreeMap<>(Arrays::compareUnsigned);
        for (Pending each = queue.poll(); each != null; each = written.size() == GROUP_MAX ? null : queue.poll()) {
            Written next = write(each, fresh);
            written.add(next);
            derive(next, fresh, written);
        }
        group = written;
        world.after(slowNanos + SYNC_NANOS / 4 + random.nextLong(SYNC_NANOS), () -> end(alive));
    }

    @SuppressWarnings("ReferenceEquality") // KEEP and DELETE are told from records by identity.
    private Written write(Pending each, Map<byte[], Optional<byte[]>> fresh) {
        Optional<byte[]> pending = fresh.get(each.key());
        byte[] current = pending == null ? records.get(each.key()) : pending.orElse(null);
        byte[] next = each.change().apply(each.key(), current, version + 1, wallMillis.getAsLong());
        if (next == Change.KEEP) {
            return new Written(each, true, current, null, current == null ? 0 : RecordImage.version(MemorySegment.ofArray(current), 0));
        }
        version++;
        byte[] image = defects.distortion.distorted(current, next == Change.DELETE ? null : next);
        fresh.put(each.key(), Optional.ofNullable(image));
        return new Written(each, false, current, image, version);
    }

    /** Adds the changes that follow from one, which are written with it. */
    private void derive(Written from, Map<byte[], Optional<byte[]>> fresh, List<Written> written) {
        Derivation derives = derivation;
        if (derives == null || from.kept()) {
            return;
        }
        derives.derive(from.pending().key(), from.before(), from.image(), (key, change) ->
                written.add(write(new Pending(key, change, (_, _) -> {}), fresh)));
    }

    private void end(int alive) {
        if (alive != life) {
            return;
        }
        List<Written> done = group;
        // A record that an earlier change of the group left as it is fails with that change.
        boolean refuses = full && done.stream().anyMatch(each -> !each.kept());
        group = List.of();
        for (Written each : done) {
            if (!each.kept() && !refuses) {
                set(each.pending().key(), each.image());
            }
        }
        Set<Runnable> afterwards = new LinkedHashSet<>();
        for (Written each : done) {
            Outcome outcome = refuses ? Outcome.FAILED : each.kept() ? Outcome.KEPT : Outcome.DONE;
            failed += outcome == Outcome.FAILED ? 1 : 0;
            Completion completion = each.pending().completion();
            Runnable wake = completion.afterwards();
            if (wake != null) {
                afterwards.add(wake);
            }
            completion.complete(outcome, outcome == Outcome.FAILED ? 0 : each.version());
        }
        afterwards.forEach(Runnable::run);
        writing = !queue.isEmpty();
        if (writing) {
            begin(alive);
        }
    }

    private void set(byte[] key, byte @Nullable [] image) {
        byte[] before = image == null ? records.remove(key) : records.put(key, image);
        feed(key, image);
        Observer hears = observer;
        if (hears != null) {
            hears.changed(sequence, key, before, image);
        }
        if (image != null && RecordImage.nextExpiry(MemorySegment.ofArray(image), 0) != RecordImage.NEVER) {
            sweepLater();
        }
    }

    /** Starts the process, with an observer of every change for its lifetime, and schedules its expiry sweeps. */
    void open(Observer hears) {
        observer = hears;
        if (!records.isEmpty()) {
            sweepLater();
        }
    }

    /** Does the same with a derivation; the change feed is kept from the first time on. */
    void open(Observer hears, Derivation derives) {
        derivation = derives;
        open(hears);
    }

    private void sweepLater() {
        if (!sweeping) {
            sweeping = true;
            int alive = life;
            world.after(SWEEP_NANOS, () -> sweep(alive));
        }
    }

    /** Removes expired bindings. */
    private void sweep(int alive) {
        if (alive != life) {
            return;
        }
        sweeping = false;
        long now = wallMillis.getAsLong();
        long next = RecordImage.NEVER;
        for (Map.Entry<byte[], byte[]> each : records.entrySet()) {
            long expiry = RecordImage.nextExpiry(MemorySegment.ofArray(each.getValue()), 0);
            if (expiry <= now) {
                submit(each.getKey(), Change.expire(), (outcome, given) -> {});
            }
            next = Math.min(next, expiry);
        }
        if (next != RecordImage.NEVER) {
            sweepLater();
        }
    }

    /** Returns the stored form of a key, or null. */
    byte @Nullable [] image(byte[] key) {
        return records.get(key);
    }

    private final class VirtualReader implements RecordReader {
        private MemorySegment found = MemorySegment.NULL;

        @Override
        public void enter() {}

        @Override
        public void exit() {}

        @Override
        public Found find(byte namespace, MemorySegment segment, long offset, int length) {
            byte[] key = new byte[1 + length];
            key[0] = namespace;
            MemorySegment.copy(segment, ValueLayout.JAVA_BYTE, offset, key, 1, length);
            byte[] image = records.get(key);
            if (image == null) {
                return Found.NO;
            }
            found = MemorySegment.ofArray(image);
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
        return new VirtualReader();
    }

    @Override
    public RecordReader throughReader() {
        return new VirtualReader();
    }

    @Override
    public Optional<Record> get(Name name) {
        byte[] image = records.get(name.key());
        return image == null ? Optional.empty() : Optional.of(record(image));
    }

    private static Record record(byte[] image) {
        try {
            return RecordImage.read(image);
        } catch (Malformed e) {
            throw new IllegalStateException("an invalid image was written: " + e.getMessage(), e);
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
        return records.remove(name.key()) != null;
    }

    @Override
    public void scan(byte[] prefix, byte @Nullable [] after, Predicate<Record> visitor) {
        Map<byte[], byte[]> from = new TreeMap<>(records.tailMap(after == null ? prefix : after, after == null));
        for (Map.Entry<byte[], byte[]> each : from.entrySet()) {
            int same = Arrays.mismatch(prefix, each.getKey());
            if (same >= 0 && same < prefix.length || !visitor.test(record(each.getValue()))) {
                return;
            }
        }
    }

    @Override
    public void images(byte @Nullable [] after, BiPredicate<byte[], byte[]> visitor) {
        Map<byte[], byte[]> from = new TreeMap<>(after == null ? records : records.tailMap(after, false));
        for (Map.Entry<byte[], byte[]> each : from.entrySet()) {
            if (!visitor.test(each.getKey(), each.getValue())) {
                return;
            }
        }
    }

    @Override
    public long changes(long after, Predicate<ChangeEvent> visitor) {
        for (ChangeEvent each : reread.apply(feed())) {
            if (each.sequence() > after && !visitor.test(each)) {
                break;
            }
        }
        return sequence;
    }

    /** Sets what a process reads of the change feed. */
    void before(UnaryOperator<List<ChangeEvent>> reading) {
        reread = reading;
    }

    /** Returns all changes that are on the disk. */
    List<ChangeEvent> feed() {
        return List.copyOf(feed);
    }

    /** Returns whether nothing waits to be written. */
    boolean isIdle() {
        return !writing;
    }

    /** Returns the number of the last change. */
    long sequence() {
        return sequence;
    }

    @Override
    public void backup(Path folder) throws IOException {
        throw new IOException("records of a simulation are not backed up to " + folder);
    }

    @Override
    public StoreStatus status() {
        return new StoreStatus(
                records.size(), 0, 0, false, true, !full, "", "", 0, 0, version, failed, refused, 0, 0, version);
    }

    @Override
    public void close() {
        queue.clear();
    }
}
