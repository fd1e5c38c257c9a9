package io.guidepost.lab.dmap;

import io.guidepost.lab.asgraph.WeightedSampler;
import java.util.Arrays;
import java.util.SplittableRandom;

/**
 * The workload of a study: which AS inserted each GUID, and which look-ups come from each AS; drawn once, then the same
 * for all experiments. Immutable. Look-ups of one AS keep their order.
 */
final class StudyWorkload {
    private final int[] owners;

    /** Look-ups sorted by AS: the GUID of each. */
    private final int[] guids;

    /** The first look-up of each AS. */
    private final int[] firsts;

    private StudyWorkload(int[] owners, int[] guids, int[] firsts) {
        this.owners = owners;
        this.guids = guids;
        this.firsts = firsts;
    }

    /**
     * Draws inserts and look-ups.
     *
     * @param ends the demand of each node
     * @param locality the share of look-ups that come from the node that inserted the GUID, whatever its demand
     * @param popularity the sampler of GUIDs
     */
    static StudyWorkload draw(
            long seed, WeightedSampler ends, double locality, int nodes, WeightedSampler popularity, int guidCount, int lookups) {
        SplittableRandom random = new SplittableRandom(seed);
        int[] owners = new int[guidCount];
        Arrays.setAll(owners, i -> ends.draw(random));
        int[] wanted = new int[lookups];
        int[] askers = new int[lookups];
        int[] firsts = new int[nodes + 1];
        for (int i = 0; i < lookups; i++) {
            wanted[i] = popularity.draw(random);
            askers[i] = random.nextDouble() < locality ? owners[wanted[i]] : ends.draw(random);
            firsts[askers[i] + 1]++;
        }
        for (int i = 0; i < nodes; i++) {
            firsts[i + 1] += firsts[i];
        }
        int[] next = Arrays.copyOf(firsts, nodes);
        int[] guids = new int[lookups];
        for (int i = 0; i < lookups; i++) {
            guids[next[askers[i]]++] = wanted[i];
        }
        return new StudyWorkload(owners, guids, firsts);
    }

    int lookups() {
        return guids.length;
    }

    /** Returns the node that inserted a GUID. */
    int owner(int guid) {
        return owners[guid];
    }

    /** Returns the GUID of a look-up. */
    int guid(int lookup) {
        return guids[lookup];
    }

    /** Returns the first look-up of a node; those up to the first of the next node are its own. */
    int first(int node) {
        return firsts[node];
    }
}
