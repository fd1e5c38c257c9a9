package io.guidepost.lab.dmap;

import io.guidepost.lab.asgraph.ShortestPaths;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;

/**
 * Looks each name up by several methods under the same network noise: one row for each method. An exchange with a
 * server takes the same time in all methods, so that they differ by their policy and not by luck.
 */
final class SelectionPolicies implements Experiment {
    private final ReplicaNodes places;
    private final int replicas;
    private final StudyWorkload workload;
    private final LatencyModel distances;
    private final NetworkNoise weather;
    private final List<LookupMethod> methods;
    private final PeerEstimates servers;
    private final long seed;

    SelectionPolicies(
            ReplicaNodes places,
            int replicas,
            StudyWorkload workload,
            LatencyModel distances,
            NetworkNoise weather,
            List<LookupMethod> methods,
            PeerEstimates servers,
            long seed) {
        this.places = places;
        this.replicas = replicas;
        this.workload = workload;
        this.distances = distances;
        this.weather = weather;
        this.methods = methods;
        this.servers = servers;
        this.seed = seed;
    }

    @Override
    public int rows() {
        return methods.size();
    }

    @Override
    public Part part() {
        return new Asking();
    }

    private final class Asking implements Part {
        private static final long SILENT = Long.MAX_VALUE;

        private final long[] takes = new long[replicas];

        /** When the requests of a look-up time out, sorted. */
        private final long[] givenUp = new long[replicas];

        /** When the first request of a look-up is late. */
        private long late;

        private final double[] keys = new double[replicas];
        private final int[] order = new int[replicas];

        /** The last AS that learnt each GUID: an AS makes all its look-ups before the next one begins. */
        private final int[] told = new int[places.guids()];

        Asking() {
            Arrays.fill(told, -1);
        }

        @Override
        public void look(int lookup, int asker, int guid, ShortestPaths paths, LatencyStatistics[] rows) {
            SplittableRandom random = new SplittableRandom(PeerEstimates.mixed(seed, lookup));
            int count = places.count(guid, replicas);
            double own = weather.exchangeFactor(random) * 2 * distances.intraMicros();
            for (int i = 0; i < count; i++) {
                int node = places.node(guid, i);
                int roundTrip = distances.roundTripMicros(paths, asker, node);
                double factor = weather.exchangeFactor(random) * servers.factor(node);
                takes[i] = servers.isDown(node) ? SILENT : Math.round(factor * roundTrip);
            }
            long shuffle = random.nextLong();
            for (int row = 0; row < rows.length; row++) {
                LookupMethod method = methods.get(row);
                boolean here = method.local() && workload.owner(guid) == asker
                        || method.remembered() && told[guid] == asker;
                if (here) {
                    rows[row].answered(Math.round(own));
                } else {
                    order(method, asker, guid, count, paths, shuffle);
                    ask(method, asker, guid, count, paths, rows[row]);
                }
            }
            told[guid] = asker;
        }

        /** Sorts the replicas by the method's knowledge; equal ones stay in the order of the hashes. */
        private void order(LookupMethod method, int asker, int guid, int count, ShortestPaths paths, long shuffle) {
            for (int i = 0; i < count; i++) {
                int node = places.node(guid, i);
                double key = switch (method.order()) {
                    case RANDOM -> PeerEstimates.mixed(shuffle, i);
                    case LEAST_HOPS -> paths.hops(node);
                    case SHORTEST_PATH -> distances.roundTripMicros(paths, asker, node);
                    case MEASURED -> servers.isDown(node)
                            ? Double.MAX_VALUE
                            : distances.roundTripMicros(paths, asker, node) * servers.smoothed(asker, node);
                    case ALL -> 0;
                };
                int at = i;
                for (; at > 0 && keys[at - 1] > key; at--) {
                    keys[at] = keys[at - 1];
                    order[at] = order[at - 1];
                }
                keys[at] = key;
                order[at] = i;
            }
        }

        /**
         * Asks the replicas; the first answer counts. After a timeout one more server is asked; a hedging method asks
         * the second one earlier, and from then on has two requests in flight.
         */
        private void ask(LookupMethod method, int asker, int guid, int count, ShortestPaths paths, LatencyStatistics row) {
            long timeout = weather.timeoutMillis() * 1000L;
            long best = SILENT;
            int questions = 0;
            for (int i = 0; i < count; i++) {
                int node = places.node(guid, order[i]);
                long high = Math.round(distances.roundTripMicros(paths, asker, node) * servers.high(asker, node));
                long asked = when(method, i);
                if (asked >= best) {
                    break;
                }
                if (i == 0) {
                    late = Math.min(timeout, high);
                }
                boolean patient = !method.patience() || i == count - 1;
                long waits = patient
                        ? timeout
                        : Math.min(timeout, Math.max(LookupMethod.PATIENCE_MICROS_MIN, LookupMethod.PATIENCE * high));
                giveUp(i, asked + waits);
                long took = takes[order[i]];
                boolean taken = took != SILENT && (!method.patience() || took <= waits);
                best = taken ? Math.min(best, asked + took) : best;
                questions++;
            }
            row.asked(questions);
            if (best == SILENT) {
                row.failed();
            } else {
                row.answered(best);
            }
        }

        /** Returns when the next request is sent, after {@code before} earlier ones. */
        private long when(LookupMethod method, int before) {
            if (before == 0 || method.order() == LookupMethod.Order.ALL) {
                return 0;
            }
            if (!method.hedged()) {
                return givenUp[before - 1];
            }
            return before == 1 ? Math.min(late, givenUp[0]) : givenUp[before - 2];
        }

        /** Inserts a timeout into the sorted list. */
        private void giveUp(int before, long at) {
            int place = before;
            for (; place > 0 && givenUp[place - 1] > at; place--) {
                givenUp[place] = givenUp[place - 1];
            }
            givenUp[place] = at;
        }
    }
}
