package io.guidepost.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import io.guidepost.store.RecordImage;
import io.guidepost.store.RecordStore;
import io.guidepost.store.StoreOptions;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Histories of several front ends at one cluster, whose statements go wrong. Between any two statements of one front end others may
 * make whole changes, and it may die. All of it follows from a seed.
 */
final class FleetHistoryTest {
    private static final int FRONT_ENDS = 3;
    private static final int NAMES = 4;
    private static final int CHANGES = 2000;
    private static final int NESTED_MAX = 3;

    /** Ends a front end in the middle of a change. */
    private static final class Killed extends Error {
        private static final long serialVersionUID = 1L;
    }

    private static final class History {
        private final SplittableRandom random;
        private final ClusterModel cluster;
        private final Records[] frontEnds = new Records[FRONT_ENDS];
        private final Map<String, List<String>> acknowledged = new HashMap<>();
        private final Map<String, Integer> created = new HashMap<>();
        private final List<String> breaches = new ArrayList<>();
        private int killsInThousand = 3;
        private int nested;
        private int next;
        private int done;
        private int failed;

        History(long seed) {
            random = new SplittableRandom(seed);
            cluster = new ClusterModel(seed);
            for (int i = 0; i < FRONT_ENDS; i++) {
                start(i);
            }
        }

        private void start(int number) {
            Cql cql = cluster.frontEnd(this::meanwhile);
            // Clocks differ by a minute.
            StoreOptions options = StoreOptions.inMemory()
                    .withClock(() -> Instant.ofEpochMilli(1_000_000_000L + next + 60_000L * number))
                    .withDerivation(History::derive);
            ReentrantLock applying = new ReentrantLock();
            frontEnds[number] = new Records(
                    cql, new Places(cql, options.clock(), applying), options, applying, (_, _) -> {});
        }

        private void meanwhile() {
            if (nested < NESTED_MAX && random.nextInt(12) == 0) {
                nested++;
                try {
                    step();
                } finally {
                    nested--;
                }
            }
            if (random.nextInt(1000) < killsInThousand) {
                throw new Killed();
            }
        }

        /** From a record a… derives one m… that says the same. */
        private static void derive(
                byte[] key, byte @Nullable [] before, byte @Nullable [] after, BiConsumer<byte[], RecordStore.Replace> also) {
            if (key[1] == 'a') {
                byte[] to = key.clone();
                to[1] = 'm';
                also.accept(to, (derived, current, version, _) -> after == null
                        ? RecordStore.Change.DELETE
                        : current != null && text(current).equals(text(after))
                                ? RecordStore.Change.KEEP
                                : image(derived, version, text(after)));
            }
        }

        private static byte[] image(byte[] key, long version, String text) {
            return RecordImage.writeForm(key, version, text.getBytes(StandardCharsets.US_ASCII));
        }

        private static String text(byte @Nullable [] image) {
            if (image == null) {
                return "";
            }
            MemorySegment in = MemorySegment.ofArray(image);
            return new String(image, (int) RecordImage.form(in, 0), RecordImage.formLength(in, 0), StandardCharsets.US_ASCII);
        }

        private static byte[] key(char kind, int number) {
            return new byte[] {2, (byte) kind, (byte) ('0' + number)};
        }

        /** One change by one front end: to a record of several writers, or the creation of one. */
        void step() {
            int frontEnd = random.nextInt(FRONT_ENDS);
            String id = "<" + next++ + ">";
            boolean create = random.nextInt(5) == 0;
            int number = random.nextInt(NAMES);
            byte[] key = create ? key('c', next % 64) : key(random.nextBoolean() ? 'a' : 'b', number);
            RecordStore.Replace change = create
                    ? (to, current, version, _) -> current == null ? image(to, version, id) : RecordStore.Change.KEEP
                    : (to, current, version, _) -> image(to, version, text(current) + id);
            try {
                Records.Result result = frontEnds[frontEnd].change(key, change);
                if (result.outcome() == RecordStore.Outcome.DONE) {
                    done++;
                    acknowledged.computeIfAbsent(Arrays.toString(key), _ -> new ArrayList<>()).add(id);
                    if (create && created.merge(Arrays.toString(key), 1, Integer::sum) > 1) {
                        breaches.add("created twice: " + Arrays.toString(key));
                    }
                }
            } catch (ClusterException e) {
                failed++;
            } catch (Killed e) {
                failed++;
                start(frontEnd);
            }
        }

        /** Makes a change to each record when all is well again, and looks at all that was acknowledged. */
        void check() throws ClusterException {
            cluster.faults(0);
            killsInThousand = 0;
            nested = NESTED_MAX;
            Cql cql = cluster.frontEnd();
            Set<String> listed = cluster.listed();
            for (byte[] key : keys()) {
                frontEnds[0].change(key, (RecordStore.Replace) (_, _, _, _) -> RecordStore.Change.KEEP);
                RecordRow row = cql.read(key, true);
                String there = text(RecordRow.imageOf(row));
                for (String each : acknowledged.getOrDefault(Arrays.toString(key), List.of())) {
                    if (!there.contains(each)) {
                        breaches.add("lost: " + each + " of " + Arrays.toString(key));
                    }
                }
                String[] ids = there.split("(?<=>)", -1);
                if (Arrays.stream(ids).filter(each -> !each.isEmpty()).distinct().count() != there.chars().filter(c -> c == '>').count()) {
                    breaches.add("made twice: " + there);
                }
                if (row != null && !listed.contains(Arrays.toString(key))) {
                    breaches.add("not listed: " + Arrays.toString(key));
                }
                if (key[1] == 'a') {
                    byte[] derived = key.clone();
                    derived[1] = 'm';
                    if (!text(RecordRow.imageOf(cql.read(derived, true))).equals(there)) {
                        breaches.add("not derived: " + Arrays.toString(key));
                    }
                }
            }
        }

        private static List<byte[]> keys() {
            List<byte[]> keys = new ArrayList<>();
            for (int i = 0; i < 64; i++) {
                keys.add(key('c', i));
                if (i < NAMES) {
                    keys.add(key('a', i));
                    keys.add(key('b', i));
                }
            }
            return keys;
        }

        void play(int changes, int faultsInThousand) throws ClusterException {
            cluster.faults(faultsInThousand);
            for (int i = 0; i < changes; i++) {
                step();
            }
            check();
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void nothingAcknowledgedIsLostAndNothingIsMadeTwice(long seed) throws ClusterException {
        History history = new History(seed);
        history.play(CHANGES, 20);
        assertThat(history.breaches).as("seed %d", seed).isEmpty();
        assertThat(history.done).isGreaterThan(CHANGES / 2);
        assertThat(history.failed).as("faults that came through").isGreaterThan(20);
    }

    @Test
    void aSerialReadThatFinishesNothingIsNoticed() throws ClusterException {
        History history = new History(4);
        history.cluster.serialReadsFinish(false);
        history.play(CHANGES, 100);
        assertThat(history.breaches).isNotEmpty();
    }
}
