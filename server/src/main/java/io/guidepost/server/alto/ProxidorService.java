package io.guidepost.server.alto;

import io.guidepost.alto.proxidor.ProxidorCount;
import io.guidepost.alto.proxidor.ProxidorDoor;
import io.guidepost.alto.proxidor.ProxidorFault;
import io.guidepost.alto.proxidor.ProxidorSettings;
import io.guidepost.base.Address;
import io.guidepost.base.Addresses;
import io.guidepost.base.Malformed;
import io.guidepost.base.Prefix;
import io.guidepost.packet.Drop;
import io.guidepost.packet.Port;
import io.guidepost.packet.RxQueue;
import io.guidepost.packet.udp.UdpPorts;
import io.guidepost.packet.udp.UdpSettings;
import io.guidepost.packet.worker.DatagramResponder;
import io.guidepost.packet.worker.Worker;
import io.guidepost.proximity.ranking.Ranking;
import io.guidepost.server.config.AddressParsing;
import io.guidepost.server.config.Configuration;
import io.guidepost.server.config.ConfigurationException;
import io.guidepost.server.config.ConfigurationKeys;
import io.guidepost.server.metrics.Exposition;
import io.guidepost.server.service.DoorHandler;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Supplier;

/**
 * The ports of Proxidor, and the doors of the workers at them. Each worker has as many sockets of each port as are wished,
 * and a door at each: the kernel spreads those who ask over the sockets, and whoever floods fills one.
 */
public final class ProxidorService implements AutoCloseable {
    private record Row(String worker, ProxidorDoor door) {}

    private final ProxidorSettings settings;
    private final Supplier<Ranking> rankings;
    private final int workers;
    private final int sockets;
    private final List<Port> ports = new ArrayList<>();
    private final List<Row> rows = new CopyOnWriteArrayList<>();

    private ProxidorService(ProxidorSettings settings, Supplier<Ranking> rankings, int workers, int sockets) {
        this.settings = settings;
        this.rankings = rankings;
        this.workers = workers;
        this.sockets = sockets;
    }

    /**
     * Opens the ports; nobody answers yet, and the kernel keeps what arrives.
     *
     * @param rankings gives the snapshot in force; asked by all workers
     * @throws IOException in one line, if an address cannot be had
     */
    public static ProxidorService open(Configuration configuration, int workers, Supplier<Ranking> rankings)
            throws ConfigurationException, IOException {
        int sockets = configuration.get(ConfigurationKeys.PROXIDOR_SOCKETS).intValue();
        ProxidorService opened = new ProxidorService(settings(configuration), rankings, workers, sockets);
        int number = configuration.get(ConfigurationKeys.PROXIDOR_PORT).intValue();
        try {
            for (InetAddress address : AddressParsing.proxidorListen(configuration)) {
                Port port = UdpPorts.open(UdpSettings.of(new InetSocketAddress(address, number))
                        .withQueues(workers * sockets)
                        .withBackEnd(configuration.get(ConfigurationKeys.GNRS_BACK_END))
                        .withTrains(configuration.get(ConfigurationKeys.GNRS_GRO)));
                opened.ports.add(port);
                number = port.localAddress().getPort();
            }
        } catch (IOException e) {
            opened.close();
            throw e;
        }
        return opened;
    }

    static ProxidorSettings settings(Configuration configuration) throws ConfigurationException {
        List<Prefix> trusted = new ArrayList<>();
        for (String each : configuration.get(ConfigurationKeys.PROXIDOR_TRUSTED)) {
            try {
                trusted.add(each.indexOf('/') < 0 ? Address.parse(each).prefix() : Prefix.parse(each));
            } catch (Malformed e) {
                throw AddressParsing.fault(configuration, ConfigurationKeys.PROXIDOR_TRUSTED, e.reason());
            }
        }
        return new ProxidorSettings(
                configuration.get(ConfigurationKeys.PROXIDOR_TTL_SECONDS).intValue(),
                configuration.get(ConfigurationKeys.PROXIDOR_UNKNOWN) == ConfigurationKeys.Unknown.LAST,
                trusted,
                configuration.get(ConfigurationKeys.PROXIDOR_FAIR));
    }

    /** Gives a worker its queues, with a door at each; before it starts. */
    public void attach(int worker, Worker thread) {
        for (Port port : ports) {
            for (int i = worker; i < workers * sockets; i += workers) {
                RxQueue queue = port.rx(i);
                ProxidorDoor door = new ProxidorDoor(
                        settings,
                        rankings,
                        new SecureRandom().nextLong(),
                        () -> queue.statistics().drops(Drop.OVERFLOW));
                rows.add(new Row(Integer.toString(worker), door));
                thread.watch(queue).add(new DatagramResponder(queue, port.tx(i), handler(door, port)));
            }
        }
    }

    private static DoorHandler handler(ProxidorDoor door, Port port) {
        InetAddress own = port.localAddress().getAddress();
        return new DoorHandler(
                door,
                own.isAnyLocalAddress(),
                Addresses.high(own),
                Addresses.low(own),
                port.localAddress().getPort());
    }

    /** Where Proxidor is answered, with the port numbers that were given. */
    public List<InetSocketAddress> addresses() {
        return ports.stream().map(Port::localAddress).toList();
    }

    /** Its ports, for what all ports count. */
    public List<Port> ports() {
        return List.copyOf(ports);
    }

    /** Gives the ports back; the workers must have ended. */
    @Override
    public void close() {
        ports.forEach(Port::close);
    }

    public void write(Exposition out) {
        List<String> names = rows.stream().map(Row::worker).distinct().toList();
        out.counter("guidepost_proxidor_events", "What the Proxidor door counted; docs/metrics.md explains each event.");
        for (String worker : names) {
            for (ProxidorCount name : ProxidorCount.values()) {
                long sum = of(worker).stream().mapToLong(door -> door.counts().get(name)).sum();
                out.sample(sum, "worker", worker, "event", Exposition.name(name));
            }
        }
        out.counter("guidepost_proxidor_malformed", "Proxidor questions that could not be answered, by their first fault.");
        for (String worker : names) {
            for (ProxidorFault fault : ProxidorFault.values()) {
                long sum = of(worker).stream().mapToLong(door -> door.faults().get(fault)).sum();
                if (fault != ProxidorFault.OK) {
                    out.sample(sum, "worker", worker, "reason", Exposition.name(fault));
                }
            }
        }
    }

    private List<ProxidorDoor> of(String worker) {
        return rows.stream().filter(each -> each.worker.equals(worker)).map(Row::door).toList();
    }
}
