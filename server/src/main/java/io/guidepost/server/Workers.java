package io.guidepost.server;

import io.guidepost.names.Door;
import io.guidepost.packet.Addresses;
import io.guidepost.packet.Drop;
import io.guidepost.packet.Histogram;
import io.guidepost.packet.Port;
import io.guidepost.packet.QueueStatistics;
import io.guidepost.packet.Responder;
import io.guidepost.packet.Udp;
import io.guidepost.packet.UdpSettings;
import io.guidepost.packet.Worker;
import io.guidepost.packet.WorkerSettings;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;

/**
 * The ports of a door and the threads that serve them: worker {@code i} has queue {@code i} of every port, and a door
 * of its own at each, so that an answer leaves by the port that the question came in.
 */
final class Workers implements AutoCloseable {
    /** Makes the door of one worker at one port; {@code wake} has the worker look for deferred answers. */
    @FunctionalInterface
    interface DoorMaker {
        Door make(int worker, InetSocketAddress port, Runnable wake);
    }

    private static final long NANOS_IN_MICRO = 1000;

    private final List<Port> ports = new ArrayList<>();
    private final List<Worker> workers = new ArrayList<>();

    private Workers() {}

    /**
     * Opens the ports; the workers do not run yet, and the kernel keeps what arrives.
     *
     * @throws IOException in one line, if an address cannot be had
     */
    static Workers open(Configuration configuration, List<InetAddress> addresses) throws IOException {
        Workers opened = new Workers();
        int number = Processors.workers(configuration);
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
        } catch (IOException e) {
            opened.close();
            throw e;
        }
        return opened;
    }

    /** Starts the workers. */
    void start(Configuration configuration, DoorMaker maker) throws ConfigurationException, IOException {
        int number = ports.getFirst().queues();
        List<Integer> processors = Processors.choose(configuration, number);
        for (int i = 0; i < number; i++) {
            WorkerSettings standard = WorkerSettings.of("gnrs-" + i).withCpu(processors.get(i));
            Worker worker = new Worker(waiting(standard, configuration));
            workers.add(worker);
            for (Port port : ports) {
                Door door = maker.make(i, port.localAddress(), worker::wake);
                worker.watch(port.rx(i)).add(new Responder(port.rx(i), port.tx(i), handler(door, port)));
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
                standard.sleepMillisMax());
    }

    private static DoorHandler handler(Door door, Port port) {
        InetAddress own = port.localAddress().getAddress();
        return new DoorHandler(
                door,
                own.isAnyLocalAddress(),
                Addresses.high(own),
                Addresses.low(own),
                port.localAddress().getPort());
    }

    /** The addresses that are answered at, with the port numbers that were given. */
    List<InetSocketAddress> addresses() {
        return ports.stream().map(Port::localAddress).toList();
    }

    /** How many workers there are. */
    int number() {
        return ports.getFirst().queues();
    }

    /** Ends the workers, then the ports. */
    @Override
    public void close() {
        workers.forEach(Worker::close);
        ports.forEach(Port::close);
    }

    void write(Exposition out) {
        out.counter("guidepost_port_packets", "Datagrams received and sent.");
        queues((labels, statistics) -> out.sample(statistics.packets(), labels));
        out.counter("guidepost_port_bytes", "Bytes of those datagrams, without headers below them.");
        queues((labels, statistics) -> out.sample(statistics.bytes(), labels));
        out.counter("guidepost_port_calls", "Calls of the back end, with datagrams or without.");
        queues((labels, statistics) -> out.sample(statistics.calls(), labels));
        out.counter("guidepost_port_trains", "Groups of datagrams that the kernel handled as one.");
        queues((labels, statistics) -> out.sample(statistics.trains(), labels));
        out.counter("guidepost_port_drops", "Datagrams dropped, by reason.");
        queues((labels, statistics) -> {
            for (Drop reason : Drop.values()) {
                out.sample(statistics.drops(reason), with(labels, "reason", Exposition.name(reason)));
            }
        });
        out.histogram("guidepost_port_burst_size", "Datagrams that came or went at once.");
        queues((labels, statistics) -> out.doubling(buckets(statistics.burstSizes()), 1, labels));
        out.counter("guidepost_worker_moved", "Datagrams and other pieces of work that a worker moved.");
        workers.forEach(each -> out.sample(each.statistics().moved(), "worker", number(each)));
        out.counter("guidepost_worker_turns", "Turns of a worker through its duties.");
        workers.forEach(each -> out.sample(each.statistics().turns(), "worker", number(each)));
        out.counter("guidepost_worker_sleeps", "Times that a worker slept until something came.");
        workers.forEach(each -> out.sample(each.statistics().sleeps(), "worker", number(each)));
        out.counter("guidepost_worker_naps", "Times that a worker slept through arrivals to find several at once.");
        workers.forEach(each -> out.sample(each.statistics().naps(), "worker", number(each)));
        out.counter("guidepost_worker_faults", "Errors that escaped a duty; the worker went on.");
        workers.forEach(each -> out.sample(each.statistics().faults(), "worker", number(each)));
        out.histogram("guidepost_worker_service_seconds", "How long turns took that moved something.");
        workers.forEach(
                each -> out.doubling(buckets(each.statistics().serviceNanos()), 1e-9, "worker", number(each)));
    }

    private interface Row {
        void write(String[] labels, QueueStatistics statistics);
    }

    private void queues(Row row) {
        for (Port port : ports) {
            for (int i = 0; i < port.queues(); i++) {
                String queue = Integer.toString(i);
                row.write(labels(port, queue, "in"), port.rx(i).statistics());
                row.write(labels(port, queue, "out"), port.tx(i).statistics());
            }
        }
    }

    private static String[] labels(Port port, String queue, String direction) {
        return new String[] {"port", port.name(), "queue", queue, "direction", direction};
    }

    private static String[] with(String[] labels, String name, String value) {
        String[] more = java.util.Arrays.copyOf(labels, labels.length + 2);
        more[labels.length] = name;
        more[labels.length + 1] = value;
        return more;
    }

    private static long[] buckets(Histogram histogram) {
        long[] buckets = new long[Histogram.BUCKETS];
        for (int i = 0; i < buckets.length; i++) {
            buckets[i] = histogram.count(i);
        }
        return buckets;
    }

    private String number(Worker worker) {
        return Integer.toString(workers.indexOf(worker));
    }
}
