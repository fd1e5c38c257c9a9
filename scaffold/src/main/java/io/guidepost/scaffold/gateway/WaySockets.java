package io.guidepost.scaffold.gateway;

import io.guidepost.base.Addresses;
import io.guidepost.base.Memory;
import io.guidepost.packet.Burst;
import io.guidepost.packet.Port;
import io.guidepost.packet.Readiness;
import io.guidepost.packet.RxQueue;
import io.guidepost.packet.netlink.LinkAddress;
import io.guidepost.packet.netlink.LinkAddresses;
import io.guidepost.packet.netlink.RouteMetrics;
import io.guidepost.packet.stream.EpollSet;
import io.guidepost.packet.udp.UdpPorts;
import io.guidepost.packet.udp.UdpSettings;
import io.guidepost.packet.worker.Worker;
import io.guidepost.scaffold.flow.FlowMachine;
import io.guidepost.scaffold.wire.HostLocator;
import io.guidepost.scaffold.wire.ScaffoldLimits;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The ways out of a host: a UDP socket for each own address, bound to its interface, so that a datagram leaves by the link that
 * the machine has chosen. Events of the kernel add and end them. Belongs to the gateway's worker.
 */
final class WaySockets implements AutoCloseable {
    private static final Logger LOG = System.getLogger(WaySockets.class.getName());

    private static final class Way {
        final LinkAddress at;
        final HostLocator own;
        final GatewaySocket socket;
        final boolean labels;
        boolean up;
        boolean readable = true;

        Way(LinkAddress at, GatewaySocket socket, boolean labels) {
            this.at = at;
            this.labels = labels;
            this.socket = socket;
            this.own = new HostLocator(at.high(), at.low(), socket.localPort());
        }

        boolean isAt(LinkAddress other) {
            return at.deviceIndex() == other.deviceIndex() && at.high() == other.high() && at.low() == other.low();
        }
    }

    private final GatewayOptions options;
    private final LinkAddresses links;
    private final EpollSet sockets = new EpollSet();
    private final @Nullable Way[] ways = new Way[GatewayLimits.WAYS_MAX];

    WaySockets(GatewayOptions options) throws IOException {
        this.options = options;
        this.links = new LinkAddresses();
    }

    void watch(Worker worker) {
        worker.watch(links.readiness()).watch(sockets.readiness());
    }

    /** Takes what the kernel says of links; returns whether it said something. */
    boolean update(FlowMachine machine) {
        boolean changed = false;
        while (links.update()) {
            changed = true;
        }
        if (changed) {
            apply(machine);
        }
        return changed;
    }

    /** Tells the machine of all ways as they are. */
    void apply(FlowMachine machine) {
        List<LinkAddress> wanted = links.all().stream().filter(this::isWanted).toList();
        for (int i = 0; i < ways.length; i++) {
            Way way = ways[i];
            if (way != null && wanted.stream().noneMatch(way::isAt)) {
                machine.way(i, way.own, false, way.labels);
                way.socket.close();
                ways[i] = null;
            }
        }
        for (LinkAddress each : wanted) {
            int index = indexOf(each);
            Way way = index < 0 ? null : ways[index];
            if (way != null) {
                way.up = each.up();
                machine.way(index, way.own, way.up, way.labels);
            }
        }
    }

    private boolean isWanted(LinkAddress each) {
        if (!options.addresses().isEmpty()) {
            return options.addresses().contains(Addresses.toInetAddress(each.high(), each.low()));
        }
        return each.network() && !Addresses.isLinkLocal(each.high());
    }

    /** Returns the number of the way at an address, opened now if need be; -1 if there is none. */
    private int indexOf(LinkAddress address) {
        int free = -1;
        for (int i = ways.length - 1; i >= 0; i--) {
            Way way = ways[i];
            if (way == null) {
                free = i;
            } else if (way.isAt(address)) {
                return i;
            }
        }
        if (free >= 0) {
            try {
                Way opened = new Way(address, new GatewaySocket(open(address)), hasLabels(address));
                sockets.add(descriptor(opened.socket.rx()), free);
                ways[free] = opened;
                return free;
            } catch (IOException e) {
                LOG.log(Level.WARNING, "the way by {0} is not used: {1}", address.device(), e.getMessage());
            }
        }
        return -1;
    }

