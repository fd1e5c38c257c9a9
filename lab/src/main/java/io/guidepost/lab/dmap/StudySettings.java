package io.guidepost.lab.dmap;

/**
 * The size and the assumptions of a study.
 *
 * @param guids names that are inserted
 * @param lookups look-ups of them
 * @param storageGuids names that are placed to measure the balance of storage, the most of several sizes
 * @param replicas K where one number of replicas is studied
 * @param replicasMax the largest K
 * @param intraMicros latency within an AS, one way, in microseconds, for the rows that assume one
 * @param weather the network noise under which methods are compared
 * @param seed one seed gives one result
 * @param threads threads that share the work
 */
public record StudySettings(
        int guids,
        int lookups,
        int storageGuids,
        int replicas,
        int replicasMax,
        int intraMicros,
        NetworkNoise weather,
        long seed,
        int threads) {
    /** The most names: their places are held in memory. */
    public static final int GUIDS_MAX = 1_000_000;

    /** The most look-ups: the name of each is held in memory. */
    public static final int LOOKUPS_MAX = 20_000_000;

    /** Popularity of names, as in the paper: rank r in proportion to (r + 100) to the power of -1.02. */
    public static final double POPULARITY_ALPHA = 1.02;

    /** See {@link #POPULARITY_ALPHA}. */
    public static final double POPULARITY_Q = 100;

    /** The numbers of the paper. */
    public static final StudySettings PAPER = new StudySettings(
            100_000,
            1_000_000,
            10_000_000,
            5,
            7,
            2_000,
            NetworkNoise.ORDINARY,
            1,
            Runtime.getRuntime().availableProcessors());

    /** Checks the ranges. */
    public StudySettings {
        inRange("GUIDs", guids, 1, GUIDS_MAX);
        inRange("look-ups", lookups, 1, LOOKUPS_MAX);
        inRange("GUIDs for storage", storageGuids, 1, 1_000_000_000);
        inRange("replicas at most", replicasMax, 1, 32);
        inRange("replicas", replicas, 1, replicasMax);
        inRange("microseconds within an AS", intraMicros, 0, 1_000_000);
        inRange("threads", threads, 1, 1024);
    }

    private static void inRange(String what, int number, int least, int most) {
        if (number < least || number > most) {
            throw new IllegalArgumentException(what + ": from " + least + " to " + most + ", not " + number);
        }
    }

    /** Returns the same at another size. */
    public StudySettings sized(int names, int looks, int stored) {
        return new StudySettings(
                names, looks, stored, replicas, replicasMax, intraMicros, weather, seed, threads);
    }

    /** Returns the same under other noise. */
    public StudySettings in(NetworkNoise other) {
        return new StudySettings(
                guids, lookups, storageGuids, replicas, replicasMax, intraMicros, other, seed, threads);
    }
}
