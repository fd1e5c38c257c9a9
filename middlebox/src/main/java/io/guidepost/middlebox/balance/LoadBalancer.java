package io.guidepost.middlebox.balance;

import io.guidepost.base.Addresses;
import io.guidepost.base.Counters;
import io.guidepost.base.ExpiringHashTable;
import io.guidepost.packet.Port;
import io.guidepost.packet.ip.InterfaceAddress;
import io.guidepost.packet.ip.IpInterface;
import io.guidepost.packet.worker.DutyCycle;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * A layer 4 load balancer with direct server return: it rewrites only the destination Ethernet address of a packet. The
 * back end has the service's address too, but must not announce it on the link, and answers the client directly.
 * Stateful: a connection stays with its back end while that is up; a new one is assigned by a consistent hash of its
 * addresses and ports. Later fragments follow their first; an ICMP error goes to the back end of the flow that it quotes.
 *
 * <p>{@link #duty} makes a duty for each worker, with a queue of the port; they share back ends, neighbours and
 * connection tracking. The worker of queue 0 sends health checks; any worker may receive the answers. {@link #publish}
 * and the counters are thread-safe.
 */
public final class LoadBalancer {
    /** A back end; a draining one keeps its connections and gets no new ones. */
    public record BackEnd(long high, long low, boolean isDraining) {
        /** Creates a back end with an IPv4 address. */
        public BackEnd(int address, boolean isDraining) {
            this(0, Addresses.ipv4Low(address), isDraining);
        }
    }

    /** Counters of a back end. */
    public record Count(
            long high, long low, boolean isUp, boolean isDraining, long connections, long packets) {}

    final VirtualService service;
    final IpInterface face;
    final int vlan;
    final BackendPool backEnds = new BackendPool();
    final ExpiringHashTable connections = new ExpiringHashTable(BalancerLimits.CONNECTIONS);

    /** Back ends of fragmented packets: later fragments, which have no ports, follow their first. */
    final ExpiringHashTable fragments = new ExpiringHashTable(BalancerLimits.FRAGMENTED);

    private final InterfaceAddress own;
    private final List<Counters<BalancerCount>> tallies = new CopyOnWriteArrayList<>();
    private volatile List<BackEnd> wanted;

    /**
     * Creates a balancer without back ends; all must be on the link of its own address.
     *
     * @param vlan the VLAN of all of them, or {@link io.guidepost.packet.ip.LinkQueue#UNTAGGED}
     */
    public LoadBalancer(Port port, InterfaceAddress own, int vlan, VirtualService service, List<BackEnd> backEnds) {
        this.service = service;
        this.own = own;
        this.vlan = vlan;
        if (own.isIpv4() != Addresses.isIpv4(service.high(), service.low())) {
            throw new IllegalArgumentException("own address " + own + " and service "
                    + InterfaceAddress.text(service.high(), service.low()) + " are not of one family; give it one that is");
        }
        this.face = new IpInterface(port, List.of(own), List.of()).withAlias(service.high(), service.low());
        this.wanted = checked(backEnds);
    }

    private List<BackEnd> checked(List<BackEnd> list) {
        for (BackEnd each : list) {
            if (!own.isOnLink(each.high(), each.low())) {
                throw new IllegalArgumentException(InterfaceAddress.text(each.high(), each.low()) + " is not on the link of "
                        + own + "; a back end must be, as only Ethernet addresses are rewritten");
            }
        }
        return List.copyOf(list);
    }

    /** Replaces the back ends: connections of those that stay continue. */
    public void publish(List<BackEnd> list) {
        wanted = checked(list);
    }

    List<BackEnd> wanted() {
        return wanted;
    }

    InterfaceAddress own() {
        return own;
    }

    /** Returns each back end so far. */
    public List<Count> backEnds() {
        return backEnds.counts();
    }

    /** Returns the counters of all workers. */
    public Map<String, Long> counts() {
        return Counters.sum(BalancerCount.class, tallies);
    }

    /** Returns the duty of a worker with a queue of the port. */
    public DutyCycle duty(int queue) {
        Counters<BalancerCount> tally = new Counters<>(BalancerCount.class);
        tallies.add(tally);
        return new BalancerPipeline(this, queue, tally);
    }
}
