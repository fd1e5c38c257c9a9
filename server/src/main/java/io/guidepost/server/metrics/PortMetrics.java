package io.guidepost.server.metrics;

import io.guidepost.packet.Drop;
import io.guidepost.packet.Port;
import io.guidepost.packet.QueueStatistics;
import io.guidepost.packet.admission.FloodSockets;
import io.guidepost.packet.admission.PortAdmission;
import io.guidepost.packet.ip.HostPort;
import io.guidepost.packet.worker.Worker;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.ToLongFunction;

/** Writes what ports, their queues, their devices and the workers count. Of a host, the port of frames below it too. */
public final class PortMetrics {
    private static final long BITS_IN_MEGABIT = 1_000_000;

    private final List<Port> ports = new ArrayList<>();
    private final List<Worker> workers;
    private final List<PortAdmission> admissions;

    public PortMetrics(List<Port> ports, List<Worker> workers, List<PortAdmission> admissions) {
        this.workers = workers;
        this.admissions = admissions;
        for (Port port : ports) {
            this.ports.add(port);
            if (port instanceof HostPort host) {
                this.ports.add(host.frames());
                host.exception().ifPresent(this.ports::add);
            }
        }
    }

    public void write(Exposition out) {
        out.counter("guidepost_port_packets", "Datagrams, or frames of a network device, received and sent.");
        queues((labels, statistics) -> out.sample(statistics.packets(), labels));
        out.counter("guidepost_port_bytes", "Bytes of those, without headers below them.");
        queues((labels, statistics) -> out.sample(statistics.bytes(), labels));
        out.counter("guidepost_port_calls", "Calls of the back end, with datagrams or without.");
        queues((labels, statistics) -> out.sample(statistics.calls(), labels));
        out.counter("guidepost_port_trains", "Groups of datagrams that the kernel handled as one.");
        queues((labels, statistics) -> out.sample(statistics.aggregates(), labels));
        out.counter("guidepost_port_drops", "Datagrams or frames dropped, by reason.");
        queues((labels, statistics) -> {
            for (Drop reason : Drop.values()) {
                out.sample(statistics.drops(reason), with(labels, "reason", Exposition.name(reason)));
            }
        });
        out.counter("guidepost_port_deferred", "Datagrams that waited for a later turn behind those of less busy sources.");
        queues((labels, statistics) -> out.sample(statistics.deferred(), labels));
        out.histogram("guidepost_port_burst_size", "Datagrams or frames that came or went at once.");
        queues((labels, statistics) -> out.doubling(statistics.burstSizes().counts(), 1, labels));
        devices(out);
        floodSockets(out);
        out.counter("guidepost_worker_moved", "Datagrams and other pieces of work that a worker moved.");
        workers.forEach(each -> out.sample(each.statistics().moved(), "worker", number(each)));
        out.counter("guidepost_worker_turns", "Turns of a worker through its duties.");
        workers.forEach(each -> out.sample(each.statistics().turns(), "worker", number(each)));
        out.counter("guidepost_worker_sleeps", "Times that a worker slept until something came.");
        workers.forEach(each -> out.sample(each.statistics().sleeps(), "worker", number(each)));
        out.counter("guidepost_worker_naps", "Times that a worker slept through arrivals to find several at once.");
        workers.forEach(each -> out.sample(each.statistics().coalescingSleeps(), "worker", number(each)));
        out.counter("guidepost_worker_faults", "Errors that escaped a duty; the worker went on.");
        workers.forEach(each -> out.sample(each.statistics().faults(), "worker", number(each)));
        out.gauge("guidepost_worker_real_time", "1 while a worker goes before all other threads of its processor.");
        workers.forEach(each -> out.sample(each.statistics().isRealTime() ? 1 : 0, "worker", number(each)));
        out.counter("guidepost_worker_real_time_ends", "Times that a worker left real time, as it hardly slept or was stuck.");
        workers.forEach(each -> out.sample(each.statistics().realTimeEnds(), "worker", number(each)));
        out.histogram("guidepost_worker_service_seconds", "How long turns took that moved something.");
        workers.forEach(
                each -> out.doubling(each.statistics().serviceNanos().counts(), 1e-9, "worker", number(each)));
    }

    private void devices(Exposition out) {
        out.gauge("guidepost_port_up", "1 if packets can pass: whether the link of a network device is up.");
        ports.forEach(each -> out.sample(each.link().up() ? 1 : 0, "port", each.name()));
        out.gauge("guidepost_port_link_bits_per_second", "Speed of the link, where the device tells it.");
        for (Port port : ports) {
            if (port.link().megabitsPerSecond() > 0) {
                out.sample(port.link().megabitsPerSecond() * BITS_IN_MEGABIT, "port", port.name());
            }
        }
        out.gauge("guidepost_port_memory_frames", "Frames of packet memory that no queue has, and that are in use or at hand.");
        for (Port port : ports) {
            port.framePool().ifPresent(pool -> {
                out.sample(pool.free(), "port", port.name(), "state", "free");
                out.sample(pool.frames() - pool.free(), "port", port.name(), "state", "used");
            });
        }
        out.counter("guidepost_device_counter", "What a device, a driver or a host at layer 2 counts, by its own names.");
        for (Port port : ports) {
            port.deviceCounters().forEach((name, value) -> out.sample(value, "port", port.name(), "name", name));
        }
    }

    private void floodSockets(Exposition out) {
        out.gauge("guidepost_port_flood_networks", "Networks whose datagrams a port receives in flood sockets, apart from the others.");
        each((port, sockets) -> out.sample(sockets.networks(), "port", port.name()));
        out.counter("guidepost_port_flood_networks_taken", "Times that a network began to be received apart.");
        each((port, sockets) -> out.sample(sockets.taken(), "port", port.name()));
        out.counter("guidepost_port_flood_networks_refused", "Times that one was not, because too many are or the kernel refused.");
        each((port, sockets) -> out.sample(sockets.refused(), "port", port.name()));
        out.counter("guidepost_port_flood_packets", "Datagrams received in flood sockets.");
        each((port, sockets) -> out.sample(sum(sockets, QueueStatistics::packets), "port", port.name()));
        out.counter("guidepost_port_flood_overflows", "Datagrams that the kernel dropped because a flood socket was full.");
        each((port, sockets) -> out.sample(sum(sockets, each -> each.drops(Drop.OVERFLOW)), "port", port.name()));
    }

    private void each(BiConsumer<Port, FloodSockets> action) {
        admissions.forEach(admission ->
                admission.floodSockets().ifPresent(sockets -> action.accept(admission.port(), sockets)));
    }

    private static long sum(FloodSockets sockets, ToLongFunction<QueueStatistics> count) {
        return sockets.received().stream().mapToLong(count).sum();
    }

    private void queues(BiConsumer<String[], QueueStatistics> row) {
        for (Port port : ports) {
            for (int i = 0; i < port.queues(); i++) {
                String queue = Integer.toString(i);
                row.accept(labels(port, queue, "in"), port.rx(i).statistics());
                row.accept(labels(port, queue, "out"), port.tx(i).statistics());
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

    private String number(Worker worker) {
        return Integer.toString(workers.indexOf(worker));
    }
}
