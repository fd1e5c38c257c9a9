package io.guidepost.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.guidepost.base.CommonLimits;
import io.guidepost.base.Malformed;
import io.guidepost.names.Binding;
import io.guidepost.names.Locator;
import io.guidepost.names.Value;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Merging against a model of it, and the laws that make servers agree. */
final class RecordMergeTest {
    private static final byte[] KEY = TestImages.key(1);
    private static final long NOW = 1_000_000;
    private static final long TOMBSTONE = 500_000;
    private static final long SEED = 20_261_120;

    /** The merged form as it would stand in the store. */
    @SuppressWarnings("ReferenceEquality") // KEEP and DELETE are marks, told by identity.
    static byte @Nullable [] merge(byte @Nullable [] current, byte @Nullable [] change, long now, long tombstone) {
        if (change == null) {
            return current;
        }
        byte[] merged = RecordMerge.merge(current, change, 7, now, tombstone);
        return merged == RecordStore.Change.KEEP ? current : merged == RecordStore.Change.DELETE ? null : merged;
    }

    private static byte @Nullable [] merge(byte @Nullable [] current, byte @Nullable [] change) {
        return merge(current, change, NOW, TOMBSTONE);
    }

    private static long digest(byte @Nullable [] image) {
        return image == null ? 0 : RecordImage.digest(MemorySegment.ofArray(image), 0);
    }

