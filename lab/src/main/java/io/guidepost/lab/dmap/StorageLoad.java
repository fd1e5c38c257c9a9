package io.guidepost.lab.dmap;

import io.guidepost.gnrs.placement.AsBindings;
import io.guidepost.names.Guid;
import io.guidepost.proximity.Prefixes;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.function.DoubleConsumer;
import java.util.stream.IntStream;

/**
 * The balance of storage: for each AS, its share of all copies over its share of the announced addresses, the load
 * ratio; 1 is proportional.
 *
 * @param guids names that were placed
 * @param ratios the load ratio of each AS with announcements, sorted
 */
public record StorageLoad(int guids, double[] ratios) {
    /** Names of one seed: few enough for threads to end together. */
    private static final int CHUNK = 1 << 15;

    /** Places names and counts. */
    static StorageLoad count(
            long seed,
            int guids,
            int replicas,
            Prefixes prefixes,
            AsBindings bindings,
            long[] space,
            int threads,
            DoubleConsumer progress) {
        int chunks = Math.ceilDiv(guids, CHUNK);
        int[][] parts = IntStream.range(0, threads)
                .parallel()
                .mapToObj(thread -> {
                    DeployedPlacement placement = DeployedPlacement.of(prefixes, bindings, replicas);
                    int[] copies = new int[space.length];
                    for (int chunk = thread; chunk < chunks; chunk += threads) {
                        int count = Math.min(CHUNK, guids - chunk * CHUNK);
                        count(placement, new SplittableRandom(PeerEstimates.mixed(seed, chunk)), count, replicas, copies);
                        progress.accept((chunk + 1.0) / chunks);
                    }
                    return copies;
                })
                .toArray(int[][]::new);
        int[] copies = new int[space.length];
        for (int[] part : parts) {
            for (int i = 0; i < copies.length; i++) {
                copies[i] += part[i];
            }
        }
        return of(guids, copies, space);
    }

    private static void count(DeployedPlacement placement, SplittableRandom random, int guids, int replicas, int[] copies) {
        MemorySegment scratch = MemorySegment.ofArray(new byte[Guid.BYTES]);
        int[] nodes = new int[replicas];
        for (int i = 0; i < guids; i++) {
            Guid guid = new Guid(random.nextLong(), random.nextLong(), random.nextInt());
            int found = placement.nodes(guid, scratch, nodes, 0);
            for (int at = 0; at < found; at++) {
                copies[nodes[at]]++;
            }
        }
    }

    /** Divides the one share by the other. */
    static StorageLoad of(int guids, int[] copies, long[] space) {
        double copiesAll = Arrays.stream(copies).asLongStream().sum();
        double spaceAll = Arrays.stream(space).sum();
        double[] ratios = IntStream.range(0, space.length)
                .filter(node -> space[node] > 0)
                .mapToDouble(node -> copies[node] / copiesAll / (space[node] / spaceAll))
                .sorted()
                .toArray();
        return new StorageLoad(guids, ratios);
    }

    /** Returns a quantile of the load ratios, for a share of the ASes from 0 to 1. */
    public double quantile(double share) {
        return ratios[(int) Math.clamp(Math.ceil(share * ratios.length) - 1, 0, ratios.length - 1)];
    }

    /** Returns the share of the ASes whose load ratio lies between two bounds, these included. */
    public double shareBetween(double least, double most) {
        return (double) Arrays.stream(ratios).filter(each -> each >= least && each <= most).count() / ratios.length;
    }
}
