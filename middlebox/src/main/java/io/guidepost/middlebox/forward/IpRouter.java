package io.guidepost.middlebox.forward;

import io.guidepost.packet.Drop;
import io.guidepost.packet.Port;
import io.guidepost.packet.frame.HeaderParser;
import io.guidepost.packet.frame.Ipv4;
import io.guidepost.packet.ip.IpInterface;
import io.guidepost.packet.ip.LinkQueue;
import io.guidepost.packet.ip.MartianFilter;
import io.guidepost.packet.worker.DutyCycle;
import java.util.List;
import java.util.stream.IntStream;

/**
 * A router for IPv4 (RFC 1812) and IPv6 (RFC 8200) between any number of ports: longest prefix match, hop limit, next
 * hop resolution by ARP or neighbour discovery, rate-limited ICMP errors. A packet above the MTU causes an ICMP error; of IPv4 and
 * without "don't fragment" it is sent on in fragments. VLAN tags are kept.
 *
 * <p>{@link #duty} makes a duty for each worker, with a queue of each port; they share routes and neighbours. Stateless
 * otherwise. {@link #publish} and the counters are thread-safe.
 */
public final class IpRouter {
    private static final int ETHERNET_BYTES = 14;

    private final List<IpInterface> interfaces;
    private final int[] mtu;
    private volatile RoutingTable routes;

    /**
     * Creates a router between ports.
     *
     * @throws IllegalArgumentException if the numbers of ports and addresses differ, or are too large
     */
    public IpRouter(List<Port> ports, RoutingTable routes) {
        if (ports.size() != routes.addresses().size() || ports.size() > ForwardLimits.PORTS_MAX) {
            throw new IllegalArgumentException(ports.size() + " ports and addresses for " + routes.addresses().size()
                    + "; a router has some for each, at most " + ForwardLimits.PORTS_MAX);
        }
        this.routes = routes;
        this.mtu = ports.stream().mapToInt(each -> each.frameBytesMax() - ETHERNET_BYTES).toArray();
        this.interfaces = IntStream.range(0, ports.size())
                .mapToObj(i -> new IpInterface(ports.get(i), routes.addresses().get(i), List.of()))
                .toList();
    }

    /**
     * Replaces the routes; no packet is lost.
     *
     * @throws IllegalArgumentException if they change the ports' addresses
     */
    public void publish(RoutingTable next) {
        if (!next.addresses().equals(routes.addresses())) {
            throw new IllegalArgumentException("ports cannot change their addresses while the router runs: "
                    + routes.addresses() + " would become " + next.addresses());
        }
        routes = next;
    }

    /** Returns the number of routes. */
    public int routes() {
        return routes.size();
    }

    /** Returns the interfaces of its ports in order. */
    public List<IpInterface> interfaces() {
        return interfaces;
    }

    /** Returns the duty of a worker with a queue of each port. */
    public DutyCycle duty(int queue) {
        return new Plane(queue);
    }

    private final class Plane implements DutyCycle {
        private final LinkQueue[] queues;
        private final Ipv4 header = new Ipv4();

        Plane(int number) {
            queues = interfaces.stream().map(each -> each.queue(number)).toArray(LinkQueue[]::new);
        }

        @Override
        public int work(long nowMillis) {
            RoutingTable now = routes;
            int moved = 0;
            for (LinkQueue each : queues) {
                int received = each.receive(nowMillis);
                for (int i = 0; i < received; i++) {
                    if (each.take(i)) {
                        forward(each, i, now);
                    }
                }
                moved += received;
            }
            for (LinkQueue each : queues) {
                moved += each.flush();
            }
            return moved;
        }

        @Override
        public long restNanos() {
            long rest = Long.MAX_VALUE;
            for (LinkQueue each : queues) {
                rest = Math.min(rest, each.restNanos());
            }
            return rest;
        }

        private void forward(LinkQueue from, int index, RoutingTable now) {
            HeaderParser headers = from.headers();
            long high = headers.destinationHigh();
            long low = headers.destinationLow();
            long packet = from.in().offset(index) + headers.networkOffset();
            int bytes = headers.networkEnd() - headers.networkOffset();
            if (headers.isIpv4() && !header.wrap(packet, bytes).isChecksumRight()) {
                from.drop(Drop.MALFORMED);
            } else if (!isOwn(high, low) && MartianFilter.isForwardable(headers.sourceHigh(), high, low)) {
                route(from, index, bytes, high, low, now);
            } else if (!isOwn(high, low) || !from.answerEcho(index)) {
                from.drop(Drop.NOT_OURS);
            }
        }

        private void route(LinkQueue from, int index, int bytes, long high, long low, RoutingTable now) {
            int route = now.find(high, low);
            if (route < 0) {
                from.dropUnreachable();
                return;
            }
            int port = now.port(route);
            boolean fits = bytes <= mtu[port];
            if (!fits && !isFragmentable(from, index)) {
                from.dropTooLong(mtu[port]);
            } else if (from.hop(index)) {
                if (fits) {
                    queues[port].sendTo(from.in(), index, now.hopHigh(route, high), now.hopLow(route, low));
                } else {
                    queues[port].fragmentTo(
                            from.in(), index, from.headers().networkOffset(), bytes, mtu[port], now.hopHigh(route, high),
                            now.hopLow(route, low));
                }
            }
        }

        private boolean isFragmentable(LinkQueue from, int index) {
            long packet = from.in().offset(index) + from.headers().networkOffset();
            return from.headers().isIpv4() && (header.wrap(packet, Ipv4.BYTES).flags() & Ipv4.DONT_FRAGMENT) == 0;
        }

        private boolean isOwn(long high, long low) {
            for (LinkQueue each : queues) {
                if (each.isOwn(high, low)) {
                    return true;
                }
            }
            return false;
        }
    }
}