    /** A record of few places, few stamps and few times, so that all of them meet. */
    private static byte[] random(RandomGenerator random, int places, boolean ends) {
        List<Integer> numbers = new ArrayList<>();
        for (int i = 0; i < places; i++) {
            numbers.add(i);
        }
        Collections.shuffle(numbers, new java.util.Random(random.nextLong()));
        int count = random.nextInt(places + 1);
        long cleared = random.nextBoolean() ? HybridClock.of(NOW - 10 + random.nextInt(4)) : 0;
        if (random.nextInt(8) == 0) {
            cleared = HybridClock.of(NOW - TOMBSTONE - random.nextInt(2));
        }
        long[] stamps = random.longs(count, Math.max(cleared, HybridClock.of(NOW - 12)), HybridClock.of(NOW - 5) + 3)
                .map(each -> each & -2L << 14)
                .map(each -> Math.max(each, 0))
                .sorted()
                .toArray();
        for (int i = 0; i < count; i++) {
            stamps[i] = Math.max(stamps[i], cleared);
        }
        List<Binding> bindings = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            long expiry = random.nextInt(3) != 0 ? 0 : NOW + (ends ? random.nextInt(-2, 3) : random.nextInt(1, 3));
            bindings.add(new Binding(TestImages.place(numbers.get(i)), random.nextInt(3), expiry));
        }
        if (random.nextInt(6) == 0) {
            return RecordImage.write(KEY, HybridClock.of(NOW - random.nextInt(12)), bindings, List.of());
        }
        return RecordImage.write(KEY, 3, bindings, new RecordImage.Stamps(cleared, cleared == 0 ? 0 : 1, stamps), List.of());
    }

    @ParameterizedTest
    @ValueSource(ints = {3, 12, 60})
    void itDoesAsTheModelDoes(int places) throws Malformed {
        SplittableRandom random = new SplittableRandom(SEED + places);
        for (int i = 0; i < 20_000; i++) {
            byte[] current = random.nextInt(10) == 0 ? null : random(random, places, true);
            byte[] change = random(random, places, true);
            byte[] merged = merge(current, change);
            MergeModel expected = MergeModel.of(current).merge(MergeModel.of(change), NOW, TOMBSTONE);
            if (Arrays.equals(merged, current)) {
                // What has ended or may be forgotten may stay until it is swept.
                assertThat(MergeModel.of(current).merge(MergeModel.NONE, NOW, TOMBSTONE))
                        .as("seed %d, round %d", SEED, i)
                        .isEqualTo(expected);
            } else {
                assertThat(MergeModel.of(merged)).as("seed %d, round %d", SEED, i).isEqualTo(expected);
                if (merged != null) {
                    RecordImage.check(merged);
                }
            }
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {3, 12, 60})
    void theOrderOfMergingDoesNotMatter(int places) {
        SplittableRandom random = new SplittableRandom(SEED - places);
        for (int i = 0; i < 10_000; i++) {
            byte[] a = random(random, places, false);
            byte[] b = random(random, places, false);
            byte[] c = random(random, places, false);
            String what = "seed %d, round %d".formatted(SEED, i);
            byte[] once = merge(merge(merge(null, a), b), c);
            assertThat(digest(merge(merge(merge(null, c), b), a))).as(what).isEqualTo(digest(once));
            assertThat(digest(merge(merge(null, a), merge(merge(null, b), c)))).as(what).isEqualTo(digest(once));
            assertThat(merge(once, a)).as(what).isSameAs(once);
            assertThat(merge(once, once)).as(what).isSameAs(once);
            assertThat(merge(once, merge(merge(null, b), a))).as(what).isSameAs(once);
        }
    }

    @Test
    void theOrderDoesNotMatterWhereTheBoundsAreReached() {
        SplittableRandom random = new SplittableRandom(SEED);
        for (int i = 0; i < 20; i++) {
            byte[] a = large(random);
            byte[] b = large(random);
            byte[] c = large(random);
            byte[] once = merge(merge(merge(null, a), b), c);
            assertThat(once).isNotNull();
            assertThat(once.length).isLessThanOrEqualTo(CommonLimits.SHARED_RECORD_BYTES_MAX);
            assertThat(digest(merge(merge(merge(null, c), b), a))).isEqualTo(digest(once));
            assertThat(digest(merge(merge(null, a), merge(merge(null, b), c)))).isEqualTo(digest(once));
            assertThat(merge(once, b)).isSameAs(once);
            assertThat(MergeModel.of(once))
                    .isEqualTo(MergeModel.of(a)
                            .merge(MergeModel.of(b), NOW, TOMBSTONE)
                            .merge(MergeModel.of(c), NOW, TOMBSTONE));
        }
    }

    private static byte[] large(RandomGenerator random) {
        int count = random.nextInt(500, 1025);
        List<Binding> bindings = new ArrayList<>();
        long start = random.nextInt(1500);
        for (int i = 0; i < count; i++) {
            Locator place = random.nextInt(30) == 0
                    ? new Locator(Locator.Type.URL.code(), new byte[random.nextInt(1, 400)])
                    : TestImages.place(start + i);
            if (bindings.stream().noneMatch(each -> each.locator().equals(place))) {
                bindings.add(Binding.of(place));
            }
        }
        long[] stamps = random.longs(bindings.size(), 1, 40).sorted().toArray();
        return RecordImage.write(KEY, 3, bindings, new RecordImage.Stamps(0, 0, stamps), List.of());
    }

    @Test
    void anUpdateTakesAwayWhatIsOlderAndAnInsertAddsToWhatIsNewer() {
        byte[] x = RecordImage.write(KEY, 0, List.of(Binding.of(TestImages.place(1))), List.of());
        byte[] y = RecordImage.write(KEY, 0, List.of(Binding.of(TestImages.place(2))), List.of());
        byte[] none = RecordImage.write(KEY, 0, List.of(), List.of());
        long stamp = HybridClock.of(NOW);
        byte[] insert = RecordMerge.change(x, stamp, false);
        byte[] delete = RecordMerge.change(none, stamp + 1, true);
        byte[] again = RecordMerge.change(y, stamp + 2, false);
        byte[] all = merge(merge(merge(null, again), delete), insert);
        assertThat(all).isNotNull();
        assertThat(MergeModel.read(all).bindings()).containsExactly(Binding.of(TestImages.place(2)));
        assertThat(RecordImage.cleared(MemorySegment.ofArray(all), 0)).isEqualTo(stamp + 1);
        assertThat(RecordImage.forgetAt(MemorySegment.ofArray(all), 0)).isEqualTo(NOW + TOMBSTONE);
        byte[] dead = merge(merge(null, delete), insert);
        assertThat(dead).isNotNull();
        assertThat(MergeModel.read(dead).isEmpty()).isTrue();
        assertThat(RecordImage.newest(MemorySegment.ofArray(dead), 0)).isEqualTo(stamp + 1);
        assertThat(merge(dead, insert)).isSameAs(dead);
    }

    @Test
    void changesCarryOneStampAndNeitherVersionNorValues() throws Malformed {
        Value value = new Value(1, "URL", new byte[] {1, 2, 3}, 0, 0, 0, 0, List.of());
        byte[] full = RecordImage.write(KEY, 9, List.of(new Binding(TestImages.place(1), 5, NOW + 9)), List.of(value));
        byte[] change = RecordMerge.change(full, 77, true);
        RecordImage.check(change);
        assertThat(RecordImage.version(MemorySegment.ofArray(change), 0)).isZero();
        assertThat(RecordImage.newest(MemorySegment.ofArray(change), 0)).isEqualTo(77);
        assertThat(RecordImage.nextExpiry(MemorySegment.ofArray(change), 0)).isEqualTo(NOW + 9);
    }

    @Test
    void valuesStayAndAreNotSent() throws Malformed {
        Value value = new Value(1, "URL", new byte[] {1, 2, 3}, 0, NOW + 50, 0, 0, List.of());
        byte[] current = RecordImage.write(KEY, HybridClock.of(NOW - 5), List.of(Binding.of(TestImages.place(1))), List.of(value));
        byte[] change = RecordMerge.change(RecordImage.write(KEY, 0, List.of(), List.of()), HybridClock.of(NOW), true);
        byte[] merged = merge(current, change);
        assertThat(merged).isNotNull();
        assertThat(MergeModel.read(merged).values()).containsExactly(value);
        assertThat(MergeModel.read(merged).bindings()).isEmpty();
        assertThat(RecordImage.nextExpiry(MemorySegment.ofArray(merged), 0)).isEqualTo(NOW + 50);
        byte[] sent = RecordMerge.shared(merged);
        RecordImage.check(sent);
        assertThat(digest(sent)).isEqualTo(digest(merged));
        assertThat(RecordMerge.shared(sent)).isSameAs(sent);
        RecordImage.check(RecordMerge.shared(current));
        assertThat(digest(RecordMerge.shared(current))).isEqualTo(digest(current));
    }

    @Test
    void whatMayBeForgottenTakesAwayAndIsForgotten() {
        byte[] x = RecordImage.write(KEY, 0, List.of(Binding.of(TestImages.place(1))), List.of());
        byte[] none = RecordImage.write(KEY, 0, List.of(), List.of());
        long old = NOW - TOMBSTONE - 2;
        byte[] insert = merge(null, RecordMerge.change(x, HybridClock.of(old), false));
        byte[] delete = RecordMerge.change(none, HybridClock.of(old + 1), true);
        assertThat(merge(insert, delete)).isNull();
        assertThat(RecordMerge.merge(null, delete, 1, NOW, TOMBSTONE)).isSameAs(RecordStore.Change.KEEP);
    }

    @Test
    void aFullRecordWithValuesIsRefusedRatherThanCutOff() {
        Value value = new Value(1, "BLOB", new byte[CommonLimits.RECORD_BYTES_MAX - 300], 0, 0, 0, 0, List.of());
        byte[] current = RecordImage.write(KEY, 1, List.of(), List.of(value));
        byte[] change = RecordMerge.change(
                RecordImage.write(
                        KEY,
                        0,
                        List.of(Binding.of(new Locator(Locator.Type.URL.code(), new byte[400]))),
                        List.of()),
                5,
                false);
        assertThatThrownBy(() -> RecordMerge.merge(current, change, 1, NOW, TOMBSTONE))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("1048576");
    }

    @Test
    void theDigestIsOfWhatServersShareAlone() {
        Binding x = new Binding(TestImages.place(1), 1, NOW + 1);
        Binding y = new Binding(TestImages.place(2), 2, NOW + 2);
        RecordImage.Stamps one = new RecordImage.Stamps(5, 9, new long[] {6, 7});
        RecordImage.Stamps other = new RecordImage.Stamps(5, 10, new long[] {7, 6});
        long digest = digest(RecordImage.write(KEY, 3, List.of(x, y), one, List.of()));
        assertThat(digest).isNotZero();
        assertThat(digest(RecordImage.write(KEY, 4, List.of(y, x), other, List.of()))).isEqualTo(digest);
        assertThat(digest(RecordImage.write(KEY, 3, List.of(y, x), one, List.of()))).isNotEqualTo(digest);
        assertThat(digest(RecordImage.write(TestImages.key(2), 3, List.of(x, y), one, List.of()))).isNotEqualTo(digest);
        RecordImage.Stamps cleared = new RecordImage.Stamps(4, 9, new long[] {6, 7});
        assertThat(digest(RecordImage.write(KEY, 3, List.of(x, y), cleared, List.of()))).isNotEqualTo(digest);
        Binding longer = new Binding(TestImages.place(1), 1, NOW + 2);
        assertThat(digest(RecordImage.write(KEY, 3, List.of(longer, y), one, List.of()))).isNotEqualTo(digest);
        RecordImage.Stamps nothing = new RecordImage.Stamps(0, 0, new long[0]);
        assertThat(digest(RecordImage.write(KEY, 3, List.of(), nothing, List.of()))).isZero();
    }
}
