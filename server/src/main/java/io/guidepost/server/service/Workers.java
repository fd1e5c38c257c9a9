package io.guidepost.server.service;

import io.guidepost.base.Addresses;
import io.guidepost.gnrs.GnrsDoor;
import io.guidepost.names.Door;
import io.guidepost.packet.Aside;
import io.guidepost.packet.Port;
import io.guidepost.packet.host.HostAddress;
import io.guidepost.packet.host.HostPort;
import io.guidepost.packet.udp.UdpPorts;
import io.guidepost.packet.udp.UdpSettings;
import io.guidepost.packet.worker.DatagramResponder;
import io.guidepost.packet.worker.Worker;
import io.guidepost.packet.worker.WorkerSettings;
import io.guidepost.proximity.ranking.Ranking;
import io.guidepost.server.alto.ProxidorService;
import io.guidepost.server.config.Configuration;
import io.guidepost.server.config.ConfigurationException;
import io.guidepost.server.config.ConfigurationKeys;
import io.guidepost.server.metrics.Exposition;
import io.guidepost.server.metrics.PortMetrics;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The ports of a door and the threads that serve them: worker {@code i} has queue {@code i} of every port that has one,
 * sockets of the kernel and hosts on ports of frames alike, and a door of its own at each, so that an answer leaves by
 * the port that the question came in.
 */
public final class Workers implements AutoCloseable {
    /** Makes the door of one worker at one port; {@code wake} has the worker look for deferred answers. */
    @FunctionalInterface
    public interface DoorMaker<D extends Door> {
        D make(int worker, InetSocketAddress port, Runnable wake);
    }

    private static final long NANOS_IN_MICRO = 1000;

    private final List<Port> ports = new ArrayList<>();
    private final List<Port> handlePorts = new ArrayList<>();
    private final List<Worker> workers = new ArrayList<>();
    private @Nullable ProxidorService proxidors;

    private final int number;

    private Workers(int number) {
        this.number = number;
    }

    /**
     * Opens the ports; the workers do not run yet, and the kernel keeps what arrives.
     *
     * @throws IOException in one line, if an address cannot be had
     */
    public static Workers open(Configuration configuration, List<InetAddress> addresses) throws IOException {
        int number = WorkerProcessors.workers(configuration);
        Workers opened = new Workers(number);
        int portNumber = configuration.get(ConfigurationKeys.GNRS_PORT).intValue();
        try {
            for (InetAddress address : addresses) {
                Port port = UdpPorts.open(UdpSettings.of(new InetSocketAddress(address, portNumber))
                        .withQueues(number)
                        .withBackEnd(configuration.get(ConfigurationKeys.GNRS_BACK_END))
                        .withTrains(configuration.get(ConfigurationKeys.GNRS_GRO)));
                opened.ports.add(port);
                // Of several addresses all have the number that the first was given.
                portNumber = port.localAddress().getPort();
            }
            opened.ports.addAll(FramePorts.open(configuration, portNumber, number));
        } catch (IOException e) {
            opened.close();
            throw e;
        }
        return opened;
    }

    /**
     * Opens ports of the Handle door beside them, served by the same threads.
     *
     * @throws IOException in one line, if an address cannot be had
     */
    public void openHandle(Configuration configuration, List<InetAddress> addresses) throws IOException {
        int portNumber = configuration.get(ConfigurationKeys.HANDLE_UDP_PORT).intValue();
        for (InetAddress address : portNumber < 0 ? List.<InetAddress>of() : addresses) {
            Port port = UdpPorts.open(UdpSettings.of(new InetSocketAddress(address, portNumber))
                    .withQueues(number)
                    .withBackEnd(configuration.get(ConfigurationKeys.GNRS_BACK_END))
                    .withTrains(configuration.get(ConfigurationKeys.GNRS_GRO)));
            handlePorts.add(port);
            portNumber = port.localAddress().getPort();
        }
    }

    /**
     * Opens ports of Proxidor beside them, served by the same threads.
     *
     * @param rankings gives the snapshot in force
     * @throws IOException in one line, if an address cannot be had
     */
    public void openProxidor(Configuration configuration, Supplier<Ranking> rankings) throws ConfigurationException, IOException {
        proxidors = ProxidorService.open(configuration, number, rankings);
    }

    /** Where lists are ranked over UDP; empty if they are not. */
    public List<InetSocketAddress> proxidorAddresses() {
        return proxidors == null ? List.of() : proxidors.addresses();
    }

    /** Where handles are answered over UDP. */
    public List<InetSocketAddress> handleAddresses() {
        return handlePorts.stream().map(Port::localAddress).toList();
    }

