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
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The latest changes of names, in the order of the store, within a bound of bytes. All watchers share them: a watcher is a
 * position, so that it costs no buffer, and one that falls behind the oldest change kept begins again with a snapshot.
 *
 * <p>Two sources give the same changes with the same positions: the store's observer while the server runs, and the store's
 * change feed for what was before the start. A name's change is a record with places; that it has none any more is told by
 * the removal of its entry in {@link NameIndex}, which alone still knows the text.
 *
 * <p>The committer only queues; one thread ({@link #run}) makes events of that. Watchers of one prefix share a list of its
 * events, so that a change wakes those whose prefix it has, and no others.
 */
final class NameHistory implements RecordStore.Observer {
    private static final Logger LOG = System.getLogger(NameHistory.class.getName());

    /** A change as the store told it. */
    private record Told(long sequence, byte[] key, byte @Nullable [] image) {}

    /** The watchers of one prefix, and the changes since the first of them came. */
    private final class Group {
        private final ArrayDeque<NameEvent> events = new ArrayDeque<>();
        private final Condition changed = lock.newCondition();
        private long floor;
        private int watchers;

        Group(long floor) {
            this.floor = floor;
        }

        void drop() {
            floor = events.remove().sequence();
        }
    }

    private final SharedCounters<NamingCount> counts;
    private final long bytesMax;
    private final ConcurrentLinkedQueue<Told> queue = new ConcurrentLinkedQueue<>();
    private final AtomicInteger queued = new AtomicInteger();
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition opened = lock.newCondition();
    private final TreeMap<Long, NameEvent> events = new TreeMap<>();
    private final Map<String, Group> groups = new HashMap<>();
    private final TreeMap<Integer, Integer> lengths = new TreeMap<>();
    private volatile @Nullable Thread teller;
    private volatile boolean overrun;
    private @Nullable Position floor;
    private long last;

    /** Version of the last change of a name: versions grow with the numbers of changes. */
    private long lastVersion;

    private long bytes;
    private boolean ready;

    NameHistory(long bytesMax, SharedCounters<NamingCount> counts) {
        this.bytesMax = bytesMax;
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
        LockSupport.unpark(teller);
    }

    private static boolean concerns(byte[] key, byte @Nullable [] image) {
        return key[0] == Name.Namespace.GUID.code()
                ? NameIndex.isNamed(key, image)
                : key[0] == Name.Namespace.NAME_TEXT.code() && image == null;
    }

    /** Tells what changes, until the thread is interrupted: first what the feed has of before, then what is queued. */
    void run(RecordStore store) {
        teller = Thread.currentThread();
        begin(store, versionBefore(store));
        while (!Thread.currentThread().isInterrupted()) {
            if (queue.isEmpty() && !overrun) {
                LockSupport.park(this);
            }
            tell();
        }
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
        if (events.isEmpty()) {
            floor = new Position(last, 0);
        }
    }

    /** Takes all that is queued at once: watchers are woken once for it. */
    void tell() {
        lock.lock();
        try {
            List<Group> told = new ArrayList<>();
            for (Told each = queue.poll(); each != null; each = queue.poll()) {
                queued.decrementAndGet();
                if (each.sequence > last) {
                    event(each.sequence, each.key, each.image).ifPresent(event -> told.addAll(add(event)));
                }
            }
            if (overrun) {
                told.addAll(beginAgain());
            }
            told.forEach(each -> each.changed.signalAll());
        } finally {
            lock.unlock();
        }
    }

    /** Forgets all changes, as some were not told. */
    private List<Group> beginAgain() {
        counts.add(NamingCount.OVERRUN_CHANGES);
        queue.clear();
        events.clear();
        bytes = 0;
        last++;
        // Watchers are at earlier positions, and no check is that of this one.
        floor = new Position(last, 0);
        groups.values().forEach(each -> {
            each.events.clear();
            each.floor = last;
        });
        queued.set(0);
        overrun = false;
        return List.copyOf(groups.values());
    }

    private Optional<NameEvent> event(long sequence, byte[] key, byte @Nullable [] image) {
        if (key[0] == Name.Namespace.NAME_TEXT.code()) {
            NameForm name = name(NameIndex.text(key));
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
        events.put(event.sequence(), event);
        bytes += event.bytes();
        List<Group> told = groups(event.text());
        for (Group each : told) {
            each.events.add(event);
            if (each.events.size() > NamingLimits.PREFIX_EVENTS_MAX) {
                each.drop();
            }
        }
        while (bytes > bytesMax && events.size() > 1) {
            NameEvent oldest = events.pollFirstEntry().getValue();
            bytes -= oldest.bytes();
            floor = oldest.position();
            for (Group each : groups(oldest.text())) {
                if (each.events.peek() == oldest) {
                    each.drop();
                }
            }
        }
        return told;
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
            return lastPosition();
        } finally {
            lock.unlock();
        }
    }

    private Position lastPosition() {
        Position empty = floor;
        return events.isEmpty() && empty != null ? empty : events.lastEntry().getValue().position();
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
            this.at = lastPosition();
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
            NameEvent event = events.get(position.sequence());
            return event != null ? event.position().equals(position) : position.equals(floor);
        }

        private void fill() {
            group.events.clear();
            group.floor = at.sequence();
            events.tailMap(at.sequence(), false).values().stream()
                    .filter(each -> each.text().startsWith(prefix))
                    .forEach(group.events::add);
            while (group.events.size() > NamingLimits.PREFIX_EVENTS_MAX) {
                group.drop();
            }
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
                at = lastPosition();
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
         * Waits for changes after its position, and returns them; none if there were none in time, or it is behind.
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
            NameEvent newest = group.events.peekLast();
            return newest != null && newest.sequence() > at.sequence();
        }

        private List<NameEvent> taken() {
            ArrayDeque<NameEvent> taken = new ArrayDeque<>();
            // From the end: most watchers are near it.
            for (java.util.Iterator<NameEvent> newest = group.events.descendingIterator(); newest.hasNext(); ) {
                NameEvent event = newest.next();
                if (event.sequence() <= at.sequence()) {
                    break;
                }
                taken.addFirst(event);
            }
            if (!taken.isEmpty()) {
                at = taken.getLast().position();
            }
            return List.copyOf(taken);
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
            return bytes;
        } finally {
            lock.unlock();
        }
    }
}
