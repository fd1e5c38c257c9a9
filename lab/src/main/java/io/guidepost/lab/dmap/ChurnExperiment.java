package io.guidepost.lab.dmap;

import io.guidepost.base.Prefix;
import io.guidepost.lab.asgraph.ShortestPaths;
import io.guidepost.proximity.Prefixes;
import java.util.SplittableRandom;

/**
 * Look-ups by a prefix table that has changed since the names were inserted, while no record was moved. The closest
 * replica is asked first; one without the record answers so, which costs a round trip, and the next is asked.
 *
 * <p>Rows: one replica; all replicas; one replica and, if need be, that of the previous table, as a Guidepost server
 * asks until its records are where the new table wants them.
 */
record ChurnExperiment(ReplicaNodes before, ReplicaNodes after, int replicas, LatencyModel distances) implements Experiment {
    /** The number of rows. */
    static final int ROWS = 3;

    /** The change of the table between insert and look-up. */
    public enum Change {
        /** Prefixes were withdrawn. */
        WITHDRAWN,
        /** Prefixes were announced. */
        ANNOUNCED,
        /** Half of the change was the one, and half the other. */
        BOTH
    }

    /**
     * Creates the table before or after a change. The full table is one of them, or lies between them.
     *
     * @param share the share of the prefixes that change
     */
    static Prefixes table(Prefixes full, long seed, Change change, double share, boolean isAfter) {
        boolean lacks = change == Change.BOTH || isAfter == (change == Change.WITHDRAWN);
        double lacking = !lacks ? 0 : change == Change.BOTH ? share / 2 : share;
        SplittableRandom random = new SplittableRandom(seed);
        Prefixes.Builder table = Prefixes.builder();
        for (int i = 0; i < full.ipv4Size(); i++) {
            double drawn = random.nextDouble();
            boolean isLacking = isAfter ? drawn < lacking : drawn >= 1 - lacking;
            if (!isLacking) {
                table.add(
                        Prefix.ofIpv4(full.ipv4Base(i), full.ipv4Length(i)),
                        Integer.toUnsignedLong(full.ipv4Value(i)));
            }
        }
        return table.build();
    }

    @Override
    public int rows() {
        return ROWS;
    }

    @Override
    public Part part() {
        return new Asking()::look;
    }

    private final class Asking {
        private final int[] nodes = new int[2 * replicas];
        private final int[] micros = new int[2 * replicas];

        void look(int lookup, int asker, int guid, ShortestPaths paths, LatencyStatistics[] rows) {
            ask(1, guid, sorted(after, 1, asker, guid, paths, 0), rows[0]);
            ask(replicas, guid, sorted(after, replicas, asker, guid, paths, 0), rows[1]);
            int count = sorted(after, 1, asker, guid, paths, 0);
            ask(1, guid, sorted(before, 1, asker, guid, paths, count), rows[2]);
        }

        /** Appends the servers of a GUID, nearest first; returns the new count. */
        private int sorted(ReplicaNodes places, int k, int asker, int guid, ShortestPaths paths, int from) {
            int count = places.count(guid, k);
            for (int i = 0; i < count; i++) {
                int node = places.node(guid, i);
                int roundTrip = distances.roundTripMicros(paths, asker, node);
                int at = from + i;
                for (; at > from && micros[at - 1] > roundTrip; at--) {
                    micros[at] = micros[at - 1];
                    nodes[at] = nodes[at - 1];
                }
                micros[at] = roundTrip;
                nodes[at] = node;
            }
            return from + count;
        }

        private void ask(int k, int guid, int count, LatencyStatistics row) {
            long spent = 0;
            for (int i = 0; i < count; i++) {
                if (!repeated(i)) {
                    spent += micros[i];
                    row.asked(1);
                    if (before.holds(guid, k, nodes[i])) {
                        row.answered(spent);
                        return;
                    }
                    if (i == 0) {
                        row.firstMissing();
                    }
                }
            }
            row.failed();
        }

        /** Returns whether a server was asked before, as one of the other table. */
        private boolean repeated(int at) {
            for (int i = 0; i < at; i++) {
                if (nodes[i] == nodes[at]) {
                    return true;
                }
            }
            return false;
        }
    }
}
