package io.guidepost.packet.admission;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.guidepost.base.Addresses;
import io.guidepost.base.DatagramClassifier;
import io.guidepost.packet.Burst;
import io.guidepost.packet.Drop;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.function.IntUnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class FairQueueTest {
    private static final int BURST = 64;
    private static final int PERIODS = 60;

    private final SplittableRandom random = new SplittableRandom(20261120);
    private final MemorySegment datagram = MemorySegment.ofArray(new byte[Integer.BYTES]);
    private final Burst burst = new Burst(datagram, 1, 0);
    private OverloadListener listener = OverloadListener.NONE;
    private final FairQueue queue =
            new FairQueue(42, FairQueueTest::name, (high, low, bits) -> listener.overloaded(high, low, bits));

    private static long name(MemorySegment segment, long offset, int length) {
        return length < Integer.BYTES
                ? DatagramClassifier.NO_NAME
                : Integer.toUnsignedLong(segment.get(ValueLayout.JAVA_INT_UNALIGNED, offset)) + 1;
    }

    /** Who asks and what for, one entry of the mix a question, and what became of those of the last period. */
    private record Kind(IntUnaryOperator source, IntUnaryOperator name, int weight) {}

    private final int[] asked = new int[8];
    private final int[] waited = new int[8];

    private boolean ask(int source, int name) {
        return ask(source, name, Integer.BYTES);
    }

    private boolean ask(int source, int name, int length) {
        datagram.set(ValueLayout.JAVA_INT_UNALIGNED, 0, name);
        burst.datagram(0, 0, length, 0, Addresses.ipv4Low(source << 8 | 1), 4000, 0, 0);
        return queue.judge(burst, 0) == AdmissionPolicy.Verdict.DEFER;
    }

    /** Full bursts of a mix of kinds, for some periods; what is counted is the last quarter. */
    private void flood(Kind... mix) {
        int weights = 0;
        for (Kind each : mix) {
            weights += each.weight;
        }
        int questions = PERIODS * FairQueue.PERIOD;
        for (int i = 0; i < questions; i++) {
            if (i % BURST == 0) {
                queue.begin(0, true);
            }
            int draw = random.nextInt(weights);
            int kind = 0;
            while (draw >= mix[kind].weight) {
                draw -= mix[kind++].weight;
            }
            boolean waits = ask(mix[kind].source.applyAsInt(i), mix[kind].name.applyAsInt(i));
            if (i > questions / 4 * 3) {
                asked[kind]++;
                waited[kind] += waits ? 1 : 0;
            }
        }
    }

    private double share(int kind) {
        return (double) waited[kind] / asked[kind];
    }

    private Kind honest(int weight) {
        return new Kind(i -> 1000 + random.nextInt(20), i -> random.nextInt(), weight);
    }

    @Test
    void aFlooderWaitsAndTheOthersDoNot() {
        flood(honest(2), new Kind(i -> 1, i -> random.nextInt(), 98));
        assertThat(share(0)).isZero();
        assertThat(share(1)).isGreaterThan(0.5);
    }

    @Test
    void floodersOfFiftyNetworksWait() {
        flood(honest(2), new Kind(i -> random.nextInt(50), i -> random.nextInt(), 98));
        assertThat(share(0)).isLessThan(0.01);
        assertThat(share(1)).isGreaterThan(0.45);
    }

    @Test
    void oneSourceAloneNeverWaits() {
        flood(new Kind(i -> 1, i -> 1, 1));
        assertThat(waited[0]).isZero();
    }

    /** Clients of about one rate are all as busy: whether they wait or not, they do alike. */
    @Test
    void equalsAreTreatedAlike() {
        flood(honest(1), new Kind(i -> 2000 + random.nextInt(20), i -> random.nextInt(), 1));
        assertThat(share(0)).isCloseTo(share(1), within(0.05));
    }

    @Test
    void amongForgedSourcesTheNameThatAllAskForWaits() {
        flood(honest(5), new Kind(i -> random.nextInt(1 << 24), i -> 7, 95));
        assertThat(share(0)).isLessThan(0.01);
        assertThat(share(1)).isGreaterThan(0.5);
    }

    /** What cannot be told from honest questions is treated as they are. */
    @Test
    void forgedSourcesAndManyNamesAreAllTreatedAlike() {
        flood(honest(5), new Kind(i -> random.nextInt(1 << 24), i -> random.nextInt(), 95));
        assertThat(waited[1]).isZero();
    }

    /** A popular name is no attack as long as sources tell who is. */
    @Test
    void aPopularNameDoesNotWaitBecauseOfAFlooder() {
        flood(
                new Kind(i -> 1000 + random.nextInt(20), i -> 7, 10),
                new Kind(i -> 1, i -> random.nextInt(), 90));
        assertThat(share(0)).isZero();
        assertThat(share(1)).isGreaterThan(0.5);
    }

    @Test
    void nobodyWaitsInShortTurns() {
        for (int turn = 0; turn < 100_000; turn++) {
            queue.begin(0, false);
            for (int i = 1; i < FairQueue.LONG_TURN; i++) {
                assertThat(ask(i == 1 ? 2 : 1, 1)).isFalse();
            }
        }
    }

    /** When the flood is over the flooder is one of many again. */
    @Test
    void isForgotten() {
        flood(honest(2), new Kind(i -> 1, i -> random.nextInt(), 98));
        asked[0] = 0;
        waited[0] = 0;
        flood(new Kind(i -> random.nextInt(500), i -> random.nextInt(), 1));
        assertThat(share(0)).isZero();
    }

    /** What has no name is judged by its source alone. */
    @Test
    void whatHasNoNameIsNoHeavyHitterByName() {
        for (int i = 0; i < 40 * FairQueue.PERIOD; i++) {
            queue.begin(0, true);
            assertThat(ask(random.nextInt(1 << 24), 7, i % Integer.BYTES)).isFalse();
        }
    }

    @Test
    void itSaysWhatIsHeavy() {
        flood(honest(2), new Kind(i -> 1, i -> random.nextInt(), 98));
        while (!ask(1, random.nextInt())) {
            assertThat(queue.reason()).isEqualTo(Drop.HEAVY_HITTER_SOURCE);
        }
        flood(honest(5), new Kind(i -> random.nextInt(1 << 24), i -> 7, 95));
        while (!ask(random.nextInt(1 << 24), 7)) {
            assertThat(ask(1, random.nextInt())).isFalse();
        }
        assertThat(queue.reason()).isEqualTo(Drop.HEAVY_HITTER_NAME);
    }

    /** Networks that the queue told of, by the numbers that {@link #ask} gives sources, each as often as it was told of. */
    private Map<Integer, Integer> told() {
        Map<Integer, Integer> told = new TreeMap<>();
        listener = (high, low, bits) -> {
            assertThat(bits).isEqualTo(24);
            told.merge((int) (low & 0xffffffffL) >>> 8, 1, Integer::sum);
        };
        return told;
    }

    @Test
    void aFlooderIsToldOfOftenAndNobodyElseEver() {
        Map<Integer, Integer> told = told();
        flood(honest(5), new Kind(i -> 1, i -> random.nextInt(), 95));
        assertThat(told).containsOnlyKeys(1);
        assertThat(told.get(1)).isGreaterThan(PERIODS * FairQueue.PERIOD / FairQueue.TELL_EACH / 2);
    }

    @Test
    void ofManyFloodersAllAreToldOf() {
        Map<Integer, Integer> told = told();
        flood(honest(10), new Kind(i -> 1 + random.nextInt(20), i -> random.nextInt(), 90));
        assertThat(told.keySet()).isEqualTo(IntStream.rangeClosed(1, 20).boxed().collect(Collectors.toSet()));
    }

    @Test
    void forTheSakeOfARareQuestionNobodyIsToldOf() {
        Map<Integer, Integer> told = told();
        flood(new Kind(i -> 1000, i -> 7, 1), new Kind(i -> 1, i -> random.nextInt(), 2000));
        assertThat(told).isEmpty();
    }

    @Test
    void ofTwoWhoAskMuchNobodyIsToldOf() {
        Map<Integer, Integer> told = told();
        flood(new Kind(i -> 1, i -> random.nextInt(), 60), new Kind(i -> 2, i -> random.nextInt(), 40));
        assertThat(told).isEmpty();
        assertThat(share(0)).as("though one of them waits").isGreaterThan(0.5);
    }
}
