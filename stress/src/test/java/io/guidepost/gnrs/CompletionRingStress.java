package io.guidepost.gnrs;

import org.jspecify.annotations.Nullable;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/** The many-producer ring of completed writes. */
public class CompletionRingStress {
    /** A write whose outcome is a plain field. */
    private static final class Write {
        private int outcome;

        static Write of(int outcome) {
            Write write = new Write();
            write.outcome = outcome;
            return write;
        }
    }

    private static int take(CompletionRing<Write> ring) {
        @Nullable Write write = ring.take();
        return write == null ? -1 : write.outcome;
    }

    /** What the producer wrote before it put is seen by the consumer that takes, in order. */
    @JCStressTest
    @Outcome(id = {"-1, -1", "-1, 1", "1, -1", "1, 2"}, expect = Expect.ACCEPTABLE, desc = "Nothing yet, or whole writes in order.")
    @Outcome(expect = Expect.FORBIDDEN, desc = "A write without its outcome, or out of order.")
    @State
    public static class Handover {
        private final CompletionRing<Write> ring = new CompletionRing<>(2);

        @Actor
        public void producer() {
            ring.put(Write.of(1));
            ring.put(Write.of(2));
        }

        @Actor
        public void consumer(II_Result result) {
            result.r1 = take(ring);
            result.r2 = take(ring);
        }
    }

    /** Two producers put at the same time: both writes are there afterwards. */
    @JCStressTest
    @Outcome(id = {"1, 2", "2, 1"}, expect = Expect.ACCEPTABLE, desc = "Both.")
    @Outcome(expect = Expect.FORBIDDEN, desc = "One was lost.")
    @State
    public static class TwoProducers {
        private final CompletionRing<Write> ring = new CompletionRing<>(2);

        @Actor
        public void first() {
            ring.put(Write.of(1));
        }

        @Actor
        public void second() {
            ring.put(Write.of(2));
        }

        @Arbiter
        public void after(II_Result result) {
            result.r1 = take(ring);
            result.r2 = take(ring);
        }
    }
}
