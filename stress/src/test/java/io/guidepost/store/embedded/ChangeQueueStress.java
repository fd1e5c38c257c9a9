package io.guidepost.store.embedded;

import io.guidepost.store.RecordStore;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;
import org.openjdk.jcstress.infra.results.I_Result;

/** The bounded many-producer queue in front of the committer. */
public class ChangeQueueStress {
    private static final int ENTRIES = 8;
    private static final int TRIES = 64;

    private static ChangeQueue.Entry entry(int number) {
        RecordStore.Replace change = (key, current, version, nowMillis) -> key;
        return new ChangeQueue.Entry(new byte[] {(byte) number}, change, (outcome, key) -> {});
    }

    /** Appends the next entry to the digits, if there is one. */
    private static int poll(ChangeQueue queue, int digits) {
        ChangeQueue.Entry entry = queue.poll();
        return entry == null ? digits : 10 * digits + entry.key()[0];
    }

    /** The queue has room for two, so that each side waits for the other: no entry is lost or out of order. */
    @JCStressTest
    @Outcome(id = "0", expect = Expect.ACCEPTABLE, desc = "All that were accepted, in order.")
    @Outcome(expect = Expect.FORBIDDEN, desc = "An accepted entry was lost or overtaken.")
    @State
    public static class FullQueue {
        private final ChangeQueue queue = new ChangeQueue(2);
        private int accepted;
        private int taken;
        private int wrong;

        @Actor
        public void producer() {
            for (int i = 0; i < TRIES && accepted < ENTRIES; i++) {
                accepted += queue.offer(entry(accepted + 1)) ? 1 : 0;
            }
        }

        @Actor
        public void consumer() {
            for (int i = 0; i < TRIES && taken < ENTRIES; i++) {
                take();
            }
        }

        @Arbiter
        public void after(I_Result result) {
            take();
            take();
            result.r1 = wrong + accepted - taken;
        }

        private void take() {
            int number = poll(queue, 0);
            if (number > 0) {
                taken++;
                wrong += number == taken ? 0 : 100;
            }
        }
    }

    /** Two producers offer at the same time: both entries are there afterwards. */
    @JCStressTest
    @Outcome(id = {"2, 12", "2, 21"}, expect = Expect.ACCEPTABLE, desc = "Both.")
    @Outcome(expect = Expect.FORBIDDEN, desc = "One was lost.")
    @State
    public static class TwoProducers {
        private final ChangeQueue queue = new ChangeQueue(2);
        private boolean first;
        private boolean second;

        @Actor
        public void first() {
            first = queue.offer(entry(1));
        }

        @Actor
        public void second() {
            second = queue.offer(entry(2));
        }

        @Arbiter
        public void after(II_Result result) {
            result.r1 = (first ? 1 : 0) + (second ? 1 : 0);
            result.r2 = poll(queue, poll(queue, 0));
        }
    }
}