    /** Starts the workers. */
    public void start(Configuration configuration, DoorMaker<GnrsDoor> maker, DoorMaker<Door> handleMaker)
            throws ConfigurationException, IOException {
        List<Integer> processors = WorkerProcessors.choose(configuration, number);
        for (int i = 0; i < number; i++) {
            WorkerSettings standard = WorkerSettings.of("gnrs-" + i).withCpu(processors.get(i));
            Worker worker = new Worker(waiting(standard, configuration));
            workers.add(worker);
            for (Port port : ports) {
                if (i < port.queues()) {
                    GnrsDoor door = maker.make(i, port.localAddress(), worker::wake);
                    long flush = port instanceof HostPort ? configuration.get(ConfigurationKeys.PACKET_FLUSH) * NANOS_IN_MICRO : 0;
                    DoorHandler handler = handler(door, port);
                    worker.watch(port.rx(i)).add(new DatagramResponder(port.rx(i), port.tx(i), handler, flush));
                    Optional<Aside> aside = configuration.get(ConfigurationKeys.GNRS_ASIDE) ? port.aside() : Optional.empty();
                    if (aside.isPresent()) {
                        door.busyNetworks(aside.get()::set);
                        worker.add(aside.get().responder(i, handler));
                    }
                }
                if (port instanceof HostPort host && i < host.queues()) {
                    int queue = i;
                    host.exception().ifPresent(each -> worker.watch(each.rx(queue)));
                }
            }
            for (Port port : handlePorts) {
                Door door = handleMaker.make(i, port.localAddress(), worker::wake);
                worker.watch(port.rx(i)).add(new DatagramResponder(port.rx(i), port.tx(i), handler(door, port)));
            }
            if (proxidors != null) {
                proxidors.attach(i, worker);
            }
        }
        try {
            for (Worker each : workers) {
                each.start();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("interrupted while the workers started");
        }
    }

    public static WorkerSettings waiting(WorkerSettings standard, Configuration configuration) {
        return standard.withWaiting(
                        configuration.get(ConfigurationKeys.GNRS_SPIN_MICROS) * NANOS_IN_MICRO,
                        configuration.get(ConfigurationKeys.GNRS_NAP_MICROS) * NANOS_IN_MICRO,
                        standard.sleepMillisMax())
                .withPolls(configuration.get(ConfigurationKeys.PACKET_IDLE_SLEEP) * NANOS_IN_MICRO)
                .withRealTime(configuration.get(ConfigurationKeys.GNRS_REAL_TIME));
    }

    private static DoorHandler handler(Door door, Port port) {
        InetAddress own = port.localAddress().getAddress();
        return new DoorHandler(
                door,
                own.isAnyLocalAddress() || port instanceof HostPort,
                Addresses.high(own),
                Addresses.low(own),
                port.localAddress().getPort());
    }

    /** The addresses that are answered at, with the port numbers that were given. */
    public List<InetSocketAddress> addresses() {
        return ports.stream().flatMap(Workers::addresses).toList();
    }

    /**
     * The ports from which other servers may be asked: sockets of the kernel if there are any, as a host that shares an
     * address with the kernel does not see who answers its questions for neighbours.
     */
    public List<InetSocketAddress> homes() {
        List<InetSocketAddress> sockets = ports.stream()
                .filter(each -> !(each instanceof HostPort))
                .map(Port::localAddress)
                .toList();
        return sockets.isEmpty() ? ports.stream().map(Port::localAddress).toList() : sockets;
    }

    private static Stream<InetSocketAddress> addresses(Port port) {
        int number = port.localAddress().getPort();
        return port instanceof HostPort host
                ? host.addresses().stream()
                        .map(HostAddress::toInetAddress)
                        .map(each -> new InetSocketAddress(each, number))
                : Stream.of(port.localAddress());
    }

    /** Names of the ports of frames. */
    public List<String> framePorts() {
        return ports.stream()
                .filter(HostPort.class::isInstance)
                .map(each -> ((HostPort) each).frames().name())
                .toList();
    }

    /** How many workers there are. */
    public int number() {
        return number;
    }

    /** Ends the workers, then the ports. */
    @Override
    public void close() {
        workers.forEach(Worker::close);
        ports.forEach(Port::close);
        handlePorts.forEach(Port::close);
        if (proxidors != null) {
            proxidors.close();
        }
    }

    public void write(Exposition out) {
        List<Port> all = new ArrayList<>(ports);
        all.addAll(handlePorts);
        if (proxidors != null) {
            all.addAll(proxidors.ports());
        }
        new PortMetrics(all, workers).write(out);
        if (proxidors != null) {
            proxidors.write(out);
        }
    }
}
