package io.guidepost.scaffold.object;

import io.guidepost.base.Memory;
import io.guidepost.names.Guid;
import io.guidepost.scaffold.wire.ControlMessage;
import io.guidepost.scaffold.wire.HostLocator;
import io.guidepost.scaffold.wire.ScaffoldLimits;
import io.guidepost.scaffold.wire.Tlv;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * Chooses the instance that a flow gets: of those of its protocol, the ones at its port, or all if there is none at it; of these
 * those that are healthy and not excluded; of these the ones of the lowest priority; of these the nearest; of these the less
 * loaded of two that chance takes, by their weights (Mitzenmacher, "The Power of Two Choices in Randomized Load Balancing", 2001).
 *
 * <p>Chance is the flow's: a SYN that is sent again gets the same instance, as long as nothing has changed. Belongs to one
 * thread, and allocates nothing but what is excluded.
 */
final class InstanceChoice {
    /** What a request without a port stands for. */
    private static final int ANY = -1;

    private final Distance distance;
    private final Instance[] candidates = new Instance[ObjectSettings.OBJECT_INSTANCES_MAX];
    private final Guid[] excluded = new Guid[ScaffoldLimits.EXCLUDED_MAX];
    private int excludedCount;
    private int protocol;
    private int port;
    private int count;

    InstanceChoice(Distance distance) {
        this.distance = distance;
    }

    /**
     * Chooses an instance; null if there is none.
     *
     * @param request has the flow, how often it had another instance before, instances that it must not be, and a port
     * @param clientHigh high half of the client's address
     * @param sealed whether the request is to go on to the instance, for which something must be agreed with its host
     */
    @Nullable
    Instance choose(
            ServedObject object, ControlMessage request, long clientHigh, long clientLow, boolean sealed, long nowNanos) {
        read(request);
        Instance[] all = object.instances();
        boolean atPort = isThereAtPort(all, nowNanos);
        for (InstanceState worst = InstanceState.HEALTHY; ; worst = InstanceState.UNHEARD) {
            collect(all, atPort, sealed, worst, nowNanos);
            if (count > 0) {
                break;
            }
            if (worst == InstanceState.UNHEARD) {
                return null;
            }
        }
        keepBest(clientHigh, clientLow);
        long chance = mix(request.senderFlow() ^ (long) request.epoch() << 32);
        Instance first = weighted(chance);
        Instance second = weighted(mix(chance));
        return second.load() < first.load() ? second : first;
    }

    private void read(ControlMessage request) {
        excludedCount = request.count(Tlv.EXCLUDE);
        for (int i = 0; i < excludedCount; i++) {
            excluded[i] = request.guid(Tlv.EXCLUDE, i);
        }
        protocol = request.has(Tlv.PORT) ? protocol(request) : ANY;
        port = request.has(Tlv.PORT) ? port(request) : ANY;
    }

    /** Returns the number of the protocol of a request that has a port. */
    static int protocol(ControlMessage request) {
        return Byte.toUnsignedInt(request.segment().get(Memory.BYTE, request.place(Tlv.PORT)));
    }

    /** Returns the port of a request that has one. */
    static int port(ControlMessage request) {
        MemorySegment segment = request.segment();
        long at = request.place(Tlv.PORT) + 1;
        return Byte.toUnsignedInt(segment.get(Memory.BYTE, at)) << 8 | Byte.toUnsignedInt(segment.get(Memory.BYTE, at + 1));
    }

    /** One that is suspected or drained counts too: what is at another port may be another program. */
    private boolean isThereAtPort(Instance[] all, long nowNanos) {
        for (Instance each : all) {
            if (each.offer.protocol() == protocol && each.offer.port() == port && each.state(nowNanos) != InstanceState.GONE) {
                return true;
            }
        }
        return false;
    }

    private void collect(Instance[] all, boolean atPort, boolean sealed, InstanceState worst, long nowNanos) {
        count = 0;
        for (Instance each : all) {
            if ((protocol == ANY || each.offer.protocol() == protocol)
                    && (!atPort || each.offer.port() == port)
                    && each.state(nowNanos).compareTo(worst) <= 0
                    && !(sealed && each.host.association() == null)
                    && !isExcluded(each)) {
                candidates[count++] = each;
            }
        }
    }

    private boolean isExcluded(Instance instance) {
        for (int i = 0; i < excludedCount; i++) {
            if (excluded[i].equals(instance.guid)) {
                return true;
            }
        }
        return false;
    }

    /** Of the candidates keeps those of the lowest priority, and of these the nearest. */
    private void keepBest(long clientHigh, long clientLow) {
        int lowest = Integer.MAX_VALUE;
        long least = Long.MAX_VALUE;
        int kept = 0;
        for (int i = 0; i < count; i++) {
            Instance each = candidates[i];
            int priority = each.offer.priority();
            if (priority > lowest) {
                continue;
            }
            HostLocator at = each.host.place().locators().getFirst();
            long far = distance.of(clientHigh, clientLow, at.high(), at.low());
            if (priority < lowest || far < least) {
                lowest = priority;
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
            all += candidates[i].offer.weight();
        }
        long at = Long.remainderUnsigned(chance, all);
        int i = 0;
        for (long until = candidates[0].offer.weight(); until <= at; until += candidates[++i].offer.weight()) {}
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