    /** Returns whether an address stands for all with the same first half, which are led to the gateway then. */
    private boolean hasLabels(LinkAddress address) {
        if (!options.labels() || address.prefixBits() != 2 * Long.SIZE) {
            return false;
        }
        try {
            RouteMetrics.lead(options.tun(), address.high(), options.mtu() + GatewayLimits.LABEL_BYTES);
            return true;
        } catch (IOException e) {
            LOG.log(Level.WARNING, "there are no labels by {0}: {1}", address.device(), e.getMessage());
            return false;
        }
    }

    private static int descriptor(RxQueue rx) throws IOException {
        if (rx.readiness() instanceof Readiness.Descriptor socket) {
            return socket.number();
        }
        throw new IOException("it is no socket of the kernel");
    }

    private Port open(LinkAddress address) throws IOException {
        int bytes = Math.max(ScaffoldLimits.CONTROL_BYTES_MAX, options.mtu() + GatewayLimits.CARRIAGE_BYTES);
        UdpSettings settings = UdpSettings.of(
                        new InetSocketAddress(Addresses.toInetAddress(address.high(), address.low()), options.port()))
                .withBurstMax(GatewayLimits.BURST_MAX)
                .withDatagramBytesMax(bytes);
        try {
            return UdpPorts.open(settings.withDevice(address.device()));
        } catch (IOException e) {
            // Kernels before 5.7 want CAP_NET_RAW for that. Then routes by source address, if there are some, choose the link.
            return UdpPorts.open(settings);
        }
    }

    int receive(FlowMachine machine) {
        int events = sockets.await(0);
        for (int i = 0; i < events; i++) {
            Way way = sockets.mark(i) < 0 ? null : ways[(int) sockets.mark(i)];
            if (way != null) {
                way.readable = true;
            }
        }
        int received = 0;
        for (int i = 0; i < ways.length; i++) {
            Way way = ways[i];
            if (way != null && way.readable) {
                received += receive(machine, i, way);
            }
        }
        return received;
    }

    private static int receive(FlowMachine machine, int index, Way way) {
        Burst in = way.socket.receive();
        way.readable = in.count() > 0;
        for (int i = 0; i < in.count(); i++) {
            machine.fromNetwork(index, in.peerHigh(i), in.peerLow(i), in.peerPort(i), way.socket.address(i), in.length(i));
        }
        return in.count();
    }

    void send(int index, long peerHigh, long peerLow, int peerPort, long datagram, int length) {
        Way way = ways[index];
        long room = way == null ? Burst.NO_ROOM : way.socket.room(length);
        if (way != null && room != Burst.NO_ROOM) {
            Memory.copy(datagram, room, length);
            way.socket.append(length, peerHigh, peerLow, peerPort);
        }
    }

    /** Sends what was gathered; returns whether a socket was full. */
    boolean flush() {
        boolean full = false;
        for (Way way : ways) {
            full |= way != null && way.socket.flush();
        }
        return full;
    }

    List<GatewayWay> list() {
        List<GatewayWay> list = new ArrayList<>();
        for (Way way : ways) {
            if (way != null) {
                list.add(new GatewayWay(way.at.device(), way.own, way.up));
            }
        }
        return list;
    }

    List<Port> ports() {
        List<Port> ports = new ArrayList<>();
        for (Way each : ways) {
            if (each != null) {
                ports.add(each.socket.port());
            }
        }
        return ports;
    }

    @Override
    public void close() {
        for (Way way : ways) {
            if (way != null) {
                way.socket.close();
            }
        }
        sockets.close();
        links.close();
    }
}
