package io.guidepost.scaffold.object;

import io.guidepost.names.Guid;
import io.guidepost.scaffold.wire.HostLocator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Chooses the instance that a flow gets: of those that are offered, healthy and not excluded, the ones of the lowest priority;
 * of these the nearest; of these the less loaded of two that chance takes, by their weights (Mitzenmacher, "The Power of Two
 * Choices in Randomized Load Balancing", 2001).
 *
 * <p>Chance is the flow's: a SYN that is sent again gets the same instance, as long as nothing has changed. Belongs to one
 * thread, and allocates nothing.
 */
final class InstanceChoice {
    private final Distance distance;
    private final Instance[] candidates = new Instance[ServedObject.INSTANCES_MAX];
    private int count;

    InstanceChoice(Distance distance) {
        this.distance = distance;
    }

    /**
     * Chooses an instance; null if there is none.
     *
     * @param clientHigh high half of the client's address
     * @param flow id of the flow at the client
     * @param epoch how often the flow had another instance before
     * @param excluded instances that it must not be
     */
    @Nullable
    Instance choose(
            ServedObject object, long clientHigh, long clientLow, long flow, int epoch, List<Guid> excluded, long nowNanos) {
        collect(object, excluded, nowNanos);
        if (count == 0) {
            return null;
        }
        keepPreferred();
        keepNearest(clientHigh, clientLow);
        long chance = mix(flow ^ (long) epoch << 32);
        Instance first = weighted(chance);
        Instance second = weighted(mix(chance));
        return second.load() < first.load() ? second : first;
    }

    /** Healthy ones; if there are none, those that are suspected or full, as a refusal would be worse. */
    private void collect(ServedObject object, List<Guid> excluded, long nowNanos) {
        collect(object, excluded, nowNanos, true);
        if (count == 0) {
            collect(object, excluded, nowNanos, false);
        }
    }

    private void collect(ServedObject object, List<Guid> excluded, long nowNanos, boolean healthy) {
        count = 0;
        for (Instance each : object.instances()) {
            if (each.isOffered(nowNanos)
                    && !(healthy && (each.isSuspected() || each.isFull()))
                    && !isExcluded(each, excluded)) {
                candidates[count++] = each;
            }
        }
    }

    private static boolean isExcluded(Instance instance, List<Guid> excluded) {
        for (int i = 0; i < excluded.size(); i++) {
            if (excluded.get(i).equals(instance.guid())) {
                return true;
            }
        }
        return false;
    }

    private void keepPreferred() {
        int lowest = Integer.MAX_VALUE;
        for (int i = 0; i < count; i++) {
            lowest = Math.min(lowest, candidates[i].service().priority());
        }
        int kept = 0;
        for (int i = 0; i < count; i++) {
            if (candidates[i].service().priority() == lowest) {
                candidates[kept++] = candidates[i];
            }
        }
        count = kept;
    }

    private void keepNearest(long clientHigh, long clientLow) {
        long least = Long.MAX_VALUE;
        int kept = 0;
        for (int i = 0; i < count; i++) {
            Instance each = candidates[i];
            HostLocator at = each.host().place().locators().getFirst();
            long far = distance.of(clientHigh, clientLow, at.high(), at.low());
            if (far < least) {
                least = far;
                kept = 0;
            }
            if (far == least) {
                candidates[kept++] = each;
            }
        }
        count = kept;
    }

    private Instance weighted(long chance) {
        long all = 0;
        for (int i = 0; i < count; i++) {
            all += candidates[i].service().weight();
        }
        long at = Long.remainderUnsigned(chance, all);
        int i = 0;
        for (long until = candidates[0].service().weight(); until <= at; until += candidates[++i].service().weight()) {}
        return candidates[i];
    }

    /** A step of SplitMix64 (Steele and others, 2014). */
    private static long mix(long seed) {
        long z = seed + 0x9e3779b97f4a7c15L;
        z = (z ^ z >>> 30) * 0xbf58476d1ce4e5b9L;
        z = (z ^ z >>> 27) * 0x94d049bb133111ebL;
        return z ^ z >>> 31;
    }
}
