package io.guidepost.server.gnrs;

import io.guidepost.gnrs.placement.Placement;
import io.guidepost.gnrs.placement.Placer;
import io.guidepost.names.Guid;
import java.lang.foreign.MemorySegment;
import java.net.InetSocketAddress;
import java.util.HashMap;
import java.util.Map;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/** Which share of all GUIDs each server keeps, estimated from random ones. Any thread may ask. */
final class OwnershipEstimate {
    /** The estimate of a share of one half is off by a hundredth or more once in two thousand times. */
    private static final int SAMPLES = 30_000;

    /** The largest value of placement.replicas. */
    private static final int SERVERS_MAX = 32;

    private @Nullable Placement counted;
    private Map<InetSocketAddress, Double> shares = Map.of();

    /** The shares under a placement, from 0 to 1; together as much as a GUID has different servers on the average. */
    @SuppressWarnings("ReferenceEquality") // A new snapshot is a new object.
    synchronized Map<InetSocketAddress, Double> of(Placement placement) {
        if (placement != counted) {
            shares = count(placement);
            counted = placement;
        }
        return shares;
    }

    private static Map<InetSocketAddress, Double> count(Placement placement) {
        SplittableRandom random = new SplittableRandom(1);
        byte[] guid = new byte[Guid.BYTES];
        InetSocketAddress[] servers = new InetSocketAddress[SERVERS_MAX];
        Placer placer = placement.placer();
        Map<InetSocketAddress, Double> counts = new HashMap<>();
        for (int i = 0; i < SAMPLES; i++) {
            random.nextBytes(guid);
            int number = placer.servers(MemorySegment.ofArray(guid), 0, servers);
            for (int k = 0; k < number; k++) {
                counts.merge(servers[k], 1.0 / SAMPLES, Double::sum);
            }
        }
        return counts;
    }
}
