package io.guidepost.lab.simulation;

import io.guidepost.base.Addresses;
import io.guidepost.gnrs.GnrsDoor;
import io.guidepost.gnrs.GnrsSettings;
import io.guidepost.gnrs.antientropy.AntiEntropy;
import io.guidepost.gnrs.peer.PeerDescriptor;
import io.guidepost.gnrs.peer.PeerTable;
import io.guidepost.gnrs.placement.LivePlacement;
import io.guidepost.gnrs.relay.Relay;
import io.guidepost.gnrs.relay.RelayGroup;
import io.guidepost.gnrs.replica.Deployment;
import io.guidepost.lab.events.EventScheduler;
import io.guidepost.names.Door;
import io.guidepost.names.Exchange;
import io.guidepost.store.HybridClock;
import io.guidepost.store.RecordStore;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/**
 * One server of a simulated deployment: a disk and a clock, and while it runs the parts of a real one. It starts on
 * first use, so that idle servers cost nothing.
 */
final class SimulatedServer {
    /** The most answers of one turn: more means a door that does not end. */
    private static final int TURN_MAX = 100_000;

    private final Cluster cluster;
    private final EventScheduler world;
    private final int number;
    private final SplittableRandom random;
    private final SimulatedStore store;
    private long wallOffsetMillis;
    private boolean up = true;
    private int life;
    private @Nullable Running running;

    SimulatedServer(Cluster cluster, int number) {
        this.cluster = cluster;
        this.world = cluster.world();
        this.number = number;
        this.random = world.random();
        this.wallOffsetMillis = cluster.scenario().skewMillis(random);
        this.store = new SimulatedStore(world, world.random(), this::wallMillis, cluster.defects());
    }

    int number() {
        return number;
    }

    SimulatedStore store() {
        return store;
    }

    boolean up() {
        return up;
    }

    /** Returns the number of its starts. */
    int life() {
        return life;
    }

    /** Returns the time of its clock, milliseconds since 1970. */
    long wallMillis() {
        return cluster.wallMillis() + wallOffsetMillis;
    }

    /** Moves its clock. */
    void jump(long offsetMillis) {
        wallOffsetMillis = offsetMillis;
    }

    /** Returns its process; null if it was never started or is down. */
    @Nullable Running running() {
        return running;
    }

    /** Returns its state as it reports it, as text. */
    String said() {
        Running now = running;
        AntiEntropy catchUp = now == null ? null : now.catchUp;
        return catchUp == null ? "no anti-entropy is running" : catchUp.progress().toString();
    }

    /** Kills the process. */
    void crash() {
        up = false;
        ended();
        running = null;
        life++;
        store.crash();
    }

    /** Reports what its process reached, when that ends. */
    void ended() {
        Running last = running;
        if (last != null) {
            cluster.watch().ended(last);
        }
    }

    /** Restarts the process; it begins work at once if its disk is not empty, or it may have missed writes that matter. */
    void restart() {
        up = true;
        if (!store.isEmpty() || cluster.scenario().profile().fresh()) {
            start().startCatchUp();
        }
    }

    /** Ensures that it runs. */
    Running start() {
        Running now = running;
        if (now == null) {
            now = new Running();
            running = now;
            now.parts.getFirst().turn();
        }
        return now;
    }

    /** Puts tables in force if it runs; else it reads them when it starts. */
    void reload() {
        Running now = running;
        if (now != null) {
            now.placement.publish(cluster.tables().of(number));
            List.copyOf(now.parts).forEach(Part::turn);
        }
    }

    void receive(SimulatedNetwork.Datagram datagram) {
        if (!up) {
            return;
        }
        Running now = start();
        if (MessageCounts.writes(datagram.bytes())) {
            now.startCatchUp();
        }
        Part addressed = datagram.toPort() == SimulatedAddresses.GNRS_PORT ? now.parts.getFirst() : now.parts.getLast();
        addressed.turn(datagram);
    }

    /** The process, and all state that dies with it. */
    final class Running {
        final LivePlacement placement = new LivePlacement(cluster.tables().of(number));
        final Deployment deployment;
        final Relay relay;
        final GnrsDoor door;
        @Nullable AntiEntropy catchUp;

        /** Look-ups of clients that it has taken and not answered. */
        int lookupsWaiting;

        /** Writes of clients that it has taken and not answered. */
        int writesWaiting;

        final List<Part> parts = new ArrayList<>();

        Running() {
            Set<java.net.InetSocketAddress> own = Set.of(SimulatedAddresses.server(number));
            PeerTable peers = new PeerTable(own, PeerDescriptor.Kind.GUIDEPOST);
            peers.update(List.of(), cluster.servers(), PeerDescriptor.Kind.GUIDEPOST);
            HybridClock clock = new HybridClock();
            SimulationScenario scenario = cluster.scenario();
            deployment = new Deployment(
                    cluster.defects().settings.apply(scenario.settings()),
                    cluster.defects().bounds.apply(scenario.profile().bounds()),
                    this::doorSettings,
                    peers,
                    placement,
                    store,
                    clock,
                    1,
                    world::nanos,
                    random::split);
            Waker waker = new Waker();
            relay = new RelayGroup(deployment).open(waker);
            door = new GnrsDoor(
                    this::doorSettings,
                    placement.placer(),
                    store,
                    waker,
                    task -> world.after(EventScheduler.NANOS_PER_MILLI, task),
                    world::nanos,
                    random.nextLong(),
                    cluster.defects().gateway.apply(relay));
            Part main = new Part(this, door, SimulatedAddresses.GNRS_PORT);
            waker.part = main;
            parts.add(main);
            RecordStore.Observer observer = deployment.observer();
            store.open((sequence, key, before, after) -> {
                observer.changed(sequence, key, before, after);
                // The first record wakes it; not at once, because a commit group is being completed.
                world.after(0, this::startIfRunning);
            });
        }

