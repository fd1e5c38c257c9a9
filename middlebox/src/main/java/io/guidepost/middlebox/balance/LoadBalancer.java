package io.guidepost.middlebox.balance;

import io.guidepost.base.Addresses;
import io.guidepost.base.Counters;
import io.guidepost.base.ExpiringHashTable;
import io.guidepost.middlebox.link.InterfaceAddress;
import io.guidepost.middlebox.link.Link;
import io.guidepost.middlebox.link.LinkAddresses;
import io.guidepost.packet.Port;
import io.guidepost.packet.worker.DutyCycle;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * Spreads the connections of a service over back ends on the same link: a packet gets the Ethernet address of its back end
 * and is else as it came, so that the back end, which has the service's address too but must not say so on the link, answers
 * the client directly. A connection stays where it is as long as that is up, whatever becomes of the others; a new one goes
 * by a consistent hash of its addresses and ports.
 *
 * <p>{@link #duty} makes one for each worker, with a queue of the port; they share back ends, neighbours and connections.
 * The worker of queue 0 asks the back ends, whose answers may come to any. {@link #publish} and the counts are for any
 * thread.
 */
public final class LoadBalancer {
    /** A back end; one that drains keeps its connections and gets no new ones. */
    public record BackEnd(long high, long low, boolean isDraining) {
        /** A back end at an IPv4 address. */
        public BackEnd(int address, boolean isDraining) {
            this(0, Addresses.ipv4Low(address), isDraining);
        }
    }

    /** What a back end has counted. */
    public record Count(
            long high, long low, boolean isUp, boolean isDraining, long connections, long packets) {}

    final VirtualService service;
    final Link link;
    final int vlan;
    final BackendPool backEnds = new BackendPool();
    final ExpiringHashTable connections = new ExpiringHashTable(BalancerLimits.CONNECTIONS);
    private final InterfaceAddress own;
    private final List<Counters<BalancerCount>> tallies = new CopyOnWriteArrayList<>();
    private volatile List<BackEnd> wanted;

    /**
     * A balancer that has heard of no back end yet; all must be on the link of its own address.
     *
     * @param vlan the VLAN in which all of this is, or {@link io.guidepost.middlebox.link.LinkQueue#UNTAGGED}
     */
    public LoadBalancer(Port port, InterfaceAddress own, int vlan, VirtualService service, List<BackEnd> backEnds) {
        this.service = service;
        this.own = own;
        this.vlan = vlan;
        if (own.isIpv4() != Addresses.isIpv4(service.high(), service.low())) {
            throw new IllegalArgumentException("own address " + own + " and service "
                    + InterfaceAddress.text(service.high(), service.low()) + " are not of one family; give it one that is");
        }
        this.link = new Link(port, LinkAddresses.of(own)).withAlias(service.high(), service.low());
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

    /** Puts other back ends in the place of all: connections of those that stay, stay. */
    public void publish(List<BackEnd> list) {
        wanted = checked(list);
    }

    List<BackEnd> wanted() {
        return wanted;
    }

    InterfaceAddress own() {
        return own;
    }

    /** Returns each back end that it has had. */
    public List<Count> backEnds() {
        return backEnds.counts();
    }

    /** Returns what all workers counted. */
    public Map<String, Long> counts() {
        return Counters.sum(BalancerCount.class, tallies);
    }

    /** Returns what a worker does that has a queue of the port. */
    public DutyCycle duty(int queue) {
        Counters<BalancerCount> tally = new Counters<>(BalancerCount.class);
        tallies.add(tally);
        return new BalancerPipeline(this, queue, tally);
    }
}
