package io.guidepost.fleet;

import io.guidepost.store.HybridClock;
import io.guidepost.store.PlaceRows;
import io.guidepost.store.PlaceRows.PlaceRow;
import io.guidepost.store.RecordMerge;
import io.guidepost.store.RecordStore;
import io.guidepost.store.RecordStore.Change;
import java.nio.charset.StandardCharsets;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Merges places into names: the cluster does it, by timestamps that are made of our stamps, and compares nothing.
 *
 * <p>A change is made in two steps. A read from a quorum shows whether it may be made, and all stamps of writes that were acknowledged
 * before: the change gets a later one, even if the clock of the front end that made them was ahead. Then one batch of one
 * partition writes the places, and for an UPDATE deletes what is older. Changes that are made at the same time are merged, in any
 * order. One whose outcome is not told may be made later: it still has its stamp, so it takes nothing away that came after it.
 */
final class Places {
    private final Cql cql;
    private final InstantSource clock;
    private final ReentrantLock applying;
    private final HybridClock stamps = new HybridClock();

    /** What is to be written; null in its place if a change keeps the record as it is. */
    private record Made(PlaceRows fresh, long nowMillis) {}

    Places(Cql cql, InstantSource clock, ReentrantLock applying) {
        this.cql = cql;
        this.clock = clock;
        this.applying = applying;
    }

    /** Returns whether a change is merged. */
    static boolean merges(byte[] key, Change change) {
        return PlacedRecord.hasPlaces(key) && (change instanceof RecordStore.Merge || change instanceof RecordStore.Unstamped);
    }

    /**
     * Reads a record from a quorum.
     *
     * @param serial as {@link Cql#read}
     */
    PlacedRecord read(byte[] key, boolean serial) throws ClusterException {
        if (!PlacedRecord.hasPlaces(key)) {
            return PlacedRecord.of(key, cql.read(key, serial), PlaceCells.NONE, clock.millis());
        }
        Cql.RowAndPlaces found = cql.readBoth(key, serial);
        return PlacedRecord.of(key, found.row(), found.places(), clock.millis());
    }

    /** Makes a change; nothing derives from it. */
    Records.Result change(byte[] key, Change change) throws ClusterException {
        PlacedRecord current = read(key, false);
        if (current.wrong() != null) {
            throw new IllegalStateException(current.wrong());
        }
        byte[] before = current.image();
        Made made = made(key, current, change);
        if (made == null) {
            return new Records.Result(RecordStore.Outcome.KEPT, before == null ? 0 : current.version(), before, before);
        }
        byte[] after = current.imageWith(key, made.fresh, made.nowMillis);
        write(key, current, made, after);
        return new Records.Result(RecordStore.Outcome.DONE, Math.max(current.version(), made.fresh.newest()), before, after);
    }

    @SuppressWarnings("ReferenceEquality") // KEEP and DELETE are markers, compared by identity.
    private @Nullable Made made(byte[] key, PlacedRecord current, Change change) {
        applying.lock();
        try {
            long now = clock.millis();
            long newest = current.version();
            if (HybridClock.millis(newest) - now > FleetLimits.AHEAD_MILLIS_MAX) {
                throw new IllegalStateException("a name was written by a front end whose clock is more than a day ahead of this one: "
                        + "it takes no writes until that time has come, or the clock of this one is set");
            }
            long stamp = Math.max(stamps.next(now), newest + 1);
            byte[] next = change.apply(key, current.image(), stamp, now);
            if (next == Change.KEEP || next == Change.DELETE && current.image() == null) {
                return null;
            }
            byte[] image = change instanceof RecordStore.Unstamped bare
                    ? RecordMerge.change(bare.image(), stamp, !bare.append())
                    : ((RecordStore.Merge) change).image();
            return new Made(PlaceRows.of(image), now);
        } finally {
            applying.unlock();
        }
    }

    private void write(byte[] key, PlacedRecord current, Made made, byte @Nullable [] after) throws ClusterException {
        PlaceRows fresh = made.fresh;
        long newest = fresh.newest();
        boolean lasts = current.hasOwnRow();
        int ttl = after == null ? 1 : ttlSeconds(after, lasts, made.nowMillis);
        Optional<String> text = fresh.text().or(current.all()::text);
        Optional<byte[]> listed = NameTexts.listedKey(key, text);
        PlaceCells all = cells(fresh, text, lasts, ttl, made.nowMillis);
        if (after != null) {
            // Listed already or not: another front end may delete the name at this moment, and take it from the list.
            cql.list(key, Cql.ListedBy.PLACES, newest, ttl);
            if (listed.isPresent()) {
                cql.list(listed.get(), Cql.ListedBy.PLACES, newest, ttl);
            }
        }
        cql.merge(key, all);
        if (fresh.cleared() != 0 && after == null) {
            // What is listed with the same stamp belongs to a write that this one does not take away.
            cql.unlist(key, Cql.ListedBy.PLACES, fresh.cleared() - 1);
            if (listed.isPresent()) {
                cql.unlist(listed.get(), Cql.ListedBy.PLACES, fresh.cleared() - 1);
            }
        }
    }

    /**
     * Returns what is written.
     *
     * @param lasts whether the cluster drops none of it: a row of the table of records would then show again what it covers
     * @param ttl after which nothing of the record is left; 0 = never
     */
    static PlaceCells cells(PlaceRows fresh, Optional<String> text, boolean lasts, int ttl, long nowMillis) {
        List<PlaceCell> cells = new ArrayList<>();
        for (PlaceRow each : fresh.rows()) {
            cells.add(PlaceCell.of(each, lasts ? 0 : ttlSeconds(each.expiryMillis(), nowMillis)));
        }
        byte[] known = text.map(each -> each.getBytes(StandardCharsets.UTF_8)).orElse(null);
        return new PlaceCells(
                cells, fresh.cleared(), known, fresh.newest(), lasts || ttl == 0 ? 0 : Math.max(ttl, (int) FleetLimits.DELETED_SECONDS));
    }

    /** Returns after how long nothing of a record is left; 0 = never. */
    private static int ttlSeconds(byte[] after, boolean lasts, long nowMillis) {
        if (lasts) {
            return 0;
        }
        int longest = 1;
        for (PlaceRow each : PlaceRows.of(after).rows()) {
            int ttl = ttlSeconds(each.expiryMillis(), nowMillis);
            if (ttl == 0) {
                return 0;
            }
            longest = Math.max(longest, ttl);
        }
        return longest;
    }

    /** Returns after how long a place may be dropped: some time after it has ended, as the clocks of nodes differ; 0 = never. */
    private static int ttlSeconds(long expiryMillis, long nowMillis) {
        long seconds = Math.max(0, expiryMillis - nowMillis) / 1000 + FleetLimits.ENDED_SECONDS;
        return expiryMillis == 0 || seconds > FleetLimits.TTL_SECONDS_MAX ? 0 : (int) seconds;
    }
}
