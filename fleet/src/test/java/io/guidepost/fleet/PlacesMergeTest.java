package io.guidepost.fleet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.guidepost.base.Malformed;
import io.guidepost.names.Binding;
import io.guidepost.store.HybridClock;
import io.guidepost.store.PlaceRows;
import io.guidepost.store.RecordImage;
import io.guidepost.store.RecordMerge;
import io.guidepost.store.RecordStore;
import io.guidepost.store.TestImages;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What the cluster merges row by row is what {@link RecordMerge} makes of the same changes. */
final class PlacesMergeTest {
    private static final byte[] KEY = TestImages.key(1);
    private static final long NOW = 1_800_000_000_000L;
    private static final long FIRST = HybridClock.of(NOW - 60_000);
    private static final int PLACES = 5;

    /** A change, in the form that other servers would be sent. */
    private record Stamped(byte[] image, long stamp) {}

    private static Stamped random(SplittableRandom random, boolean mayHaveEnded) {
        long stamp = FIRST + random.nextInt(8);
        List<Binding> bindings = new ArrayList<>();
        for (int place = 0; place < PLACES; place++) {
            if (random.nextInt(3) == 0) {
                // Those of one stamp last, or none does: of a tie between the two the cluster prefers what ends, and we what lasts.
                long end = (stamp & 1) == 0 ? 0 : NOW + (mayHaveEnded && random.nextBoolean() ? -1000 : 1 + random.nextInt(3) * 100_000L);
                bindings.add(new Binding(TestImages.place(place), random.nextInt(3), end));
            }
        }
        boolean update = random.nextInt(3) == 0;
        return new Stamped(RecordMerge.change(RecordImage.write(KEY, 0, bindings, List.of()), stamp, update), stamp);
    }

    @SuppressWarnings("ReferenceEquality") // KEEP and DELETE are markers, compared by identity.
    private static byte @Nullable [] merged(List<Stamped> changes) {
        byte[] image = null;
        for (Stamped each : changes) {
            byte[] next = RecordMerge.merge(image, each.image, 1, NOW, PlacedRecord.TOMBSTONE_MILLIS);
            image = next == RecordStore.Change.KEEP ? image : next == RecordStore.Change.DELETE ? null : next;
        }
        return image;
    }

    private static long digest(byte @Nullable [] image) {
        return image == null ? 0 : RecordImage.digest(MemorySegment.ofArray(image), 0);
    }

    /** Plays histories; returns how many had an answer with places. */
    private static int play(int histories, long seed, boolean oneTimestamp) throws Malformed {
        SplittableRandom random = new SplittableRandom(seed);
        int answered = 0;
        for (int i = 0; i < histories; i++) {
            PlacesModel model = new PlacesModel();
            if (oneTimestamp) {
                model.oneTimestamp();
            }
            boolean mayHaveEnded = random.nextBoolean();
            List<Stamped> changes = new ArrayList<>();
            for (int count = 1 + random.nextInt(7); count > 0; count--) {
                changes.add(random(random, mayHaveEnded));
            }
            for (int replica = 0; replica < PlacesModel.REPLICAS; replica++) {
                List<Stamped> order = new ArrayList<>(changes);
                order.add(changes.get(random.nextInt(changes.size())));
                Collections.shuffle(order, new Random(random.nextLong()));
                for (Stamped each : order) {
                    PlaceRows fresh = PlaceRows.of(each.image);
                    model.merge(replica, KEY, Places.cells(fresh, Optional.empty(), false, 1, NOW));
                }
            }
            if (mayHaveEnded) {
                // Merging forms forgets what has ended: an older change that comes later is taken. Rows do not.
                changes.sort(Comparator.comparingLong(Stamped::stamp));
            }
            byte[] expected = merged(changes);
            PlaceRows rows = model.read(KEY, List.of(0, 1, 2)).rows();
            byte[] image = rows.image(KEY, 1, NOW, PlacedRecord.TOMBSTONE_MILLIS);
            assertThat(digest(image)).as("seed %d, history %d", seed, i).isEqualTo(digest(expected));
            if (image != null) {
                RecordImage.check(image);
                answered += RecordImage.bindings(MemorySegment.ofArray(image), 0) > 0 ? 1 : 0;
            }
        }
        return answered;
    }

    @Test
    void rowsAreWhatMergingMakes() throws Malformed {
        assertThat(play(3000, System.nanoTime(), false)).isGreaterThan(1000);
    }

    @Test
    @Tag("long")
    void rowsAreWhatMergingMakesOfAMillionHistories() throws Malformed {
        assertThat(play(1_000_000, System.nanoTime(), false)).isGreaterThan(300_000);
    }

    @Test
    void oneTimestampForDeletionAndPlacesIsNoticed() {
        assertThatThrownBy(() -> play(100, 1, true)).isInstanceOf(AssertionError.class);
    }

    @Test
    void aLifeInAListCoversEachTime() {
        assertThat(KeyLists.seconds(KeyLists.life(0))).isZero();
        SplittableRandom random = new SplittableRandom(1);
        for (int i = 0; i < 10_000; i++) {
            int seconds = 1 + random.nextInt(1 + random.nextInt((int) FleetLimits.TTL_SECONDS_MAX));
            assertThat((long) KeyLists.seconds(KeyLists.life(seconds))).isBetween((long) seconds, 2L * seconds);
        }
        assertThat(KeyLists.seconds(KeyLists.life((int) FleetLimits.TTL_SECONDS_MAX))).isEqualTo((int) FleetLimits.TTL_SECONDS_MAX);
    }
}
