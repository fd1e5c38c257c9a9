package io.guidepost.base;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.JJ_Result;
import org.openjdk.jcstress.infra.results.J_Result;

/** The sequence lock of {@link ExpiringHashTable}: a table of one row, which all keys share. */
public class ExpiringHashTableStress {
    private static void put(ExpiringHashTable table, long key, long number) {
        table.put(key, key, key, number, 0, 1_000_000);
    }

    private static long find(ExpiringHashTable table, long key) {
        return table.find(key, key, key, 0);
    }

    /** The row goes from one key to another and back while it is read. */
    @JCStressTest
    @Outcome(id = {"-1", "1", "3"}, expect = Expect.ACCEPTABLE, desc = "No entry, or a number of the key.")
    @Outcome(expect = Expect.FORBIDDEN, desc = "A number of the other key.")
    @State
    public static class KeyReplaced {
        private final ExpiringHashTable table = new ExpiringHashTable(1);

        /** Creates the table with the entry. */
        public KeyReplaced() {
            put(table, 1, 1);
        }

        @Actor
        public void writer() {
            put(table, 2, 2);
            put(table, 1, 3);
        }

        @Actor
        public void reader(J_Result result) {
            result.r1 = find(table, 1);
        }
    }

    /** Two writers want the row: one of them has it afterwards, whole. */
    @JCStressTest
    @Outcome(id = {"1, -1", "-1, 2"}, expect = Expect.ACCEPTABLE, desc = "One entry.")
    @Outcome(expect = Expect.FORBIDDEN, desc = "A row of parts of both, or a row locked for ever.")
    @State
    public static class TwoWriters {
        private final ExpiringHashTable table = new ExpiringHashTable(1);

        @Actor
        public void first() {
            put(table, 1, 1);
        }

        @Actor
        public void second() {
            put(table, 2, 2);
        }

        @Arbiter
        public void after(JJ_Result result) {
            result.r1 = find(table, 1);
            result.r2 = find(table, 2);
        }
    }
}
