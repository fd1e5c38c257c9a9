package io.guidepost.lab.simulation;

import io.guidepost.lab.events.EventScheduler;
import java.util.SplittableRandom;

/**
 * The simulated network. Hosts are points of a plane, with latency by distance and chance; datagrams may be lost,
 * duplicated, reordered, or cut off.
 */
final class SimulatedNetwork {
    /** Hosts from this number on are clients, which no cut affects. */
    static final int CLIENTS_FROM = 1 << 16;

    /** Extent of the plane, as the one-way latency from edge to edge. */
    private static final double EXTENT_MILLIS = 70;

    /** The most delay of a reordered or duplicated datagram. */
    static final int LATE_MILLIS_MAX = 1500;

    /** Takes the datagrams that arrive at a host. */
    @FunctionalInterface
    interface Receiver {
        void receive(Datagram datagram);
    }

    /**
     * One datagram.
     *
     * @param copy 0 for the original, above for duplicates
     */
    record Datagram(int fromHost, int fromPort, int toHost, int toPort, byte[] bytes, int copy) {}

    private final EventScheduler world;
    private final SplittableRandom random;
    private final Receiver receiver;
    private final InjectedDefects defects;
    private final int servers;
    private final double[] x;
    private final double[] y;
    private final int[] group;
    private final boolean[] mute;
    private final boolean[] deaf;
    private double loss;
    private double doubled;
    private double overtaken;
    private long sent;
    private long lost;

    SimulatedNetwork(EventScheduler world, int servers, InjectedDefects defects, Receiver receiver) {
        this.world = world;
        this.random = world.random();
        this.servers = servers;
        this.receiver = receiver;
        this.defects = defects;
        x = random.doubles(servers).toArray();
        y = random.doubles(servers).toArray();
        group = new int[servers];
        mute = new boolean[servers];
        deaf = new boolean[servers];
    }

    /** Sets the probabilities of loss, duplication and reordering. */
    void weather(double lossNow, double doubledNow, double overtakenNow) {
        loss = lossNow;
        doubled = doubledNow;
        overtaken = overtakenNow;
    }

    /** Puts a server into a group; only servers of one group can communicate. */
    void group(int server, int number) {
        group[server] = number;
    }

    /** Sets whether other servers receive none of a server's datagrams. */
    void mute(int server, boolean now) {
        mute[server] = now;
    }

    /** Sets whether a server receives no datagrams of other servers. */
    void deaf(int server, boolean now) {
        deaf[server] = now;
    }

    /** Ends all faults of the network. */
    void heal() {
        java.util.Arrays.fill(group, 0);
        java.util.Arrays.fill(mute, false);
        java.util.Arrays.fill(deaf, false);
        weather(0, 0, 0);
    }

    long sent() {
        return sent;
    }

    long lost() {
        return lost;
    }

    /** Sends a datagram: it arrives later, once, twice or never. */
    void send(int fromHost, int fromPort, int toHost, int toPort, byte[] bytes) {
        Datagram datagram = defects.tampering.of(new Datagram(fromHost, fromPort, toHost, toPort, bytes, 0));
        if (datagram == null) {
            return;
        }
        sent++;
        if (random.nextDouble() < loss) {
            lost++;
        } else {
            deliver(datagram, 0);
        }
        if (doubled > 0 && random.nextDouble() < doubled) {
            deliver(
                    new Datagram(fromHost, fromPort, toHost, toPort, datagram.bytes(), 1),
                    random.nextInt(LATE_MILLIS_MAX));
        }
    }

    private void deliver(Datagram datagram, int lateMillis) {
        double way = 0.2 + EXTENT_MILLIS * distance(datagram.fromHost(), datagram.toHost());
        double late = way * 0.1 * -Math.log(1 - random.nextDouble()) + lateMillis;
        if (overtaken > 0 && random.nextDouble() < overtaken) {
            late += random.nextInt(random.nextInt(1, LATE_MILLIS_MAX));
        }
        world.after((long) ((way + late) * EventScheduler.NANOS_PER_MILLI), () -> arrive(datagram));
    }

    /** Returns the distance of two hosts; a client is at the server that it asks. */
    private double distance(int from, int to) {
        if (from >= servers || to >= servers) {
            return 0.01;
        }
        return Math.hypot(x[from] - x[to], y[from] - y[to]);
    }

    private void arrive(Datagram datagram) {
        if (cut(datagram.fromHost(), datagram.toHost())) {
            lost++;
        } else {
            receiver.receive(datagram);
        }
    }

    private boolean cut(int from, int to) {
        return from < servers && to < servers && (group[from] != group[to] || mute[from] || deaf[to]);
    }
}
