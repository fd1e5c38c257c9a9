package io.guidepost.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import io.guidepost.base.Malformed;
import io.guidepost.names.Binding;
import io.guidepost.names.Name;
import io.guidepost.names.NameForm;
import io.guidepost.names.NamedValues;
import io.guidepost.names.Record;
import io.guidepost.store.PlaceRows;
import io.guidepost.store.RecordChanges;
import io.guidepost.store.RecordImage;
import io.guidepost.store.RecordStore;
import io.guidepost.store.StoreOptions;
import io.guidepost.store.TestImages;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeSet;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * Histories of names whose places several front ends merge, with clocks that differ by an hour, at three replicas that are not alike.
 * What a client was told and what came before it in time decides what must be there at the end. All of it follows from a seed.
 */
final class PlacesHistoryTest {
    private static final int FRONT_ENDS = 3;
    private static final int NAMES = 4;
    private static final int WRITES = 600;
    private static final int SEEDS = 100;
    private static final int NESTED_MAX = 3;
    private static final int NEVER = Integer.MAX_VALUE;

    /** A write as a client sends it; keeps the stamp that it is given. */
    private record Sent(byte[] image, boolean append, long[] stamp) implements RecordStore.Unstamped {
        @Override
        public byte[] apply(byte[] key, byte @Nullable [] current, long version, long nowMillis) {
            stamp[0] = version;
            if (current != null && (current[1] & RecordImage.DERIVED) != 0 || current == null && image[35] == 0) {
                return KEEP;
            }
            return image[35] == 0 ? DELETE : RecordImage.withVersion(image, version);
        }
    }

    /** What is known of a write: place −1 = none, and when it ended, if that was told. */
    private record Told(int name, int place, boolean append, long stamp, int begun, int ended) {}

    private static final class History {
        private final SplittableRandom random;
        private final ClusterModel cluster;
        private final Places[] frontEnds = new Places[FRONT_ENDS];
        private final Records[] records = new Records[FRONT_ENDS];
        private final List<Told> told = new ArrayList<>();
        private final List<String> breaches = new ArrayList<>();
        private int nested;
        private int time;
        private int done;
        private int failed;
        private int texts;

        History(long seed) {
            random = new SplittableRandom(seed);
            cluster = new ClusterModel(seed);
            for (int i = 0; i < FRONT_ENDS; i++) {
                long ahead = 3_600_000L * i;
                Cql cql = cluster.frontEnd(this::meanwhile);
                StoreOptions options = StoreOptions.inMemory()
                        .withClock(() -> Instant.ofEpochMilli(1_000_000_000L + time + ahead))
                        .withDerivation(History::derive);
                ReentrantLock applying = new ReentrantLock();
                frontEnds[i] = new Places(cql, options.clock(), applying);
                records[i] = new Records(cql, frontEnds[i], options, applying, (_, _) -> {});
            }
        }

        private void meanwhile() {
            if (nested < NESTED_MAX && random.nextInt(6) == 0) {
                nested++;
                try {
                    step();
                } finally {
                    nested--;
                }
            }
        }

        /** Returns the key of a name; every other one has a text that its GUID is not made of. */
        private static byte[] key(int name) {
            return name % 2 == 0 ? TestImages.key(name) : Name.of(form(name).guid()).key();
        }

        private static NameForm form(int name) {
            try {
                return NameForm.parse("a name of several words, " + name);
            } catch (Malformed e) {
                throw new AssertionError(e);
            }
        }

        /** From a handle derives the record of a GUID, unless a client has bound that. */
        private static void derive(
                byte[] key, byte @Nullable [] before, byte @Nullable [] after, BiConsumer<byte[], RecordStore.Replace> also) {
            also.accept(key(key[2]), (to, current, version, _) -> {
                if (current != null && (current[1] & RecordImage.DERIVED) == 0) {
                    return RecordStore.Change.KEEP;
                }
                return after == null
                        ? RecordStore.Change.DELETE
                        : RecordImage.writeDerived(to, version, List.of(Binding.of(TestImages.place(1_000_000))));
            });
        }

        void step() {
            int name = random.nextInt(NAMES);
            int frontEnd = random.nextInt(FRONT_ENDS);
            if (random.nextInt(20) == 0) {
                handle(name, frontEnd);
                return;
            }
            int begun = ++time;
            boolean append = random.nextInt(3) > 0;
            int place = !append && random.nextInt(3) == 0 ? -1 : begun;
            long end = random.nextBoolean() ? 0 : 1_000_000_000_000L;
            List<Binding> bindings = place < 0 ? List.of() : List.of(new Binding(TestImages.place(place), 0, end));
            byte[] key = key(name);
            Optional<String> text = name % 2 == 0 || place < 0 ? Optional.empty() : form(name).text();
            Sent sent = new Sent(RecordImage.write(key, 0, bindings, NamedValues.of(text, bindings, Map.of())), append, new long[1]);
            try {
                if (frontEnds[frontEnd].change(key, sent).outcome() == RecordStore.Outcome.DONE) {
                    done++;
                    told.add(new Told(name, place, append, sent.stamp[0], begun, ++time));
                }
            } catch (ClusterException e) {
                failed++;
                told.add(new Told(name, place, append, sent.stamp[0], begun, NEVER));
            }
        }

