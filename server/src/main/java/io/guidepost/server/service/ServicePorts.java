package io.guidepost.server.service;

import io.guidepost.packet.Port;
import io.guidepost.packet.admission.PortAdmission;
import io.guidepost.packet.ip.HostPort;
import io.guidepost.packet.ip.Hosts;
import io.guidepost.packet.worker.Worker;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The ports of all services over UDP: each service has its port number on every back end that the configuration names. */
public final class ServicePorts implements AutoCloseable {
    /** Opens hosts on ports of frames. */
    @FunctionalInterface
    public interface HostOpener {
        /** {@link Hosts#open}, or what stands in for it. */
        HostPort open(String name, List<Integer> udpPorts, Map<String, String> standards) throws IOException;
    }

    private final UdpOptions options;
    private final int workers;
    private final List<UdpService> services = new ArrayList<>();
    private final List<HostPort> hosts = new ArrayList<>();

    /** None is open yet. */
    public ServicePorts(UdpOptions options, int workers) {
        this.options = options;
        this.workers = workers;
    }

    /**
     * Opens them. The workers do not run yet: what arrives waits where it is.
     *
     * @param all in the order in which a worker looks at them
     * @throws IOException in one line, if one cannot be had
     */
    public void open(List<UdpService> all, HostOpener opener) throws IOException {
        services.addAll(all);
        for (UdpService each : services) {
            each.open(options, workers);
        }
        for (String name : options.framePorts()) {
            open(name, opener);
        }
    }

    private void open(String name, HostOpener opener) throws IOException {
        HostPort host = opener.open(name, numbers(name), options.standards(name));
        hosts.add(host);
        if (host.queues() > workers) {
            throw new IOException(name + " has " + host.queues() + " queues for " + workers
                    + " workers: set workers.count to as many, or queues to fewer");
        }
        services.forEach(each -> each.add(host, options));
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

    /** Gives a worker its queues of all ports. */
    public void attach(int worker, Worker thread) {
        services.forEach(each -> each.attach(worker, workers, thread));
        for (HostPort host : hosts) {
            if (worker < host.queues()) {
                host.exception().ifPresent(each -> thread.watch(each.rx(worker)));
            }
        }
    }

    /** Returns all of them. */
    public List<Port> all() {
        return services.stream().flatMap(each -> each.ports().stream()).toList();
    }

    /** Returns what protects them. */
    public List<PortAdmission> admissions() {
        return services.stream().flatMap(each -> each.admissions().stream()).toList();
    }

    @Override
    public void close() {
        services.forEach(UdpService::close);
        hosts.forEach(HostPort::close);
    }
}
