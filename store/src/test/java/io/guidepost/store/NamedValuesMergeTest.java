package io.guidepost.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.guidepost.base.CommonLimits;
import io.guidepost.base.Malformed;
import io.guidepost.names.Binding;
import io.guidepost.names.Guid;
import io.guidepost.names.Locator;
import io.guidepost.names.Name;
import io.guidepost.names.NameForm;
import io.guidepost.names.NamedValues;
import io.guidepost.names.PlaceAttributes;
import io.guidepost.names.Record;
import io.guidepost.names.Value;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The text of a name and the attributes of its places go with their record to all servers, and merge alike everywhere. */
final class NamedValuesMergeTest {
    private static final String TEXT = "orders.prod.eu-west-1.example";
    private static final byte[] KEY = key();
    private static final long NOW = 1_000_000;
    private static final long TOMBSTONE = 500_000;
    private static final long SEED = 20_261_127;

    private static byte[] key() {
        try {
            return Name.of(NameForm.parse(TEXT).guid()).key();
        } catch (Malformed e) {
            throw new AssertionError(e);
        }
    }

    private static byte @Nullable [] merge(byte @Nullable [] current, byte[] change) {
        return RecordMergeTest.merge(current, change, NOW, TOMBSTONE);
    }

    /** A write of some places, as a server makes one: text or not, attributes or not, all decided by its stamp. */
    private static byte[] write(long stamp, boolean named) {
        SplittableRandom random = new SplittableRandom(SEED + stamp);
        List<Binding> bindings = new ArrayList<>();
        Map<Locator, PlaceAttributes> attributes = new HashMap<>();
        for (int i = 0; i < 4; i++) {
            // An INSERT of nothing is no write.
            if (random.nextInt(2) == 0 || i == 3 && bindings.isEmpty()) {
                Locator place = TestImages.place(i);
                bindings.add(new Binding(place, random.nextInt(3), 0));
                if (named && random.nextInt(4) != 0) {
                    attributes.put(place, new PlaceAttributes(random.nextInt(100), new TreeMap<>(Map.of("at", "" + stamp)), "", 0));
                }
            }
        }
        List<Value> values = NamedValues.of(named ? Optional.of(TEXT) : Optional.empty(), bindings, attributes);
        return RecordMerge.change(RecordImage.write(KEY, 0, bindings, values), stamp, random.nextInt(3) == 0);
    }

    private static long digest(byte[] image) {
        return RecordImage.digest(MemorySegment.ofArray(image), 0);
    }

    private static byte[] update(List<Value> values) {
        byte[] image = RecordImage.write(KEY, 0, List.of(Binding.of(TestImages.place(1))), values);
        return RecordMerge.change(image, HybridClock.of(NOW), true);
    }

    private static Record read(byte[] image) {
        return MergeModel.read(image);
    }

    @Test
    void theOrderOfMergingDoesNotMatter() throws Malformed {
        SplittableRandom random = new SplittableRandom(SEED);
        int attributed = 0;
        for (int round = 0; round < 3000; round++) {
            List<byte[]> writes = new ArrayList<>();
            for (int i = 0; i < 5; i++) {
                long stamp = HybridClock.of(NOW - 10) + random.nextInt(40);
                writes.add(write(stamp, stamp % 3 != 0));
            }
            byte[] once = all(writes, random);
            byte[] again = all(writes, random);
            String what = "seed %d, round %d".formatted(SEED, round);
            if (once == null || again == null) {
                assertThat(once).as(what).isEqualTo(again);
                continue;
            }
            RecordImage.check(once);
            assertThat(digest(once)).as(what).isEqualTo(digest(again));
            assertThat(NamedValues.text(read(once).values())).as(what).isEqualTo(NamedValues.text(read(again).values()));
            Map<Locator, PlaceAttributes> said = NamedValues.attributes(read(once).values());
            assertThat(said).as(what).isEqualTo(NamedValues.attributes(read(again).values()));
            attributed += said.size();
            for (byte[] each : writes) {
                assertThat(merge(once, each)).as(what).isSameAs(once);
            }
        }
        assertThat(attributed).isPositive();
    }

