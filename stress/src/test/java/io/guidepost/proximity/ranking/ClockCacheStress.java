package io.guidepost.proximity.ranking;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/** The cache that is read without a lock: what is found is whole, and two that make a value at once keep one. */
public class ClockCacheStress {
    private static int[] made(int number) {
        int[] made = new int[2];
        made[0] = number;
        made[1] = number;
        return made;
    }

    private static int sum(int[] made) {
        return made[0] + made[1];
    }

    /** A reader beside the first put. */
    @JCStressTest
    @Outcome(id = {"0, 0", "0, 2", "2, 2"}, expect = Expect.ACCEPTABLE, desc = "Nothing yet, or all of it.")
    @Outcome(expect = Expect.FORBIDDEN, desc = "A value that is not whole, or that went again.")
    @State
    public static class Published {
        private final ClockCache<int[]> cache = new ClockCache<>(2, 16, 8);

        @Actor
        public void writer() {
            cache.put(0, made(1));
        }

        @Actor
        public void reader(II_Result result) {
            int[] first = cache.get(0);
            int[] second = cache.get(0);
            result.r1 = first == null ? 0 : sum(first);
            result.r2 = second == null ? 0 : sum(second);
        }
    }

    /** Two threads make the value of one router. */
    @JCStressTest
    @Outcome(id = {"2, 2", "4, 4"}, expect = Expect.ACCEPTABLE, desc = "Both use the value of one.")
    @Outcome(expect = Expect.FORBIDDEN, desc = "Each uses its own, or one that is not whole.")
    @State
    public static class TwoMakers {
        private final ClockCache<int[]> cache = new ClockCache<>(2, 16, 8);

        @Actor
        public void first(II_Result result) {
            result.r1 = sum(cache.put(0, made(1)));
        }

        @Actor
        public void second(II_Result result) {
            result.r2 = sum(cache.put(0, made(2)));
        }
    }
}
