package io.guidepost.server;

import io.guidepost.gnrs.GnrsDoor;
import io.guidepost.names.Door;
import io.guidepost.packet.Addresses;
import io.guidepost.packet.Aside;
import io.guidepost.packet.Port;
import io.guidepost.packet.Responder;
import io.guidepost.packet.Udp;
import io.guidepost.packet.UdpSettings;
import io.guidepost.packet.Worker;
import io.guidepost.packet.WorkerSettings;
import io.guidepost.packet.host.HostAddress;
import io.guidepost.packet.host.HostPort;
import io.guidepost.proximity.ranking.Ranking;
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
final class Workers implements AutoCloseable {
    /** Makes the door of one worker at one port; {@code wake} has the worker look for deferred answers. */
    @FunctionalInterface
    interface DoorMaker<D extends Door> {
        D make(int worker, InetSocketAddress port, Runnable wake);
    }

    private static final long NANOS_IN_MICRO = 1000;

    private final List<Port> ports = new ArrayList<>();
    private final List<Port> handlePorts = new ArrayList<>();
    private final List<Worker> workers = new ArrayList<>();
    private @Nullable Proxidors proxidors;

    private final int number;

    private Workers(int number) {
        this.number = number;
    }

    /**
     * Opens the ports; the workers do not run yet, and the kernel keeps what arrives.
     *
     * @throws IOException in one line, if an address cannot be had
     */
    static Workers open(Configuration configuration, List<InetAddress> addresses) throws IOException {
        int number = Processors.workers(configuration);
        Workers opened = new Workers(number);
        int portNumber = configuration.get(Keys.GNRS_PORT).intValue();
        try {
            for (InetAddress address : addresses) {
                Port port = Udp.open(UdpSettings.of(new InetSocketAddress(address, portNumber))
                        .withQueues(number)
                        .withBackEnd(configuration.get(Keys.GNRS_BACK_END))
                        .withTrains(configuration.get(Keys.GNRS_GRO)));
                opened.ports.add(port);
                // Of several addresses all have the number that the first was given.
                portNumber = port.localAddress().getPort();
            }
            opened.ports.addAll(HostPorts.open(configuration, portNumber, number));
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
    void openHandle(Configuration configuration, List<InetAddress> addresses) throws IOException {
        int portNumber = configuration.get(Keys.HANDLE_UDP_PORT).intValue();
        for (InetAddress address : portNumber < 0 ? List.<InetAddress>of() : addresses) {
            Port port = Udp.open(UdpSettings.of(new InetSocketAddress(address, portNumber))
                    .withQueues(number)
                    .withBackEnd(configuration.get(Keys.GNRS_BACK_END))
                    .withTrains(configuration.get(Keys.GNRS_GRO)));
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
    void openProxidor(Configuration configuration, Supplier<Ranking> rankings) throws ConfigurationException, IOException {
        proxidors = Proxidors.open(configuration, number, rankings);
    }

    /** Where lists are ranked over UDP; empty if they are not. */
    List<InetSocketAddress> proxidorAddresses() {
        return proxidors == null ? List.of() : proxidors.addresses();
    }

    /** Where handles are answered over UDP. */
    List<InetSocketAddress> handleAddresses() {
        return handlePorts.stream().map(Port::localAddress).toList();
    }

    /** Starts the workers. */
    void start(Configuration configuration, DoorMaker<GnrsDoor> maker, DoorMaker<Door> handleMaker)
            throws ConfigurationException, IOException {
        List<Integer> processors = Processors.choose(configuration, number);
        for (int i = 0; i < number; i++) {
            WorkerSettings standard = WorkerSettings.of("gnrs-" + i).withCpu(processors.get(i));
            Worker worker = new Worker(waiting(standard, configuration));
            workers.add(worker);
            for (Port port : ports) {
                if (i < port.queues()) {
                    GnrsDoor door = maker.make(i, port.localAddress(), worker::wake);
                    long flush = port instanceof HostPort ? configuration.get(Keys.PACKET_FLUSH) * NANOS_IN_MICRO : 0;
                    DoorHandler handler = handler(door, port);
                    worker.watch(port.rx(i)).add(new Responder(port.rx(i), port.tx(i), handler, flush));
                    Optional<Aside> aside = configuration.get(Keys.GNRS_ASIDE) ? port.aside() : Optional.empty();
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
                worker.watch(port.rx(i)).add(new Responder(port.rx(i), port.tx(i), handler(door, port)));
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

    static WorkerSettings waiting(WorkerSettings standard, Configuration configuration) {
        return standard.withWaiting(
                        configuration.get(Keys.GNRS_SPIN_MICROS) * NANOS_IN_MICRO,
                        configuration.get(Keys.GNRS_NAP_MICROS) * NANOS_IN_MICRO,
                        standard.sleepMillisMax())
                .withPolls(configuration.get(Keys.PACKET_IDLE_SLEEP) * NANOS_IN_MICRO)
                .withRealTime(configuration.get(Keys.GNRS_REAL_TIME));
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
    List<InetSocketAddress> addresses() {
        return ports.stream().flatMap(Workers::addresses).toList();
    }

    /**
     * The ports from which other servers may be asked: sockets of the kernel if there are any, as a host that shares an
     * address with the kernel does not see who answers its questions for neighbours.
     */
    List<InetSocketAddress> homes() {
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
    List<String> framePorts() {
        return ports.stream()
                .filter(HostPort.class::isInstance)
                .map(each -> ((HostPort) each).frames().name())
                .toList();
    }

    /** How many workers there are. */
    int number() {
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

    void write(Exposition out) {
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
