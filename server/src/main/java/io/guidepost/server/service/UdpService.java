package io.guidepost.server.service;

import io.guidepost.base.Addresses;
import io.guidepost.names.Door;
import io.guidepost.packet.Port;
import io.guidepost.packet.admission.Admission;
import io.guidepost.packet.admission.PortAdmission;
import io.guidepost.packet.ip.HostPort;
import io.guidepost.packet.ip.InterfaceAddress;
import io.guidepost.packet.udp.UdpPorts;
import io.guidepost.packet.udp.UdpSettings;
import io.guidepost.packet.worker.DatagramHandler;
import io.guidepost.packet.worker.Worker;
import io.guidepost.server.config.Configuration;
import io.guidepost.server.config.ConfigurationKeys;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * What a service answers over datagrams: one port number at addresses of the kernel and at the host of every port of frames. Each
 * queue of each port has a door of its own and belongs to one worker, so an answer leaves by the port that the question came
 * in. A port of the kernel has a queue for each worker, or several; a port of frames has as many as its device.
 */
public final class UdpService {
    private record Opened(Port port, PortAdmission admission, Optional<HostPort> host) {
        Stream<InetSocketAddress> addresses() {
            return host.map(HostPort::addresses).stream()
                    .flatMap(List::stream)
                    .map(InterfaceAddress::toInetAddress)
                    .map(each -> new InetSocketAddress(each, port.localAddress().getPort()));
        }
    }

    private final String name;
    private final String protocol;
    private final List<InetAddress> listen;
    private final Admission admission;
    private final SecureRandom secrets = new SecureRandom();
    private final Function<UdpQueue, Door> doors;
    private final List<Opened> opened = new ArrayList<>();
    private int number;

    /**
     * What is answered; no port is open yet.
     *
     * @param name of the service
     * @param protocol what is spoken, for people
     * @param listen addresses of the kernel; may be none where there are ports of frames
     * @param number the port number, 0 for any that is free
     * @param admission who gives way under overload
     * @param doors makes the door of a queue, before its worker starts
     */
    public UdpService(
            String name,
            String protocol,
            List<InetAddress> listen,
            int number,
            Admission admission,
            Function<UdpQueue, Door> doors) {
        this.name = name;
        this.protocol = protocol;
        this.listen = listen;
        this.number = number;
        this.admission = admission;
        this.doors = doors;
    }

    public String name() {
        return name;
    }

    /** Returns the port number; after {@link #open} the real one. */
    public int number() {
        return number;
    }

    /** Opens its sockets of the kernel; of several addresses all have the number that the first was given. */
    public void open(Configuration configuration, int workers) throws IOException {
        for (InetAddress address : listen) {
            Port port = UdpPorts.open(UdpSettings.of(new InetSocketAddress(address, number))
                    .withQueues(workers)
                    .withBackEnd(configuration.get(ConfigurationKeys.SERVER_BACK_END))
                    .withSegmentationOffload(configuration.get(ConfigurationKeys.UDP_OFFLOAD)));
            add(port, configuration, Optional.empty());
            number = port.localAddress().getPort();
        }
    }

    /** Answers at a host on a port of frames too, that has the UDP port. */
    void add(HostPort host, Configuration configuration) {
        add(host.udp(number), configuration, Optional.of(host));
    }

    private void add(Port port, Configuration configuration, Optional<HostPort> host) {
        Admission wanted = configuration.get(ConfigurationKeys.UDP_ADMISSION).of(admission);
        opened.add(new Opened(port, wanted.at(port, secrets::nextLong), host));
    }

    /** Gives a worker its queues, with a door at each. */
    public void attach(int worker, int workers, Worker thread) {
        for (Opened each : opened) {
            Port port = each.port;
            for (int i = worker; i < port.queues(); i += workers) {
                UdpQueue queue = new UdpQueue(worker, port, thread::wake);
                Door door = doors.apply(queue);
                DatagramHandler handler = handler(door, queue, each.host.isPresent());
                thread.watch(port.rx(i));
                each.admission.duties(i, handler, door.classifier()).forEach(thread::add);
            }
        }
    }

    private static DatagramHandler handler(Door door, UdpQueue queue, boolean onFrames) {
        InetSocketAddress own = queue.address();
        return new DoorHandler(
                door,
                onFrames || own.getAddress().isAnyLocalAddress(),
                Addresses.high(own.getAddress()),
                Addresses.low(own.getAddress()),
                own.getPort());
    }

    /** Returns where it answers, with the number that was given. */
    public List<InetSocketAddress> addresses() {
        return endpoints().stream().map(Endpoint::address).toList();
    }

    /**
     * Returns the ports from which other servers may be asked: sockets of the kernel if there are any, as a host that shares an
     * address with the kernel does not see answers to its questions for neighbours.
     */
    public List<InetSocketAddress> homes() {
        List<InetSocketAddress> sockets = opened.stream()
                .filter(each -> each.host.isEmpty())
                .map(each -> each.port.localAddress())
                .toList();
        return sockets.isEmpty() ? opened.stream().map(each -> each.port.localAddress()).toList() : sockets;
    }

    /** Returns the same with the port that each is on. */
    public List<Endpoint> endpoints() {
        return opened.stream().flatMap(this::endpoints).toList();
    }

    private Stream<Endpoint> endpoints(Opened each) {
        return each.host.isEmpty()
                ? Stream.of(Endpoint.of(name, Endpoint.Transport.UDP, each.port.localAddress(), protocol))
                : each.addresses().map(address -> new Endpoint(
                        name, Endpoint.Transport.UDP, address, each.host.get().frames().name(), protocol));
    }

    /** Returns its ports. */
    public List<Port> ports() {
        return opened.stream().map(Opened::port).toList();
    }

    /** Returns what protects its ports. */
    public List<PortAdmission> admissions() {
        return opened.stream().map(Opened::admission).toList();
    }

    /** Closes its ports; the workers have ended. */
    public void close() {
        opened.forEach(each -> each.port.close());
    }
}
