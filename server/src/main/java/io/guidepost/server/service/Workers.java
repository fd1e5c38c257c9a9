package io.guidepost.server.service;

import io.guidepost.packet.Port;
import io.guidepost.packet.ReuseportGroup;
import io.guidepost.packet.admission.PortAdmission;
import io.guidepost.packet.admission.TopTalkers;
import io.guidepost.packet.ip.HostPort;
import io.guidepost.packet.ip.Hosts;
import io.guidepost.packet.worker.Worker;
import io.guidepost.packet.worker.WorkerSettings;
import io.guidepost.server.config.Configuration;
import io.guidepost.server.config.ConfigurationKeys;
import io.guidepost.server.metrics.Exposition;
import io.guidepost.server.metrics.PortMetrics;
import io.guidepost.web.JsonWriter;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * The ports of all services over UDP, and the threads that answer there: each service has its port number on every back end that the
 * configuration names, and worker {@code i} has queue {@code i} of every port, or each {@code n}-th of {@code n} workers.
 */
public final class Workers implements AutoCloseable {
    /** Opens hosts on ports of frames. */
    @FunctionalInterface
    public interface HostOpener {
        /** {@link Hosts#open}, or what stands in for it. */
        HostPort open(String name, List<Integer> udpPorts, Map<String, String> standards) throws IOException;
    }

    private static final String DPDK = "dpdk:";
    private static final String EAL = "eal-";

    /** Of the busiest, rows for each service. */
    private static final int BUSIEST_MAX = 20;

    private final Configuration configuration;
    private final int number;
    private final List<Worker> threads = new ArrayList<>();
    private final List<UdpService> services = new ArrayList<>();
    private final List<HostPort> hosts = new ArrayList<>();
    private long[] turnsSeen = {};

    /** No port is open yet, and no worker runs. */
    public Workers(Configuration configuration) {
        this.configuration = configuration;
        this.number = WorkerOptions.number(configuration);
    }

    /**
     * Opens the sockets of the kernel. The workers do not run yet: what arrives waits where it is.
     *
     * @param all in the order in which a worker looks at them
     * @throws IOException in one line, if one cannot be had
     */
    public void open(List<UdpService> all) throws IOException {
        services.addAll(all);
        for (UdpService each : services) {
            each.open(configuration, number);
        }
    }

    /**
     * Opens the ports of frames, which no two processes can have at a time.
     *
     * @throws IOException in one line, if one cannot be had
     */
    public void openHosts(HostOpener opener) throws IOException {
        for (String name : configuration.get(ConfigurationKeys.PACKET_PORTS)) {
            open(name, opener);
        }
    }

    private void open(String name, HostOpener opener) throws IOException {
        HostPort host = opener.open(name, numbers(name), standards(configuration, name));
        hosts.add(host);
        services.forEach(each -> each.add(host, configuration));
    }

    /** Returns the options of a port of frames whose name says nothing else: how DPDK starts. */
    static Map<String, String> standards(Configuration configuration, String name) {
        Map<String, String> eal = new LinkedHashMap<>();
        for (String each : name.startsWith(DPDK) ? configuration.get(ConfigurationKeys.PACKET_EAL) : List.<String>of()) {
            int equals = each.indexOf('=');
            eal.put(EAL + each.substring(0, equals).strip(), each.substring(equals + 1).strip());
        }
        return eal;
    }

    /** The port numbers of all services; each is of one service, as all are at the same addresses there. */
    private List<Integer> numbers(String name) throws IOException {
        Map<Integer, String> users = new HashMap<>();
        for (UdpService each : services) {
            String other = users.put(each.number(), each.name());
            if (other != null) {
                throw new IOException(name + ": " + other + " and " + each.name() + " cannot both have UDP port "
                        + each.number() + " there; give them different ones");
            }
        }
        return services.stream().map(UdpService::number).toList();
    }

