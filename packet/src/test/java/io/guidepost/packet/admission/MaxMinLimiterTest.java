package io.guidepost.packet.admission;

import static org.assertj.core.api.Assertions.assertThat;

import io.guidepost.base.Addresses;
import io.guidepost.packet.Burst;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Deque;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/**
 * A worker with its queue, step by step: a turn takes up to 64 questions; to take one costs one microsecond, to answer it
 * four more; the queue holds 2,000, and what comes when it is full is lost, whosever it is.
 */
class MaxMinLimiterTest {
    private static final int BURST = 64;
    private static final int QUEUE = 2000;
    private static final int TAKE_NANOS = 1000;
    private static final int ANSWER_NANOS = 4000;
    private static final int FLOODER = 0;

    private final Random random = new Random(1);
    private final Deque<Integer> queue = new ArrayDeque<>();
    private final Burst burst = new Burst(MemorySegment.NULL, 1, 0);
    private final MaxMinLimiter limiter = new MaxMinLimiter(9, () -> this.lost, (high, low, bits) -> told(low, bits));
    private long lost;
    private long nanos;
    private final Set<Integer> told = new TreeSet<>();
    private long[] asked = new long[0];
    private long[] answered = new long[0];
    private double[] owed = new double[0];
    private double forgedPerMilli;
    private double forgedOwed;

    /** Bits of addresses in which forged ones differ. */
    private int forgedMask = -1;

    /** Blocks of addresses between one source and the next. */
    private int step = 1;

    /** Runs so many milliseconds; source i asks {@code perMilli[i]} questions in each. */
    private void run(int millis, double... perMilli) {
        asked = new long[perMilli.length];
        answered = new long[perMilli.length];
        owed = Arrays.copyOf(owed, perMilli.length);
        long end = nanos + millis * 1_000_000L;
        while (nanos < end) {
            limiter.begin(nanos / 1_000_000, false);
            long begun = nanos;
            for (int i = 0; i < BURST && !queue.isEmpty(); i++) {
                int source = queue.removeFirst();
                burst.datagram(0, 0, 0, 0, Addresses.ipv4Low(source < 0 ? source : source * step), 1, 0, 0);
                boolean over = limiter.judge(burst, 0) == AdmissionPolicy.Verdict.DROP;
                nanos += over ? TAKE_NANOS : TAKE_NANOS + ANSWER_NANOS;
                if (source >= 0) {
                    answered[source] += over ? 0 : 1;
                }
            }
            nanos = Math.max(nanos, begun + 20_000);
            arrive((nanos - begun) / 1e6, perMilli);
        }
    }

    private void arrive(double millis, double[] perMilli) {
        List<Integer> coming = new ArrayList<>();
        for (int source = 0; source < perMilli.length; source++) {
            owed[source] += millis * perMilli[source];
            for (; owed[source] >= 1; owed[source]--) {
                asked[source]++;
                coming.add(source);
            }
        }
        forgedOwed += millis * forgedPerMilli;
        for (; forgedOwed >= 1; forgedOwed--) {
            coming.add(random.nextInt() & forgedMask | Integer.MIN_VALUE);
        }
        Collections.shuffle(coming, random);
        for (int source : coming) {
            if (queue.size() == QUEUE) {
                lost++;
            } else {
                queue.addLast(source);
            }
        }
    }

    private void told(long low, int bits) {
        assertThat(bits).isEqualTo(32);
        told.add((int) low / step);
    }

    private double share(int source) {
        return (double) answered[source] / asked[source];
    }

    @Test
    void aFloodCostsTheFlooderAlone() {
        run(1000, 0, 5, 5, 5, 5);
        assertThat(share(1)).isGreaterThan(0.99);
        // Four times what the worker can answer.
        run(300, 800, 5, 5, 5, 5);
        run(2000, 800, 5, 5, 5, 5);
        for (int source = 1; source <= 4; source++) {
            assertThat(share(source)).isGreaterThan(0.98);
        }
        assertThat(told).as("those who are told of").containsExactly(FLOODER);
        // The worker is not idle meanwhile: the flooder gets what the others leave.
        assertThat(answered[FLOODER]).isGreaterThan(2000 * 20);
        run(1000, 0, 5, 5, 5, 5);
        assertThat(share(1)).isGreaterThan(0.99);
    }

    @Test
    void twoFloodersGetTheSame() {
        // Strangers would be held together, see there.
        run(2500, 1, 1, 5);
        run(300, 400, 400, 5);
        run(2000, 400, 400, 5);
        assertThat(share(2)).isGreaterThan(0.98);
        assertThat(answered[0]).isCloseTo(answered[1], org.assertj.core.data.Percentage.withPercentage(10));
    }

    @Test
    void whoAsksAloneIsNotBound() {
        run(2000, 800);
        // What the worker could answer at best is 400 in two milliseconds.
        assertThat(answered[0]).isGreaterThan((long) (0.95 * 2000 * 200));
    }

    @Test
    void equalsAreNotBoundThoughTheyAskALot() {
        double[] each = new double[50];
        Arrays.fill(each, 3.8);
        run(2000, each);
        assertThat(Arrays.stream(answered).sum()).isGreaterThan((long) (0.99 * Arrays.stream(asked).sum()) - QUEUE);
    }

    @Test
    void whatWasIsForgotten() {
        run(1000, 800, 5);
        assertThat(limiter.bound()).isLessThan(MaxMinLimiter.PERIOD);
        run(MaxMinLimiter.FORGET_MILLIS + 100, 0, 5);
        // A burst of one customer, of more than a turn, in quiet times.
        run(100, 150, 5);
        assertThat(share(0)).isGreaterThan(0.95);
    }

    @Test
    void whoAskedBeforeKeepsTheShareWhenSourcesAreForged() {
        run(3000, 5, 5, 5, 5);
        forgedPerMilli = 700;
        run(300, 5, 5, 5, 5);
        run(2000, 5, 5, 5, 5);
        for (int source = 0; source < 4; source++) {
            assertThat(share(source)).isGreaterThan(0.98);
        }
        forgedPerMilli = 0;
        run(1000, 5, 5, 5, 5);
        assertThat(share(0)).isGreaterThan(0.99);
    }

    @Test
    void aStrangerGetsInWhileSourcesAreForged() {
        run(3000, 5, 5, 5, 0);
        forgedPerMilli = 700;
        run(20_000, 5, 5, 5, 5);
        run(5000, 5, 5, 5, 5);
        assertThat(share(3)).isGreaterThan(0.9);
        assertThat(share(0)).isGreaterThan(0.95);
    }

    @Test
    void manyFloodersAtOneBlockLeaveTheOthersTheirShares() {
        step = 1 << 8;
        double[] each = new double[6];
        Arrays.fill(each, 5);
        run(3000, each);
        // A whole block of addresses, which is not a block of strangers any more.
        forgedMask = 0xff;
        forgedPerMilli = 1;
        run(5000, each);
        forgedPerMilli = 400;
        run(300, each);
        run(2000, each);
        for (int source = 0; source < each.length; source++) {
            assertThat(share(source)).isGreaterThan(0.95);
        }
    }

    @Test
    void whoAsksALotIsNotBoundWhenTheFloodIsOver() {
        run(2500, 20, 20, 1);
        forgedPerMilli = 700;
        run(2000, 20, 20, 1);
        forgedPerMilli = 0;
        run(50, 20, 20, 1);
        // Turns are still long now and then, as these ask in crowds of their own.
        run(1000, 70, 70, 1);
        assertThat(share(0)).isGreaterThan(0.9);
        assertThat(share(2)).isGreaterThan(0.9);
    }
}
