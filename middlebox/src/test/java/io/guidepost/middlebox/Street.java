package io.guidepost.middlebox;

import io.guidepost.packet.FramePool;
import io.guidepost.packet.FrameSettings;
import io.guidepost.packet.Namespaces;
import io.guidepost.packet.Port;
import io.guidepost.packet.backend.FramePortOpener;
import io.guidepost.packet.worker.DutyCycle;
import io.guidepost.packet.worker.Worker;
import io.guidepost.packet.worker.WorkerSettings;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntFunction;

/** For scenes in a network namespace: houses with kernels of their own, each at a port of the middlebox. */
final class Street implements AutoCloseable {
    private final FramePool pool = new FramePool(8192, 2048, FrameSettings.HEADROOM_BYTES);
    private final List<Namespaces.Peer> houses = new ArrayList<>();
    private final List<Port> ports = new ArrayList<>();
    private final List<Worker> workers = new ArrayList<>();
    private final String kind;
    private final String options;
    private final int queues;

    /** With packet sockets. */
    Street() {
        this("packet", "");
    }

    /** A street whose ports have so many queues, over which flows are spread. */
    Street(int queues) {
        this("packet", ",queues=" + queues, queues);
    }

    /** With ports of a kind, with options. */
    Street(String kind, String options) {
        this(kind, options, 1);
    }

    private Street(String kind, String options, int queues) {
        this.kind = kind;
        this.options = options;
        this.queues = queues;
    }

    /** Adds a house at the end of a veth pair of its own, with addresses and perhaps a default gateway. */
    Namespaces.Peer house(String gateway, String... addresses) throws IOException, InterruptedException {
        int number = houses.size();
        String here = "box" + number;
        Namespaces.shell("ip link add " + here + " type veth peer name eth0n" + number
                + "; sysctl -qw net.ipv6.conf." + here + ".disable_ipv6=1; ip link set " + here + " up");
        Namespaces.Peer house = new Namespaces.Peer();
        houses.add(house);
        house.take("eth0n" + number);
        StringBuilder line = new StringBuilder("ip link set lo up; ip link set eth0n" + number + " name eth0");
        for (String address : addresses) {
            line.append("; ip address add ").append(address).append(" dev eth0").append(address.contains(":") ? " nodad" : "");
        }
        line.append("; ip link set eth0 up");
        house.shell(line + (gateway.isEmpty() ? "" : "; ip route add default via " + gateway));
        ports.add(FramePortOpener.open(kind + ":" + here + options, pool));
        return house;
    }

    /** The packet memory of all ports. */
    FramePool pool() {
        return pool;
    }

    /** The port that a house is at. */
    Port port(int number) {
        return ports.get(number);
    }

    List<Port> ports() {
        return ports;
    }

    /** Starts a worker with the first queue of every port. */
    void start(DutyCycle... duties) throws InterruptedException {
        Worker worker = new Worker(WorkerSettings.of("box"));
        ports.forEach(port -> worker.watch(port.rx(0)));
        for (DutyCycle each : duties) {
            worker.add(each);
        }
        workers.add(worker.start());
    }

    /** Starts a worker for each queue. */
    void startAll(IntFunction<DutyCycle> duties) throws InterruptedException {
        for (int queue = 0; queue < queues; queue++) {
            Worker worker = new Worker(WorkerSettings.of("box-" + queue));
            for (Port port : ports) {
                worker.watch(port.rx(queue));
            }
            workers.add(worker.add(duties.apply(queue)).start());
        }
    }

    /** Packets that came by a queue, by all ports. */
    long received(int queue) {
        return ports.stream().mapToLong(each -> each.rx(queue).statistics().packets()).sum();
    }

    /** A command line that serves the files of a folder by HTTP. */
    static String webServer(String address, int port, String folder) {
        String program = Path.of(System.getProperty("java.home"), "bin", "jwebserver").toString();
        return program + " -b " + address + " -p " + port + " -d " + folder;
    }

    @Override
    public void close() {
        workers.forEach(Worker::close);
        ports.forEach(Port::close);
        houses.forEach(Namespaces.Peer::close);
    }
}