    /** Makes the doors of all queues, and starts the workers. */
    public void start() throws IOException {
        for (WorkerSettings each : WorkerOptions.of(configuration)) {
            Worker thread = new Worker(each);
            attach(threads.size(), thread);
            threads.add(thread);
        }
        try {
            for (Worker each : threads) {
                each.start();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("interrupted while the workers started");
        }
    }

    /** Gives a worker its queues of all ports. */
    private void attach(int worker, Worker thread) {
        services.forEach(each -> each.attach(worker, number, thread));
        for (HostPort host : hosts) {
            for (int i = worker; i < host.queues(); i += number) {
                int queue = i;
                host.exception().ifPresent(each -> thread.watch(each.rx(queue)));
            }
        }
    }

    /**
     * Returns whether each worker has begun a turn through its queues since the last look. One that sleeps is woken, and has until the
     * next look for it.
     */
    public synchronized boolean haveTurned() {
        long[] seen = turnsSeen;
        turnsSeen = threads.stream().mapToLong(each -> each.statistics().turns()).toArray();
        threads.forEach(Worker::wake);
        for (int i = 0; i < seen.length; i++) {
            if (turnsSeen[i] == seen[i]) {
                return false;
            }
        }
        return true;
    }

    /** Leaves what arrives at the sockets of the kernel there, until this is called again with {@code false}. */
    public void hold(boolean held) {
        services.forEach(each -> each.admissions().forEach(admission -> admission.hold(held)));
        threads.forEach(each -> each.hold(held));
    }

    /** Returns how many turns each worker has taken, and how many packets it moved: its answers are out where a turn moved none. */
    public List<long[]> turnsAndMoves() {
        return threads.stream().map(each -> new long[] {each.statistics().turns(), each.statistics().moved()}).toList();
    }

    /** Returns its ports of the kernel. */
    public List<Port> ports() {
        return services.stream().flatMap(each -> each.ports().stream()).toList();
    }

    /** Gives up the ports of frames and the second sockets of the others, for another process. */
    public void giveUp() {
        hosts.forEach(HostPort::close);
        ports().forEach(each -> each.reuseportGroup().ifPresent(ReuseportGroup::closeBeside));
    }

    public void write(Exposition out) {
        List<PortAdmission> admissions = services.stream().flatMap(each -> each.admissions().stream()).toList();
        new PortMetrics(ports(), threads, admissions).write(out);
    }

    /** Returns who is busiest over datagrams, and who is held back; has it counted for a while, as it is not before. */
    public Map<String, Object> busiest() {
        List<Object> networks = new ArrayList<>();
        List<Object> names = new ArrayList<>();
        List<Object> apart = new ArrayList<>();
        long now = System.currentTimeMillis();
        for (UdpService service : services) {
            List<TopTalkers> queues = service.admissions().stream().flatMap(each -> each.talkers().stream()).toList();
            queues.forEach(each -> each.watch(now));
            networks.addAll(rows(service, queues.stream().flatMap(each -> each.networks(now).stream())));
            names.addAll(rows(service, queues.stream().flatMap(each -> each.names(now).stream())));
            service.admissions().stream()
                    .flatMap(each -> each.floodSockets().stream())
                    .flatMap(each -> each.prefixes().stream())
                    .forEach(each -> apart.add(JsonWriter.object("service", service.name(), "network", each.toString())));
        }
        return JsonWriter.object("networks", networks, "names", names, "apart", apart);
    }

    /** The busiest of all queues of a service together. */
    private static List<Object> rows(UdpService service, Stream<TopTalkers.Talker> talkers) {
        Map<String, TopTalkers.Talker> sums = new LinkedHashMap<>();
        talkers.forEach(each -> sums.merge(each.key(), each, (one, other) -> new TopTalkers.Talker(
                each.key(),
                one.perSecond() + other.perSecond(),
                one.heldPerSecond() + other.heldPerSecond(),
                one.reason().or(other::reason))));
        return sums.values().stream()
                .sorted(Comparator.comparingDouble(TopTalkers.Talker::perSecond).reversed())
                .limit(BUSIEST_MAX)
                .<Object>map(each -> JsonWriter.object(
                        "service", service.name(),
                        "key", each.key(),
                        "perSecond", each.perSecond(),
                        "heldPerSecond", each.heldPerSecond(),
                        "reason", each.reason().map(Exposition::name).orElse("")))
                .toList();
    }

    /** Ends the workers, then the ports; these stay open if a worker does not end, since it may still use their memory. */
    @Override
    public void close() {
        threads.forEach(Worker::close);
        if (threads.stream().anyMatch(Worker::isStuck)) {
            return;
        }
        services.forEach(UdpService::close);
        hosts.forEach(HostPort::close);
    }
}
