package io.guidepost.dns;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.ZZ_Result;

/** The rows of {@link SuffixCounts}: a name that is there stays there while others come, and while the table grows. */
public class SuffixCountsStress {
    private static final int ROWS = 1 << 10;

    /** The table grows with the name that is added while another is looked for. */
    @JCStressTest
    @Outcome(id = {"true, false", "true, true"}, expect = Expect.ACCEPTABLE, desc = "What was there, and the new one or not yet.")
    @Outcome(expect = Expect.FORBIDDEN, desc = "A name that is there is not found.")
    @State
    public static class Grows {
        private final SuffixCounts counts = new SuffixCounts(4 * ROWS);

        /** Creates a table that is full up to one row. */
        public Grows() {
            for (int i = 1; i <= ROWS / 2; i++) {
                counts.add(i, 1);
            }
        }

        @Actor
        public void writer() {
            counts.add(ROWS, 1);
        }

        @Actor
        public void reader(ZZ_Result result) {
            result.r2 = counts.contains(ROWS);
            result.r1 = counts.contains(1);
        }
    }

    /** A row is written: who finds its hash finds its count. */
    @JCStressTest
    @Outcome(id = {"false, false", "false, true", "true, true"}, expect = Expect.ACCEPTABLE, desc = "Not yet, or there.")
    @Outcome(expect = Expect.FORBIDDEN, desc = "A name that was found is gone.")
    @State
    public static class Comes {
        private final SuffixCounts counts = new SuffixCounts(ROWS);

        @Actor
        public void writer() {
            counts.add(5, 1);
        }

        @Actor
        public void reader(ZZ_Result result) {
            result.r1 = counts.contains(5);
            result.r2 = counts.contains(5);
        }
    }
}
