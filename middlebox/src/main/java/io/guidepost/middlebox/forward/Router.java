package io.guidepost.middlebox.forward;

import io.guidepost.middlebox.ipv4.Ipv4Interface;
import io.guidepost.packet.Drop;
import io.guidepost.packet.Duty;
import io.guidepost.packet.Port;
import io.guidepost.packet.frame.Icmp;
import io.guidepost.packet.frame.Ipv4;
import java.util.ArrayList;
import java.util.List;

/**
 * An IPv4 router (RFC 1812) between any number of ports: longest prefix, one hop less, next hop by ARP; what it cannot do
 * it tells the sender by ICMP, at a bounded rate. It does not fragment: what is too long is told if it must not be
 * fragmented, and dropped else. One worker's, with the first queue of each port; {@link #publish} is for any thread.
 */
public final class Router implements Duty {
    private static final int ETHERNET_BYTES = 14;

    private final List<Ipv4Interface> interfaces = new ArrayList<>();
    private final int[] mtu;
    private final Ipv4 header = new Ipv4();
    private volatile Routes routes;

    /**
     * A router between ports.
     *
     * @throws IllegalArgumentException if there are not as many ports as addresses, or too many
     */
    public Router(List<Port> ports, Routes routes) {
        if (ports.size() != routes.addresses().size() || ports.size() > Limits.PORTS_MAX) {
            throw new IllegalArgumentException(ports.size() + " ports and " + routes.addresses().size()
                    + " addresses; a router has one for each, at most " + Limits.PORTS_MAX);
        }
        this.routes = routes;
        this.mtu = ports.stream().mapToInt(each -> each.frameBytesMax() - ETHERNET_BYTES).toArray();
        for (int i = 0; i < ports.size(); i++) {
            Port port = ports.get(i);
            interfaces.add(new Ipv4Interface(port.rx(0), port.tx(0), port.mac(), routes.addresses().get(i), 0));
        }
    }

    /**
     * Puts other routes in the place of all; no packet is lost.
     *
     * @throws IllegalArgumentException if they give the ports other addresses
     */
    public void publish(Routes next) {
        if (!next.addresses().equals(routes.addresses())) {
            throw new IllegalArgumentException("ports cannot change their addresses while the router runs: "
                    + routes.addresses() + " would become " + next.addresses());
        }
        routes = next;
    }

    @Override
    public int work(long nowMillis) {
        Routes now = routes;
        int moved = 0;
        for (Ipv4Interface each : interfaces) {
            int received = each.receive(nowMillis);
            for (int i = 0; i < received; i++) {
                if (each.take(i)) {
                    forward(each, i, now);
                }
            }
            moved += received;
        }
        for (Ipv4Interface each : interfaces) {
            moved += each.flush();
        }
        return moved;
    }

    private void forward(Ipv4Interface from, int index, Routes now) {
        long packet = from.in().offset(index) + from.headers().networkOffset();
        int bytes = from.headers().networkEnd() - from.headers().networkOffset();
        int destination = (int) from.headers().destinationLow();
        if (!header.wrap(packet, bytes).isChecksumRight()) {
            from.drop(Drop.MALFORMED);
            return;
        }
        if (isOwn(destination)) {
            if (!from.answerEcho(index)) {
                from.drop(Drop.NOT_OURS);
            }
            return;
        }
        // Multicast, reserved and broadcast destinations end here (RFC 1812 section 4.2.2.11).
        if (destination >>> 28 >= 0xe || destination >>> 24 == 127 || destination >>> 24 == 0) {
            from.drop(Drop.NOT_OURS);
            return;
        }
        int route = now.find(destination);
        if (route < 0) {
            from.sendError(index, Icmp.UNREACHABLE, 0, 0);
            from.drop(Drop.UNREACHABLE);
            return;
        }
        route(from, index, bytes, now, route, destination);
    }

    private void route(Ipv4Interface from, int index, int bytes, Routes now, int route, int destination) {
        int port = now.port(route);
        Ipv4Interface to = interfaces.get(port);
        if (bytes > mtu[port]) {
            if ((header.flags() & Ipv4.DONT_FRAGMENT) != 0) {
                from.sendError(index, Icmp.UNREACHABLE, Icmp.FRAGMENTATION_NEEDED, mtu[port]);
            }
            from.drop(Drop.TOO_LARGE);
            return;
        }
        if (!header.hop()) {
            from.sendError(index, Icmp.TIME_EXCEEDED, 0, 0);
            from.drop(Drop.HOPS_EXCEEDED);
            return;
        }
        int hop = now.hop(route);
        to.send(from.in(), index, hop == Routes.ON_LINK ? destination : hop);
    }

    private boolean isOwn(int destination) {
        for (Ipv4Interface each : interfaces) {
            if (each.own().address() == destination) {
                return true;
            }
        }
        return false;
    }
}
