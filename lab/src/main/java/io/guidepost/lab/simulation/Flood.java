package io.guidepost.lab.simulation;

import io.guidepost.gnrs.wire.GnrsMessage;
import io.guidepost.gnrs.wire.GnrsOption;
import io.guidepost.lab.events.EventScheduler;
import io.guidepost.names.Guid;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/**
 * Floods of requests that reach the bounds of servers: look-ups of many names at several servers, then writes of all of
 * them at one, or many writes of one name. Their names are their own, so that what clients did stays known; replicas of them
 * must become alike as any others.
 */
final class Flood {
    /** The first host that floods, each in a network of its own; they ignore all answers. */
    private static final int HOSTS_FROM = SimulatedNetwork.CLIENTS_FROM + 40_000;

    private static final int NETWORKS = 8;
    private static final int NETWORK_HOSTS = 256;

    private static final int PORT = 4001;
    private static final int NAMES = 96;
    private static final int BURST_NAMES = 48;
    private static final int BURST_SERVERS = 4;

    /** The first number of a place that it binds, and how many there are: more than a name may have. */
    private static final int PLACES_FROM = 1 << 24;

    private static final int PLACES = 32;

    private static final int PAUSE_MILLIS_MAX = 2500;

    /** When the writes come: together with the look-ups, or when those are answered, and cached. */
    private static final int WRITES_AFTER_MILLIS = 500;

    private static final int WRITTEN_AT = 2;

    private final Cluster cluster;
    private final EventScheduler world;
    private final SplittableRandom random;
    private final List<Guid> names = new ArrayList<>();
    private final List<Integer> servers = new ArrayList<>();
    private boolean over;
    private int id;

    /** Creates the floods of a run; none come if its profile has none. */
    Flood(Cluster cluster, SplittableRandom random) {
        this.cluster = cluster;
        this.world = cluster.world();
        this.random = random;
        if (!cluster.scenario().profile().floods()) {
            over = true;
            return;
        }
        for (int i = 0; i < NAMES; i++) {
            names.add(new Guid(random.nextLong(), random.nextLong(), random.nextInt()));
        }
        for (int i = 0; i < BURST_SERVERS; i++) {
            servers.add(cluster.anyServer(random));
        }
    }

    List<Guid> names() {
        return names;
    }

    void start() {
        if (!over) {
            later();
        }
    }

    private void later() {
        world.afterMillis(random.nextInt(1, PAUSE_MILLIS_MAX), this::burst);
    }

    void end() {
        over = true;
    }

    private void burst() {
        if (over) {
            return;
        }
        int first = random.nextInt(names.size());
        int networks = random.nextInt(3) == 0 ? 1 : NETWORKS;
        for (int i = 0; i < BURST_NAMES; i++) {
            Guid name = names.get((first + i) % names.size());
            int from = host(i, networks);
            servers.forEach(
                    server -> send(from, server, new GnrsMessage.Lookup(id++, GnrsMessage.noOrigin(), name, options())));
        }
        int after = random.nextBoolean() ? 0 : WRITES_AFTER_MILLIS;
        world.afterMillis(after, () -> write(first, networks));
        later();
    }

    private void write(int first, int networks) {
        if (over) {
            return;
        }
        boolean one = random.nextInt(3) == 0;
        for (int i = 0; i < BURST_NAMES; i++) {
            Guid name = names.get(one ? first : (first + i) % names.size());
            GnrsMessage message = GnrsMessage.Insert.of(
                    id++,
                    GnrsMessage.noOrigin(),
                    name,
                    SimulatedClient.bindings(List.of(PLACES_FROM + random.nextInt(PLACES)), 0, 0),
                    options().toArray(GnrsOption[]::new));
            int from = host(i, networks);
            servers.subList(0, WRITTEN_AT).forEach(server -> send(from, server, message));
        }
    }

    private static int host(int request, int networks) {
        return HOSTS_FROM + request % networks * NETWORK_HOSTS;
    }

    /** Returns whether a host floods. */
    static boolean isHost(int host) {
        return host >= HOSTS_FROM;
    }

    private static List<GnrsOption> options() {
        return List.of(GnrsOption.recursion(true), GnrsOption.accept(0xffff));
    }

    private void send(int from, int server, GnrsMessage message) {
        cluster.network().send(from, PORT, server, SimulatedAddresses.GNRS_PORT, message.write());
    }
}