        private void handle(int number, int frontEnd) {
            byte[] key = {2, 'h', (byte) number};
            boolean delete = random.nextBoolean();
            try {
                records[frontEnd].change(key, (RecordStore.Replace) (to, current, version, _) -> delete
                        ? current == null ? RecordStore.Change.KEEP : RecordStore.Change.DELETE
                        : RecordImage.writeForm(to, version, new byte[1]));
            } catch (ClusterException e) {
                failed++;
            }
        }

        private static Set<Long> shown(byte @Nullable [] image) throws IOException {
            Set<Long> places = new TreeSet<>();
            Optional<Record> live = image == null ? Optional.empty() : RecordChanges.live(image, 0);
            live.ifPresent(record -> record.bindings().forEach(each -> places.add(
                    TestImages.content(new Record(record.name(), 0, List.of(each), List.of())))));
            return places;
        }

        private void check() throws IOException {
            cluster.faults(0);
            nested = NESTED_MAX;
            Set<String> listed = cluster.listed();
            for (int name = 0; name < NAMES; name++) {
                int of = name;
                byte[] image = frontEnds[0].read(key(name), false).image();
                Set<Long> there = shown(image);
                List<Told> all = told.stream().filter(each -> each.name == of).toList();
                for (Told each : all) {
                    boolean mayBeGone = all.stream()
                            .anyMatch(other -> !other.append && other.stamp > each.stamp && other.ended > each.begun);
                    if (each.ended != NEVER && each.place >= 0 && !mayBeGone && !there.contains((long) each.place)) {
                        breaches.add("lost: " + each + ", there is " + there);
                    }
                    boolean isReplaced = all.stream()
                            .anyMatch(other -> !other.append && other.ended != NEVER && other.begun > each.ended);
                    if (isReplaced && there.contains((long) each.place)) {
                        breaches.add("came back: " + each + ", there is " + there);
                    }
                }
                if (!there.isEmpty() && !listed.contains(Arrays.toString(key(name)))) {
                    breaches.add("not listed: " + name);
                }
                Optional<byte[]> textKey = image == null ? Optional.empty() : NameTexts.listedKey(key(name), PlaceRows.of(image).text());
                if (!there.isEmpty() && textKey.isPresent() && !listed.contains(Arrays.toString(textKey.get()))) {
                    breaches.add("text not listed: " + name);
                }
                texts += textKey.isPresent() ? 1 : 0;
            }
        }

        History play(int faultsInThousand) throws IOException {
            for (int round = 0; round < 6; round++) {
                cluster.faults(faultsInThousand);
                nested = 0;
                for (int i = 0; i < WRITES / 6; i++) {
                    step();
                }
                check();
            }
            return this;
        }
    }

    @Test
    void nothingAcknowledgedIsLostAndNothingReplacedComesBack() throws IOException {
        for (long seed = 1; seed <= SEEDS; seed++) {
            History history = new History(seed).play(20);
            assertThat(history.breaches).as("seed %d", seed).isEmpty();
            assertThat(history.done).as("seed %d", seed).isGreaterThan(WRITES / 2);
            assertThat(history.texts).as("texts that were looked for, seed %d", seed).isPositive();
            assertThat(history.failed).as("faults that came through, seed %d", seed).isGreaterThan(10);
        }
    }

    /** A seed gives the same history each time, or a breach could not be looked at again. */
    @Test
    void aSeedIsAHistory() throws IOException {
        assertThat(new History(9).play(20).told).isEqualTo(new History(9).play(20).told);
    }

    @Test
    void oneCellForRowsAndPlacesInAListIsNoticed() throws IOException {
        History history = new History(320);
        history.cluster.oneCell();
        assertThat(history.play(20).breaches).anyMatch(each -> each.startsWith("not listed"));
    }

    @Test
    void oneReplicaInPlaceOfAQuorumIsNoticed() throws IOException {
        History history = new History(5);
        history.cluster.one();
        assertThat(history.play(20).breaches).anyMatch(each -> each.startsWith("lost"));
    }

    @Test
    void oneTimestampForDeletionAndPlacesIsNoticed() throws IOException {
        History history = new History(6);
        history.cluster.places().oneTimestamp();
        assertThat(history.play(20).breaches).anyMatch(each -> each.startsWith("lost"));
    }
}
