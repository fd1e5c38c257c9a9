package io.guidepost.gnrs.placement;

import io.guidepost.proximity.Prefixes;
import java.net.InetSocketAddress;
import java.util.Map;
import java.util.TreeMap;

/** A 64-bit fingerprint of all inputs of placement except which of the servers this one is. */
final class PlacementFingerprint {
    private long sum;

    private PlacementFingerprint() {}

    static long of(Prefixes prefixes, AsBindings bindings, PlacementSettings settings) {
        PlacementFingerprint fingerprint = new PlacementFingerprint();
        fingerprint.add(settings.mode().name().hashCode());
        fingerprint.add(settings.hash().name().hashCode());
        fingerprint.add(settings.replicas());
        fingerprint.add(settings.hashesMax());
        for (int i = 0; i < prefixes.ipv4Size(); i++) {
            fingerprint.add((long) prefixes.ipv4Base(i) << 32 | prefixes.ipv4Length(i));
            fingerprint.add(prefixes.ipv4Value(i));
        }
        for (Map.Entry<Long, InetSocketAddress> each : new TreeMap<>(bindings.all()).entrySet()) {
            fingerprint.add(each.getKey());
            for (byte part : each.getValue().getAddress().getAddress()) {
                fingerprint.add(part);
            }
            fingerprint.add(each.getValue().getPort());
        }
        return fingerprint.sum | 1;
    }

    /** Mixes in a number by one step of SplitMix64. */
    private void add(long number) {
        long z = (sum ^ number) + 0x9e3779b97f4a7c15L;
        z = (z ^ z >>> 30) * 0xbf58476d1ce4e5b9L;
        z = (z ^ z >>> 27) * 0x94d049bb133111ebL;
        sum = z ^ z >>> 31;
    }
}
