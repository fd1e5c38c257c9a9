package io.guidepost.packet.admission;

import io.guidepost.base.Addresses;
import io.guidepost.base.Prefix;
import io.guidepost.packet.Port;
import io.guidepost.packet.QueueStatistics;
import io.guidepost.packet.ReuseportGroup;
import io.guidepost.packet.RxQueue;
import io.guidepost.packet.TxQueue;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongSupplier;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Second sockets of a port of the kernel, one beside each, which receive the datagrams of networks that flood: from when a
 * network is {@linkplain #set set} until a second after it was set last, or filled a burst of them.
 *
 * <p>Why? A flood that shares a socket with others makes them wait behind it and wakes the worker for each datagram, or has
 * them wait for the end of a nap; and when the socket's memory is full, it is theirs that is lost. Flood sockets are looked at
 * every {@link AdmissionLimits#FLOOD_REST_NANOS} while the worker wakes at once for the others, and what does not fit is lost
 * by the flood alone.
 *
 * <p>The sockets are opened when a network is first set; until then they cost nothing. {@link #set} and the counts are for any
 * thread; each queue belongs to its worker.
 */
public final class FloodSockets {
    private static final Logger LOG = System.getLogger(FloodSockets.class.getName());

    /**
     * A network whose datagrams come to the flood sockets.
     *
     * @param high high half of its first address
     * @param low low half of its first address
     * @param bits length of the prefix: 1 to 32 of IPv4, 1 to 128 of IPv6
     */
    record Network(long high, long low, int bits) {
        static Network of(long high, long low, int bits) {
            int all = Addresses.isIpv4(high, low) ? bits + Prefix.IPV4_BITS_BEFORE : bits;
            return new Network(high & Addresses.highMask(all), low & Addresses.lowMask(all), bits);
        }

        boolean isIpv4() {
            return Addresses.isIpv4(high, low);
        }
    }

    private final ReuseportGroup group;
    private final LongSupplier clockNanos;
    private final Map<Network, Long> until = new HashMap<>();
    private volatile @Nullable Port sockets;
    private volatile boolean watched;
    private volatile long changeNanos;
    private long taken;
    private long refused;
    private long attachedNanos;

    /** Whether the kernel still has a filter that takes more networks than it should: what comes must be looked for. */
    private boolean behind;

    FloodSockets(ReuseportGroup group, LongSupplier clockNanos) {
        this.group = group;
        this.clockNanos = clockNanos;
        this.attachedNanos = clockNanos.getAsLong() - AdmissionLimits.FILTER_CHANGE_NANOS;
    }

    /**
     * Has the datagrams of a network come to the flood sockets for a second from now on. Does nothing if too many networks are
     * there, or another was added a moment ago: a network that floods is soon set again.
     *
     * @param high high half of an address of the network, as in {@link Addresses}; link-local ones are ignored
     * @param low low half of that address
     * @param bits length of the prefix: 1 to 32 of IPv4, 1 to 128 of IPv6
     */
    synchronized void set(long high, long low, int bits) {
        if (Addresses.isLinkLocal(high)) {
            return;
        }
        long now = clockNanos.getAsLong();
        Network network = Network.of(high, low, bits);
        if (until.containsKey(network)) {
            until.put(network, now + AdmissionLimits.FLOOD_NANOS);
        } else if (now - attachedNanos >= AdmissionLimits.FILTER_CHANGE_NANOS) {
            add(network, now);
        }
    }

    /** Keeps the networks of an address in the flood sockets for a second from now on: they still flood. */
    synchronized void renew(long high, long low) {
        long end = clockNanos.getAsLong() + AdmissionLimits.FLOOD_NANOS;
        until.replaceAll((network, before) ->
                Network.of(high, low, network.bits()).equals(network) ? end : before);
    }

    private void add(Network network, long now) {
        attachedNanos = now;
        if (until.size() == AdmissionLimits.FLOOD_NETWORKS_MAX) {
            refused++;
            return;
        }
        if (until.isEmpty()) {
            changeNanos = now + AdmissionLimits.FLOOD_NANOS;
        }
        until.put(network, now + AdmissionLimits.FLOOD_NANOS);
        if ((sockets != null || open()) && attach()) {
            taken++;
            behind = false;
            watched = true;
        } else {
            refused++;
            until.remove(network);
        }
    }

    /** Has all that arrives come to the ordinary sockets; what came to the flood sockets before is still answered. */
    synchronized void clear() {
        until.clear();
        if (sockets != null) {
            attach();
        }
    }

    /** Returns whether something may have come; drops the networks whose time is over. For workers, in every turn. */
    boolean watched() {
        if (watched && clockNanos.getAsLong() - changeNanos >= 0) {
            expire();
        }
        return watched;
    }

    private synchronized void expire() {
        long now = clockNanos.getAsLong();
        if (now - changeNanos < 0) {
            return;
        }
        if (until.isEmpty() && !behind) {
            watched = false;
            return;
        }
        if (until.values().removeIf(end -> now - end >= 0) || behind) {
            behind = !attach();
        }
        // When the last has gone, what it had sent before is still looked for.
        long next = until.values().stream().mapToLong(end -> end - now).min().orElse(AdmissionLimits.FLOOD_NANOS);
        changeNanos = now + next;
    }

    RxQueue rx(int queue) {
        return opened().rx(queue);
    }

    TxQueue tx(int queue) {
        return opened().tx(queue);
    }

    private Port opened() {
        Port own = sockets;
        if (own == null) {
            throw new IllegalStateException("flood sockets are opened when the first network is set");
        }
        return own;
    }

    /** Returns the networks that are received apart now. */
    public synchronized List<Prefix> prefixes() {
        return until.keySet().stream()
                .map(each -> new Prefix(each.high, each.low, each.isIpv4() ? each.bits + Prefix.IPV4_BITS_BEFORE : each.bits))
                .toList();
    }

    /** Returns the number of networks that are received apart now. */
    public synchronized int networks() {
        return until.size();
    }

    /** Returns how often a network was set that was not. */
    public synchronized long taken() {
        return taken;
    }

    /** Returns how often one was not taken, because there were too many or because the kernel refused. */
    public synchronized long refused() {
        return refused;
    }

    /** Returns the counts of what came, a queue each; none before the first network. */
    public List<QueueStatistics> received() {
        Port own = sockets;
        return own == null
                ? List.of()
                : IntStream.range(0, own.queues()).mapToObj(i -> own.rx(i).statistics()).toList();
    }

    private boolean open() {
        try {
            sockets = group.openBeside(AdmissionLimits.FLOOD_BURST);
            return true;
        } catch (IOException e) {
            LOG.log(Level.WARNING, "floods are not received apart: {0}", e.getMessage());
            return false;
        }
    }

    private boolean attach() {
        Optional<String> refusal =
                group.filter(ReuseportFilter.instructions(group.sockets(), List.copyOf(until.keySet())));
        refusal.ifPresent(each -> LOG.log(
                Level.WARNING, "the kernel refuses a filter of {0} networks: {1}", until.size(), each));
        return refusal.isEmpty();
    }
}
