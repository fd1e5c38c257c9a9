package io.guidepost.lab.dmap;

import io.guidepost.names.Guid;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;

/**
 * The nodes that keep each of many GUIDs. Immutable.
 *
 * <p>The different servers of the first K hashes are a prefix of those of more hashes, so one list and the counts for
 * each K suffice.
 */
final class ReplicaNodes {
    private final int replicas;

    /** One slot of nodes for each replica of each GUID, the last ones unused where hashes coincide. */
    private final int[] nodes;

    /** The number of different servers for each GUID and each K from 1. */
    private final byte[] counts;

    private ReplicaNodes(int replicas, int[] nodes, byte[] counts) {
        this.replicas = replicas;
        this.nodes = nodes;
        this.counts = counts;
    }

    /** Returns random GUIDs, as hashes of public keys are. */
    static Guid[] guids(long seed, int count) {
        SplittableRandom random = new SplittableRandom(seed);
        Guid[] guids = new Guid[count];
        Arrays.setAll(guids, i -> new Guid(random.nextLong(), random.nextLong(), random.nextInt()));
        return guids;
    }

    /** Places each GUID, with placements of 1, 2, ... replicas that are otherwise alike. */
    static ReplicaNodes of(Guid[] guids, List<DeployedPlacement> placements) {
        int replicas = placements.size();
        int[] nodes = new int[guids.length * replicas];
        byte[] counts = new byte[guids.length * replicas];
        MemorySegment scratch = MemorySegment.ofArray(new byte[Guid.BYTES]);
        for (int i = 0; i < guids.length; i++) {
            for (int k = 1; k <= replicas; k++) {
                // Each overwrites the result of the one before it with the same and perhaps one more.
                counts[i * replicas + k - 1] =
                        (byte) placements.get(k - 1).nodes(guids[i], scratch, nodes, i * replicas);
            }
        }
        return new ReplicaNodes(replicas, nodes, counts);
    }

    /** Places each GUID with one placement; counts are then known for one replica and for all. */
    static ReplicaNodes of(Guid[] guids, DeployedPlacement placement, int replicas) {
        int[] nodes = new int[guids.length * replicas];
        byte[] counts = new byte[guids.length * replicas];
        MemorySegment scratch = MemorySegment.ofArray(new byte[Guid.BYTES]);
        for (int i = 0; i < guids.length; i++) {
            counts[i * replicas] = 1;
            counts[i * replicas + replicas - 1] = (byte) placement.nodes(guids[i], scratch, nodes, i * replicas);
        }
        return new ReplicaNodes(replicas, nodes, counts);
    }

    int guids() {
        return nodes.length / replicas;
    }

    /** Returns the largest K. */
    int replicas() {
        return replicas;
    }

    /** Returns the number of different servers that keep a GUID with K replicas. */
    int count(int guid, int k) {
        return counts[guid * replicas + k - 1];
    }

    /** Returns the node of the server at an index in the order of the hashes, from 0. */
    int node(int guid, int at) {
        return nodes[guid * replicas + at];
    }

    /** Returns whether a node keeps a GUID with K replicas. */
    boolean holds(int guid, int k, int node) {
        int count = count(guid, k);
        for (int i = 0; i < count; i++) {
            if (node(guid, i) == node) {
                return true;
            }
        }
        return false;
    }
}
