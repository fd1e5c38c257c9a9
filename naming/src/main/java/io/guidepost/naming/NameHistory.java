package io.guidepost.naming;

import io.guidepost.base.SharedCounters;
import io.guidepost.names.Guid;
import io.guidepost.names.Name;
import io.guidepost.names.NameForm;
import io.guidepost.store.RecordImage;
import io.guidepost.store.RecordStore;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The latest changes of names, in the order of the store, within a bound of bytes: as they are stored ({@link ChangeRing}), and a
 * quarter of the bound for those that watchers were told last, as they were told. All watchers share them: a watcher is a position,
 * so that it costs no buffer, and one that falls behind the oldest change kept begins again with a snapshot.
 *
 * <p>Two sources give the same changes with the same positions: the store's observer while the server runs, and the store's
 * change feed for what was before the start. A name's change is a record with places; that it has none any more is told by
 * the removal of its entry in {@link NameIndex}, which alone still knows the text.
 *
 * <p>The committer only queues; one thread ({@link #run}) makes events of that. Watchers of one prefix share a list of its
 * events' places, so that a change wakes those whose prefix it has, and no others.
 */
final class NameHistory implements RecordStore.Observer {
    private static final Logger LOG = System.getLogger(NameHistory.class.getName());

    /** Places that the list of a prefix has room for at first; a power of two. */
    private static final int PLACES = 4;

    /** A change as the store told it. */
    private record Told(long sequence, byte[] key, byte @Nullable [] image) {}

    /** The watchers of one prefix, and the places of the changes since the first of them came. */
    private final class Group {
        private final Condition changed = lock.newCondition();
        private long[] places = new long[PLACES];

        /** The numbers of the changes at the places, which each watcher that looks for more compares. */
        private long[] sequences = new long[PLACES];

        /** The last change as an event, if watchers were there when it came: nearly all ask for it. */
        private @Nullable NameEvent latest;
        private int head;
        private int size;
        private long floor;
        private int watchers;

        Group(long floor) {
            this.floor = floor;
        }

        /** Returns the place of a change, by its number in the list. */
        long place(int index) {
            return places[head + index & places.length - 1];
        }

        long sequence(int index) {
            return sequences[head + index & places.length - 1];
        }

        void add(long place, long sequence) {
            if (size == NamingLimits.PREFIX_EVENTS_MAX) {
                drop();
            }
            if (size == places.length) {
                long[] morePlaces = new long[2 * size];
                long[] moreSequences = new long[2 * size];
                for (int i = 0; i < size; i++) {
                    morePlaces[i] = place(i);
                    moreSequences[i] = sequence(i);
                }
                places = morePlaces;
                sequences = moreSequences;
                head = 0;
            }
            places[head + size & places.length - 1] = place;
            sequences[head + size++ & places.length - 1] = sequence;
            latest = null;
        }

        void drop() {
            floor = sequence(0);
            head = head + 1 & places.length - 1;
            size--;
        }

        void dropUpTo(long place) {
            while (size > 0 && place(0) <= place) {
                drop();
            }
        }

        void clear(long newFloor) {
            size = 0;
            floor = newFloor;
        }

        /** Returns the index of the first change after one. */
        int after(long sequence) {
            int from = size;
            // From the end: most watchers are near it.
            while (from > 0 && sequence(from - 1) > sequence) {
                from--;
            }
            return from;
        }
    }

    private final SharedCounters<NamingCount> counts;
    private final ConcurrentLinkedQueue<Told> queue = new ConcurrentLinkedQueue<>();
    private final AtomicInteger queued = new AtomicInteger();
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition opened = lock.newCondition();
    private final ChangeRing ring;

    /** Changes that watchers were told last, by place. */
    private final LinkedHashMap<Long, NameEvent> told = new LinkedHashMap<>();

    private final long toldBytesMax;
    private long toldBytes;
    private final Map<String, Group> groups = new HashMap<>();
    private final TreeMap<Integer, Integer> lengths = new TreeMap<>();
    private volatile @Nullable Thread teller;

    /** Whether the thread that tells waits for a change, or is about to look whether there is one. */
    private volatile boolean idle;

    private volatile boolean overrun;
    /** The last change that is not kept any more; null while that is not known. */
    private @Nullable Position floor;

    /** The last change; the floor if none is kept. */
    private Position newest = new Position(0, 0);

    private long last;

    /** Version of the last change of a name: versions grow with the numbers of changes. */
    private long lastVersion;

    private boolean ready;

    NameHistory(long bytesMax, SharedCounters<NamingCount> counts) {
        this.toldBytesMax = bytesMax / 4;
        this.ring = new ChangeRing(bytesMax - toldBytesMax);
        this.counts = counts;
    }

    /** Queues a change that may be one of names; the committer calls. */
    @Override
    public void changed(long sequence, byte[] key, byte @Nullable [] before, byte @Nullable [] after) {
        if (!concerns(key, after) || overrun) {
            return;
        }
        if (queued.incrementAndGet() > NamingLimits.CHANGES_WAITING_MAX) {
            overrun = true;
        } else {
            queue.add(new Told(sequence, key, after));
        }
        if (idle) {
            LockSupport.unpark(teller);
        }
    }

    private static boolean concerns(byte[] key, byte @Nullable [] image) {
        return key[0] == Name.Namespace.GUID.code()
                ? NameIndex.isNamed(key, image)
                : key[0] == Name.Namespace.NAME_TEXT.code() && image == null;
    }

    /**
     * Tells what changes, until the thread is interrupted: first what the feed has of before, then what is queued. A change after a
     * pause is told at once; behind it a pause follows, so that a watcher is woken, and written to, once for all changes of that time.
     */
    void run(RecordStore store) {
        teller = Thread.currentThread();
        begin(store, versionBefore(store));
        while (!Thread.currentThread().isInterrupted()) {
            idle = true;
            if (queue.isEmpty() && !overrun) {
                LockSupport.park(this);
            }
            idle = false;
            try {
                TimeUnit.NANOSECONDS.sleep(pauseNanos(tell()));
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /** Returns how long no watcher is woken again, after some were. */
    private static long pauseNanos(int woken) {
        return Math.clamp(woken * NamingLimits.WATCHER_NANOS, NamingLimits.PAUSE_NANOS_MIN, NamingLimits.PAUSE_NANOS_MAX);
    }

    /**
     * Takes what the feed has of before.
     *
     * @param version the last that the store had given
     */
    void begin(RecordStore store, long version) {
        lastVersion = version;
        replay(store);
        lock.lock();
        try {
            ready = true;
            opened.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** Returns the last version that the store had given: all changes that come now have later ones. */
    private static long versionBefore(RecordStore store) {
        CompletableFuture<Long> next = new CompletableFuture<>();
        byte[] key = {Name.Namespace.LEASE.code(), 'v'};
        boolean asked = store.submit(
                key,
                (_, _, version, _) -> {
                    next.complete(version);
                    return RecordStore.Change.KEEP;
                },
                (_, _) -> next.complete(1L));
        return asked ? next.join() - 1 : 0;
    }

    private void replay(RecordStore store) {
        try {
            long upTo = store.changes(0, each -> {
                if (concerns(each.key(), each.image())) {
                    event(each.sequence(), each.key(), each.image()).ifPresent(this::add);
                }
                return !Thread.currentThread().isInterrupted();
            });
            last = Math.max(last, upTo);
        } catch (IOException | RecordStore.TooOld e) {
            LOG.log(Logger.Level.WARNING, "watchers begin again, as the changes before the start cannot be read: {0}", e.getMessage());
        }
        if (ring.isEmpty()) {
            beginAt(new Position(last, 0));
        }
    }

    private void beginAt(Position position) {
        floor = position;
        newest = position;
    }

    /** Takes all that is queued at once: watchers are woken once for it. Returns how many were. */
    int tell() {
        lock.lock();
        try {
            Set<Group> woken = new HashSet<>();
            for (Told each = queue.poll(); each != null; each = queue.poll()) {
                queued.decrementAndGet();
                if (each.sequence > last) {
                    event(each.sequence, each.key, each.image).ifPresent(event -> woken.addAll(add(event)));
                }
            }
            if (overrun) {
                woken.addAll(beginAgain());
            }
            woken.forEach(each -> each.changed.signalAll());
            return woken.stream().mapToInt(each -> each.watchers).sum();
        } finally {
            lock.unlock();
        }
    }

    /** Forgets all changes, as some were not told. */
    private List<Group> beginAgain() {
        counts.add(NamingCount.OVERRUN_CHANGES);
        queue.clear();
        ring.clear();
        told.clear();
        toldBytes = 0;
        last++;
        // Watchers are at earlier positions, and no check is that of this one.
        beginAt(new Position(last, 0));
        groups.values().forEach(each -> each.clear(last));
        queued.set(0);
        overrun = false;
        return List.copyOf(groups.values());
    }

    private Optional<NameEvent> event(long sequence, byte[] key, byte @Nullable [] image) {
        if (key[0] == Name.Namespace.NAME_TEXT.code()) {
            NameForm name = name(Name.text(key));
            return Optional.of(new NameEvent(Position.of(sequence, name.guid(), Position.NOWHERE), name, lastVersion, null));
        }
        Guid guid = NameIndex.guid(key);
        Optional<String> text = NameIndex.boundText(key, image);
        if (text.isEmpty() || image == null) {
            return Optional.empty();
        }
        long version = RecordImage.version(MemorySegment.ofArray(image), 0);
        return Optional.of(new NameEvent(Position.of(sequence, guid, version), new NameForm(text, guid), version, image));
    }

    private static NameForm name(String text) {
        try {
            return NameForm.parse(text);
        } catch (io.guidepost.base.Malformed e) {
            throw new IllegalArgumentException("an entry of the index is no name: " + e.getMessage(), e);
        }
    }

    private List<Group> add(NameEvent event) {
        counts.add(NamingCount.EVENTS_TAKEN);
        last = event.sequence();
        lastVersion = Math.max(lastVersion, event.version());
        newest = event.position();
        long place = ring.add(event, this::forget);
        List<Group> found = groups(event.text());
        for (Group each : found) {
            each.add(place, event.sequence());
            each.latest = event;
        }
        if (!found.isEmpty()) {
            keep(place, event);
        }
        return found;
    }

    /** Follows the ring, which forgets changes up to a place. */
    private void forget(long place) {
        groups.values().forEach(each -> each.dropUpTo(place));
        floor = ring.get(place).position();
    }

    private void keep(long place, NameEvent event) {
        told.put(place, event);
        toldBytes += event.bytes();
        while (toldBytes > toldBytesMax) {
            toldBytes -= told.pollFirstEntry().getValue().bytes();
        }
    }

    private NameEvent event(long place) {
        NameEvent known = told.get(place);
        if (known != null) {
            return known;
        }
        NameEvent event = ring.get(place);
        keep(place, event);
        return event;
    }

    /** Returns the groups whose prefix a text has. */
    private List<Group> groups(String text) {
        List<Group> found = new ArrayList<>();
        for (int length : lengths.headMap(text.length(), true).keySet()) {
            Group group = groups.get(text.substring(0, length));
            if (group != null) {
                found.add(group);
            }
        }
        return found;
    }

    /** Returns the position of the last change, which a list that is read from now on has. */
    Position position() throws InterruptedException {
        lock.lock();
        try {
            awaitReady();
            return newest;
        } finally {
            lock.unlock();
        }
    }

    private void awaitReady() throws InterruptedException {
        while (!ready) {
            opened.await();
        }
    }

    /** One watcher's place. Used by one thread. */
    final class Cursor implements AutoCloseable {
        private final String prefix;
        private final Group group;
        private Position at;
        private long version;
        private boolean behind;

        /** Begins at a position if that is still kept, and else at the last. */
        private Cursor(String prefix, Optional<Position> since) {
            this.prefix = prefix;
            this.at = newest;
            this.behind = since.isPresent() && !isKept(since.get());
            if (since.isPresent() && !behind) {
                at = since.get();
            }
            Group there = groups.get(prefix);
            if (there == null) {
                there = new Group(Long.MAX_VALUE);
                groups.put(prefix, there);
                lengths.merge(prefix.length(), 1, Integer::sum);
            }
            group = there;
            group.watchers++;
            if (at.sequence() < group.floor) {
                fill();
            }
        }

        private boolean isKept(Position position) {
            return position.equals(floor) || ring.find(position.sequence()).filter(each -> each.position().equals(position)).isPresent();
        }

        private void fill() {
            group.clear(at.sequence());
            ring.after(at.sequence(), prefix, place -> group.add(place, ring.sequence(place)));
        }

        /** Returns where it is: all that was returned lies before. */
        Position position() {
            return at;
        }

        /** Returns whether changes after its position are lost: a snapshot is needed. */
        boolean isBehind() {
            lock.lock();
            try {
                return behind || at.sequence() < group.floor;
            } finally {
                lock.unlock();
            }
        }

        /** Returns the version of the last change of a name before {@link #skip}. */
        long version() {
            return version;
        }

        /** Goes to the last change, before a snapshot is read. */
        void skip() {
            lock.lock();
            try {
                at = newest;
                version = lastVersion;
                behind = false;
                if (at.sequence() < group.floor) {
                    fill();
                }
            } finally {
                lock.unlock();
            }
        }

        /**
         * Waits for changes after its position, and returns the first of them; none if there were none in time, or it is behind.
         *
         * @throws InterruptedException if the client is gone, or the server ends
         */
        List<NameEvent> next(long nanos) throws InterruptedException {
            lock.lockInterruptibly();
            try {
                long left = nanos;
                while (at.sequence() >= group.floor && !hasNext() && left > 0) {
                    left = group.changed.awaitNanos(left);
                }
                return at.sequence() < group.floor ? List.of() : taken();
            } finally {
                lock.unlock();
            }
        }

        private boolean hasNext() {
            return group.size > 0 && group.sequence(group.size - 1) > at.sequence();
        }

        private List<NameEvent> taken() {
            List<NameEvent> taken = new ArrayList<>();
            int to = group.size;
            for (int i = group.after(at.sequence()); i < to && taken.size() < NamingLimits.EVENTS_AT_ONCE_MAX; i++) {
                NameEvent latest = i == to - 1 ? group.latest : null;
                taken.add(latest == null ? event(group.place(i)) : latest);
            }
            if (!taken.isEmpty()) {
                at = taken.getLast().position();
            }
            return taken;
        }

        @Override
        public void close() {
            lock.lock();
            try {
                if (--group.watchers == 0) {
                    groups.remove(prefix);
                    lengths.computeIfPresent(prefix.length(), (_, count) -> count == 1 ? null : count - 1);
                }
            } finally {
                lock.unlock();
            }
        }
    }

    /** Opens a watcher's place for names with a prefix; waits until the changes before the start are read. */
    Cursor open(String prefix, Optional<Position> since) throws InterruptedException {
        lock.lockInterruptibly();
        try {
            awaitReady();
            return new Cursor(prefix, since);
        } finally {
            lock.unlock();
        }
    }

    /** Returns the bytes of changes kept, about. */
    long bytes() {
        lock.lock();
        try {
            return ring.bytes() + toldBytes;
        } finally {
            lock.unlock();
        }
    }
}