    /** Merges all, some of them together first, in an order of chance. */
    private static byte @Nullable [] all(List<byte[]> writes, RandomGenerator random) {
        List<byte[]> open = new ArrayList<>(writes);
        while (open.size() > 1) {
            byte[] one = open.remove(random.nextInt(open.size()));
            byte[] other = open.remove(random.nextInt(open.size()));
            byte[] merged = merge(merge(null, one), RecordMerge.shared(other));
            if (merged != null) {
                open.add(merged);
            }
        }
        return open.isEmpty() ? null : merge(null, open.getFirst());
    }

    @Test
    void aServerThatMissesTheTextIsToldApart() {
        byte[] plain = update(List.of());
        byte[] named = update(List.of(PlaceAttributes.text(TEXT)));
        assertThat(digest(plain)).isNotEqualTo(digest(named));
        byte[] merged = merge(merge(null, plain), named);
        assertThat(merged).isNotNull();
        assertThat(NamedValues.text(read(merged).values())).contains(TEXT);
        assertThat(merge(merged, plain)).isSameAs(merged);
    }

    @Test
    void aRemovedNameKeepsItsTextWhileItsTombstoneIsKept() {
        byte[] named = write(HybridClock.of(NOW - 5) + 1, true);
        byte[] removed = RecordMerge.change(RecordImage.write(KEY, 0, List.of(), List.of()), HybridClock.of(NOW - 1), true);
        byte[] tombstone = merge(merge(null, named), removed);
        assertThat(tombstone).isNotNull();
        assertThat(read(tombstone).bindings()).isEmpty();
        assertThat(NamedValues.text(read(tombstone).values())).contains(TEXT);
        byte[] after = new Expire(new LongAdder()).apply(KEY, tombstone, 9, NOW + 2 * TOMBSTONE);
        assertThat(after).isSameAs(RecordStore.Change.DELETE);
    }

    @Test
    void aRecordOfNothingButATextIsNone() throws Malformed {
        Binding ending = new Binding(TestImages.place(1), 0, NOW);
        List<Value> values = NamedValues.of(
                Optional.of(TEXT), List.of(ending), Map.of(ending.locator(), new PlaceAttributes(1, new TreeMap<>(), "", 0)));
        byte[] image = RecordImage.write(KEY, 3, List.of(ending), values);
        assertThat(new Expire(new LongAdder()).apply(KEY, image, 4, NOW)).isSameAs(RecordStore.Change.DELETE);
        assertThat(Expire.left(RecordImage.read(image), NOW).isEmpty()).isTrue();
    }

    @Test
    void aPeerCannotGiveARecordAnotherText() {
        byte[] lie = update(List.of(PlaceAttributes.text("payments.prod.eu-west-1.example")));
        assertThatThrownBy(() -> RecordImage.check(lie)).hasMessageContaining("text");
        byte[] stray = update(List.of(new PlaceAttributes(1, new TreeMap<>(), "", 0).value(1, TestImages.place(2))));
        assertThatThrownBy(() -> RecordImage.check(stray)).hasMessageContaining("attributes");
    }

    @Test
    void theBoundOfASharedRecordHoldsWithAttributes() throws Malformed {
        List<Binding> bindings = new ArrayList<>();
        Map<Locator, PlaceAttributes> attributes = new HashMap<>();
        for (int i = 0; i < 100; i++) {
            Locator place = TestImages.place(i);
            bindings.add(Binding.of(place));
            attributes.put(place, new PlaceAttributes(i, new TreeMap<>(Map.of("long", "x".repeat(900))), "", 0));
        }
        byte[] merged = null;
        for (int i = 0; i < 2; i++) {
            List<Binding> half = bindings.subList(50 * i, 50 * i + 50);
            byte[] image = RecordImage.write(KEY, 0, half, NamedValues.of(Optional.of(TEXT), half, attributes));
            merged = merge(merged, RecordMerge.change(image, HybridClock.of(NOW) + i, false));
        }
        assertThat(merged).isNotNull();
        assertThat(merged.length).isLessThanOrEqualTo(CommonLimits.SHARED_RECORD_BYTES_MAX);
        RecordImage.check(merged);
        assertThat(Guid.of(java.util.Arrays.copyOfRange(KEY, 1, 21))).isEqualTo(NameForm.parse(TEXT).guid());
        // Of two writes the later one's places stay.
        assertThat(read(merged).bindings()).endsWith(bindings.get(99));
    }
}
