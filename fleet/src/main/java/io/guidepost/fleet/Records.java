package io.guidepost.fleet;

import io.guidepost.base.Malformed;
import io.guidepost.base.Memory;
import io.guidepost.names.Binding;
import io.guidepost.names.Record;
import io.guidepost.names.Value;
import io.guidepost.store.RecordImage;
import io.guidepost.store.RecordStore;
import io.guidepost.store.RecordStore.Change;
import io.guidepost.store.StoreOptions;
import io.guidepost.store.StoredForm;
import io.guidepost.store.VersionClock;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Changes records by compare-and-set on their version, and what derives from them.
 *
 * <p>A change is read, apply, compare and set, again if another front end was first. If the cluster does not say how a
 * compare-and-set ended, a serial read tells: it finishes what is under way, and the row then names the change that wrote it, or has
 * still the version that was expected.
 *
 * <p>A change from which others derive is written unsettled, with the form before it. Then the derived ones are made, and the row is
 * settled. If the front end dies in between, the next one that changes the record, or reads it some seconds later, makes them out of
 * the two forms. One that was only slow may make them too: each looks, between reading the derived record and its compare-and-set,
 * whether the origin is as it was. If it is not, another has made them; if that happens a moment later, the compare-and-set fails.
 */
final class Records {
    private static final System.Logger LOG = System.getLogger(Records.class.getName());

    private final Cql cql;
    private final Places places;
    private final RecordStore.@Nullable Derivation derivation;
    private final InstantSource clock;
    private final ReentrantLock applying;
    private final Written written;
    private final VersionClock versions = new VersionClock();

    /** What became of a change. */
    record Result(RecordStore.Outcome outcome, long version, byte @Nullable [] before, byte @Nullable [] after) {}

    /** Is told of each record that is changed beside the one that a change is of. */
    @FunctionalInterface
    interface Written {
        /**
         * Takes its key.
         *
         * @param version {@link CacheInvalidations#UNKNOWN} if it is not known what was made
         */
        void written(byte[] key, long version);
    }

    /** A change that derives from another. */
    private record Derived(byte[] key, Change change) {}

    /** What a change makes of a row. */
    private record Next(byte @Nullable [] image, long version, List<Derived> derived) {}

    /**
     * Creates it.
     *
     * @param applying held while a change is applied, as it is by one thread at a time
     */
    Records(Cql cql, Places places, StoreOptions options, ReentrantLock applying, Written written) {
        this.cql = cql;
        this.places = places;
        this.derivation = options.derivation();
        this.clock = options.clock();
        this.applying = applying;
        this.written = written;
    }

    /** Makes a change, and what derives from it. */
    Result change(byte[] key, Change change) throws ClusterException {
        PlacedRecord current = places.read(key, false);
        long deadline = System.nanoTime() + FleetLimits.CHANGE_MILLIS * 1_000_000;
        for (int attempt = 0; ; attempt++) {
            RecordRow there = current.row();
            if (there != null && !there.settled()) {
                settle(key, there);
            }
            byte[] image = current.image();
            Next next = next(key, current, image, change, derivation);
            if (next == null) {
                return new Result(RecordStore.Outcome.KEPT, image == null ? 0 : current.version(), image, image);
            }
            boolean settled = next.derived.isEmpty();
            RecordRow made = new RecordRow(next.version, UUID.randomUUID(), next.image, settled ? null : image, settled);
            if (write(key, current, made)) {
                if (!settled) {
                    for (Derived each : next.derived) {
                        derive(key, made, each);
                    }
                    settled(key, made);
                }
                return new Result(RecordStore.Outcome.DONE, next.version, image, next.image);
            }
            pause(attempt, deadline);
            // Another front end was first: a serial read sees what made the compare-and-set fail.
            current = places.read(key, true);
        }
    }

    /**
     * Makes what derives from a row that a front end left unsettled.
     *
     * @throws ClusterException if not all of it could be made
     */
    void settle(byte[] key, RecordRow row) throws ClusterException {
        List<Derived> derived;
        applying.lock();
        try {
            derived = derived(key, row.before(), row.image(), derivation);
        } finally {
            applying.unlock();
        }
        for (Derived each : derived) {
            if (!derive(key, row, each)) {
                return;
            }
        }
        settled(key, row);
    }

    private void settled(byte[] key, RecordRow row) throws ClusterException {
        try {
            cql.settle(key, row.version(), ttlSeconds(row.image()));
        } catch (ClusterException e) {
            if (!e.unknown()) {
                throw e;
            }
            // All is written. If the mark is not, the next change of the record makes it.
        }
    }

    /** Makes a derived change; false if the origin is no longer as it was, so that it is made already. */
    private boolean derive(byte[] origin, RecordRow row, Derived derived) throws ClusterException {
        PlacedRecord current = places.read(derived.key, false);
        long deadline = System.nanoTime() + FleetLimits.CHANGE_MILLIS * 1_000_000;
        for (int attempt = 0; ; attempt++) {
            RecordRow now = cql.read(origin, false);
            if (now == null || now.version() != row.version() || now.settled()) {
                return false;
            }
            RecordRow there = current.row();
            if (there != null && !there.settled()) {
                settle(derived.key, there);
            }
            Next next = nextOfDerived(derived, current);
            if (next == null) {
                return true;
            }
            try {
                if (write(derived.key, current, new RecordRow(next.version, UUID.randomUUID(), next.image, null, true))) {
                    written.written(derived.key, next.version);
                    return true;
                }
            } catch (ClusterException e) {
                written.written(derived.key, CacheInvalidations.UNKNOWN);
                throw e;
            }
            pause(attempt, deadline);
            current = places.read(derived.key, true);
        }
    }

