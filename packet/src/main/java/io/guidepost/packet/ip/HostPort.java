package io.guidepost.packet.ip;

import io.guidepost.packet.LinkState;
import io.guidepost.packet.Offload;
import io.guidepost.packet.Port;
import io.guidepost.packet.PortLayer;
import io.guidepost.packet.QueuePort;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.LongSupplier;

/**
 * A host over a port of frames: a port of datagrams, as one of the kernel is, with an address of its own or the kernel's.
 *
 * <p>It checks Ethernet (with one VLAN tag or none), IPv4 (with options), IPv6 (with extension headers) and UDP, lengths
 * and checksums; answers ARP, neighbour solicitations and echo requests for its addresses; and says port unreachable for
 * UDP ports that it does not have. Fragments are neither put together nor made: an answer longer than the link takes is
 * dropped as {@link io.guidepost.packet.Drop#TOO_LARGE}, and the rooms of its bursts are no longer than that.
 *
 * <p>An answer goes back to the station, and in the VLAN, that the question came from in the last ten seconds. For others
 * the neighbour or the router is asked for by ARP or neighbour discovery while the datagrams wait.
 *
 * <p>It is itself the port of the first of its UDP ports; {@link #udp} gives the others, each with queues and counts of its
 * own. All queues of one number belong to one thread: receiving from the first fills the others, and answers echo.
 */
public final class HostPort extends QueuePort<HostRx, HostTx> {
    private final Port frames;
    private final HostPortSettings settings;
    private final InetSocketAddress address;
    private final LongSupplier clockNanos;
    private final List<InterfaceQueue> queues = new ArrayList<>();
    private final List<HostUdpPort> others = new ArrayList<>();

    /**
     * A host that has a port of frames for itself from now on; it closes that with itself, and the port for exceptions.
     *
     * @throws IllegalArgumentException if the port is not one of frames, has no Ethernet address and none is set, or the
     *     port for exceptions has fewer queues
     */
    public HostPort(Port frames, HostPortSettings settings) {
        this(frames, settings, System::nanoTime);
    }

    /** Returns a host with one address on an open port of frames, which it has for itself from now on. */
    public static HostPort of(Port frames, InterfaceAddress address, List<Integer> udpPorts) {
        return new HostPort(frames, HostPortSettings.of(udpPorts.getFirst(), address).withUdpPorts(udpPorts));
    }

    HostPort(Port frames, HostPortSettings settings, LongSupplier clockNanos) {
        long mac = settings.mac() != 0 ? settings.mac() : frames.mac();
        super(PortLayer.DATAGRAM, "host:" + frames.name(), mac);
        this.frames = frames;
        this.settings = settings;
        this.clockNanos = clockNanos;
        Port exception = settings.exception();
        if (frames.layer() != PortLayer.FRAME || exception != null && exception.layer() != PortLayer.FRAME) {
            throw new IllegalArgumentException(frames.name() + " is no port of frames, on which a host could be");
        }
        if (mac == 0) {
            throw new IllegalArgumentException(
                    frames.name() + " has no Ethernet address; set one, such as mac=02:00:00:00:00:01");
        }
        if (exception != null && exception.queues() < frames.queues()) {
            throw new IllegalArgumentException(exception.name() + " has " + exception.queues() + " queues; it needs "
                    + frames.queues() + " as " + frames.name());
        }
        List<InterfaceAddress> own = settings.addresses();
        InetAddress first = own.getFirst().toInetAddress();
        this.address = new InetSocketAddress(first, settings.udpPorts().getFirst());
        IpInterface face = new IpInterface(frames, mac, new InterfaceAddresses(own, settings.gateways()), 0, 0);
        for (int each : settings.udpPorts().subList(1, settings.udpPorts().size())) {
            others.add(new HostUdpPort(this, each));
        }
        for (int i = 0; i < frames.queues(); i++) {
            InterfaceQueue queue = new InterfaceQueue(face, i);
            ReversePathCache paths = new ReversePathCache();
            List<UdpRx> beside = new ArrayList<>();
            for (HostUdpPort each : others) {
                UdpRx receiver = new UdpRx(each.localAddress().getPort(), frames.rx(i));
                beside.add(receiver);
                each.add(receiver, sender(queue, paths, each.localAddress().getPort(), i));
            }
            queues.add(queue);
            tx.add(sender(queue, paths, address.getPort(), i));
            ExceptionQueue exceptions = new ExceptionQueue(exception, i);
            rx.add(new HostRx(queue, paths, clockNanos, frames.rx(i), address.getPort(), beside, exceptions));
        }
    }

    private HostTx sender(InterfaceQueue queue, ReversePathCache paths, int udpPort, int number) {
        return new HostTx(queue, paths, clockNanos, udpPort, frames, number, settings.burstMax());
    }

    /**
     * The port of one of its UDP ports, this one for the first; closed with this one.
     *
     * @throws IllegalArgumentException if it has no such UDP port
     */
    public Port udp(int number) {
        if (number == address.getPort()) {
            return this;
        }
        return others.stream()
                .filter(each -> each.localAddress().getPort() == number)
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException(name() + " has the UDP ports " + settings.udpPorts() + ", not " + number));
    }

    @Override
    public InetSocketAddress localAddress() {
        return address;
    }

    /** All of its addresses; each datagram says to which of them it came. */
    public List<InterfaceAddress> addresses() {
        return settings.addresses();
    }

    /** The port of frames that it is on. */
    public Port frames() {
        return frames;
    }

    /** The port that gets what is not for it. */
    public Optional<Port> exception() {
        return Optional.ofNullable(settings.exception());
    }

    /** Bytes of the longest datagram that leaves over IPv4, headers not included; over IPv6 20 fewer. */
    @Override
    public int frameBytesMax() {
        return frames.frameBytesMax() - LinkPath.ETHERNET_BYTES - 28;
    }

    @Override
    public LinkState link() {
        return frames.link();
    }

    @Override
    public Set<Offload> offloads() {
        return frames.offloads();
    }

    /** A count of the host itself, over all queues. */
    public long count(InterfaceCount counted) {
        return queues.stream().mapToLong(each -> each.counts.get(counted)).sum();
    }

    /** What the host counted, by the names of {@link InterfaceCount} in lower case. */
    @Override
    public Map<String, Long> deviceCounters() {
        Map<String, Long> counters = new TreeMap<>();
        for (InterfaceCount each : InterfaceCount.values()) {
            counters.put(each.name().toLowerCase(Locale.ROOT), count(each));
        }
        return counters;
    }

    /** An Ethernet address as 48 bits, from its usual form {@code 02:00:00:00:00:01}. */
    public static long parseMac(String text) {
        String digits = text.replace(":", "");
        if (!text.matches("[0-9a-fA-F]{2}(:[0-9a-fA-F]{2}){5}")) {
            throw new IllegalArgumentException(
                    "\"" + text + "\" is not an Ethernet address, such as 02:00:00:00:00:01");
        }
        return Long.parseLong(digits, 16);
    }

    /** The same back as text. */
    public static String printMac(long mac) {
        return String.format(Locale.ROOT, "%012x", mac).replaceAll("(..)(?!$)", "$1:");
    }

    @Override
    public void close() {
        frames.close();
        exception().ifPresent(Port::close);
    }
}