        private GnrsSettings doorSettings() {
            return cluster.defects().door.apply(cluster.scenario().doorSettings());
        }

        /** Counts a request of a client that is taken, or the answer to one. */
        private void waiting(byte[] message, int more) {
            int type = MessageCounts.type(message);
            lookupsWaiting += type == MessageCounts.LOOKUP ? more : 0;
            writesWaiting += type == MessageCounts.INSERT || type == MessageCounts.UPDATE ? more : 0;
        }

        private void startIfRunning() {
            if (running == this) {
                startCatchUp();
            }
        }

        /**
         * Starts anti-entropy when there is something to keep in line. A server without records that got no write or
         * comparison has nothing to compare.
         */
        void startCatchUp() {
            if (catchUp == null) {
                Waker waker = new Waker();
                AntiEntropy started = new AntiEntropy(deployment, waker);
                catchUp = started;
                Part part = new Part(this, started, SimulatedAddresses.CATCH_UP_PORT);
                waker.part = part;
                parts.add(part);
                part.turn();
            }
        }
    }

    /** Schedules a turn of a part soon; in a real server other threads do it. */
    private final class Waker implements Runnable {
        private @Nullable Part part;
        private boolean awake;

        @Override
        public void run() {
            Part sleeping = part;
            if (!awake && sleeping != null) {
                awake = true;
                world.after(EventScheduler.NANOS_PER_MILLI / 50, () -> {
                    awake = false;
                    sleeping.turnIfRunning();
                });
            }
        }
    }

    /** A door, its port, and the time of its next turn. */
    final class Part {
        private final Running home;
        private final Door door;
        private final int port;
        private final Exchange exchange = new Exchange();
        private long restUntil = Long.MAX_VALUE;

        Part(Running home, Door door, int port) {
            this.home = home;
            this.door = door;
            this.port = port;
            exchange.local(Addresses.IPV4_HIGH, SimulatedAddresses.low(number), port);
        }

        private void turnIfRunning() {
            if (running == home) {
                turn();
            }
        }

        /** Runs a turn without a datagram. */
        void turn() {
            door.begin(wallMillis());
            finish();
        }

        /** Runs a turn with one datagram. */
        void turn(SimulatedNetwork.Datagram datagram) {
            door.begin(wallMillis());
            MemorySegment question = MemorySegment.ofArray(datagram.bytes());
            exchange.request(question, 0, datagram.bytes().length, wallMillis());
            exchange.peer(Addresses.IPV4_HIGH, SimulatedAddresses.low(datagram.fromHost()), datagram.fromPort());
            exchange.room(cluster.room(), 0, (int) cluster.room().byteSize());
            if (datagram.fromHost() >= SimulatedNetwork.CLIENTS_FROM) {
                home.waiting(datagram.bytes(), 1);
            }
            door.take(exchange);
            send();
            finish();
        }

        private void finish() {
            int given = 0;
            exchange.room(cluster.room(), 0, (int) cluster.room().byteSize());
            while (door.next(exchange)) {
                send();
                exchange.room(cluster.room(), 0, (int) cluster.room().byteSize());
                if (++given > TURN_MAX) {
                    throw new Violation(null, "server " + number + " gave " + TURN_MAX + " datagrams in one turn");
                }
            }
            door.end();
            cluster.watch().check(SimulatedServer.this, home);
            rest(door.restNanos());
        }

        private void send() {
            int length = exchange.responseLength();
            if (length == 0) {
                return;
            }
            int to = SimulatedAddresses.host(exchange.peerHigh(), exchange.peerLow());
            if (to < 0) {
                throw new Violation(null, "server " + number + " sent a datagram to an address that no host has");
            }
            byte[] bytes = cluster.room().asSlice(0, length).toArray(ValueLayout.JAVA_BYTE);
            if (to >= SimulatedNetwork.CLIENTS_FROM) {
                home.waiting(bytes, -1);
            }
            cluster.sent(port, to, bytes);
            cluster.network().send(number, port, to, exchange.peerPort(), bytes);
        }

        /** Schedules the next turn. */
        private void rest(long nanos) {
            if (nanos == Long.MAX_VALUE) {
                return;
            }
            // A real worker too needs some microseconds from one turn to the next.
            long until = world.nanos() + Math.max(nanos, EventScheduler.NANOS_PER_MILLI / 20);
            if (until < 0 || restUntil > world.nanos() && restUntil <= until) {
                return;
            }
            restUntil = until;
            world.at(until, () -> {
                if (restUntil == until) {
                    restUntil = Long.MAX_VALUE;
                    turnIfRunning();
                }
            });
        }
    }
}