    /** Applies a derived change; one that throws is left out, as the record that it derives from could never be changed again. */
    private @Nullable Next nextOfDerived(Derived derived, PlacedRecord current) {
        try {
            return next(derived.key, current, current.imageForDerived(), derived.change, null);
        } catch (RuntimeException e) {
            LOG.log(System.Logger.Level.WARNING, "a derived change threw an exception: {0}", e.toString());
            return null;
        }
    }

    /** Applies a change; returns null if it keeps the record as it is. */
    @SuppressWarnings("ReferenceEquality") // KEEP and DELETE are markers, compared by identity.
    private @Nullable Next next(
            byte[] key,
            PlacedRecord there,
            byte @Nullable [] current,
            Change change,
            RecordStore.@Nullable Derivation deriving) {
        if (there.wrong() != null) {
            throw new IllegalStateException(there.wrong());
        }
        applying.lock();
        try {
            long now = clock.millis();
            long version = Math.max(versions.next(now), there.version() + 1);
            byte[] image = change.apply(key, current, version, now);
            if (image == Change.KEEP || image == Change.DELETE && current == null) {
                return null;
            }
            versions.seen(versions.next(now));
            // The caller may use its array again while a statement that timed out is still on its way.
            byte[] made = image == Change.DELETE ? null : StoredForm.checked(key, image.clone(), version);
            return new Next(made, version, derived(key, current, made, deriving));
        } finally {
            applying.unlock();
        }
    }

    private static List<Derived> derived(
            byte[] key, byte @Nullable [] before, byte @Nullable [] after, RecordStore.@Nullable Derivation deriving) {
        List<Derived> derived = new ArrayList<>();
        if (deriving != null) {
            deriving.derive(key, before, after, (to, change) -> derived.add(new Derived(to, change)));
        }
        return derived;
    }

    /** Writes a row in place of another, and lists its key; false if another front end was first. */
    private boolean write(byte[] key, PlacedRecord current, RecordRow made) throws ClusterException {
        byte[] image = made.image();
        byte[] before = RecordRow.imageOf(current.row());
        int ttl = ttlSeconds(image);
        if (image != null && (before == null || ttl != 0 || ttlSeconds(before) != 0)) {
            cql.list(key, Cql.ListedBy.ROW, made.version(), ttl);
        }
        if (!compareAndSet(key, RecordRow.versionOf(current.row()), made, ttl)) {
            return false;
        }
        if (image == null) {
            cql.unlist(key, Cql.ListedBy.ROW, made.version());
        }
        return true;
    }

    private boolean compareAndSet(byte[] key, long expected, RecordRow made, int ttl) throws ClusterException {
        try {
            return cql.compareAndSet(key, expected, made, ttl);
        } catch (ClusterException e) {
            if (!e.unknown()) {
                throw e;
            }
            RecordRow now = serial(key, e);
            if (now != null && now.change().equals(made.change())) {
                return true;
            }
            if (RecordRow.versionOf(now) == expected) {
                return false;
            }
            // Another has written since: whether over this change or instead of it, no row tells.
            throw e;
        }
    }

    private @Nullable RecordRow serial(byte[] key, ClusterException unknown) throws ClusterException {
        try {
            return cql.read(key, true);
        } catch (ClusterException e) {
            throw unknown;
        }
    }

    /** Returns after how long a row may be gone: some days after all of the record has expired, or it was deleted. */
    private int ttlSeconds(byte @Nullable [] image) {
        long seconds = FleetLimits.DELETED_SECONDS;
        if (image != null) {
            long end = end(image);
            if (end == RecordImage.NEVER) {
                return 0;
            }
            seconds += Math.max(0, end - clock.millis()) / 1000;
        }
        return seconds > FleetLimits.TTL_SECONDS_MAX ? 0 : (int) seconds;
    }

    /** Returns when the last part of a record expires. */
    private static long end(byte[] image) {
        if (Memory.longAt(image, 24) == RecordImage.NEVER) {
            return RecordImage.NEVER;
        }
        try {
            Record record = RecordImage.read(image);
            long end = 0;
            for (Binding each : record.bindings()) {
                end = Math.max(end, each.expiryMillis() == 0 ? RecordImage.NEVER : each.expiryMillis());
            }
            for (Value each : record.values()) {
                end = Math.max(end, each.expiryMillis() == 0 ? RecordImage.NEVER : each.expiryMillis());
            }
            return end;
        } catch (Malformed e) {
            return RecordImage.NEVER;
        }
    }

    private static void pause(int attempt, long deadline) throws ClusterException {
        long most = Math.min(FleetLimits.BACKOFF_NANOS_MAX / 100 << Math.min(attempt, 7), FleetLimits.BACKOFF_NANOS_MAX);
        if (System.nanoTime() + most - deadline > 0 || Thread.currentThread().isInterrupted()) {
            throw new ClusterException("others change the same record all the time: try again later", false);
        }
        LockSupport.parkNanos(ThreadLocalRandom.current().nextLong(most));
    }
}
