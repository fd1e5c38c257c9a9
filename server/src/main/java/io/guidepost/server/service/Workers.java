package io.guidepost.server.service;

import io.guidepost.packet.worker.Worker;
import io.guidepost.server.metrics.Exposition;
import io.guidepost.server.metrics.PortMetrics;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.ArrayList;
import java.util.List;

/** The threads that answer over UDP: worker {@code i} has queue {@code i} of every port, or each {@code n}-th of {@code n} workers. */
public final class Workers implements AutoCloseable {
    private final List<Worker> threads = new ArrayList<>();
    private final WorkerOptions options;
    private final ServicePorts ports;

    public Workers(WorkerOptions options, ServicePorts ports) {
        this.options = options;
        this.ports = ports;
    }

    /** Opens the ports; what arrives waits. */
    public void open(List<UdpService> services, ServicePorts.HostOpener opener) throws IOException {
        ports.open(services, opener);
    }

    /** Makes the doors of all queues, and starts the workers. */
    public void start() throws IOException {
        for (int i = 0; i < options.number(); i++) {
            Worker thread = new Worker(options.settings(i));
            threads.add(thread);
            ports.attach(i, thread);
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

    public void write(Exposition out) {
        new PortMetrics(ports.all(), threads, ports.admissions()).write(out);
    }

    /** Ends the workers, then the ports. */
    @Override
    public void close() {
        threads.forEach(Worker::close);
        ports.close();
    }
}
