package io.guidepost.lab.simulation;

import io.guidepost.gnrs.client.GnrsRequest;
import io.guidepost.lab.events.EventScheduler;
import io.guidepost.names.Binding;
import io.guidepost.names.Guid;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;

/**
 * The workload of clients during the faults: they insert, update, delete and look up few names, so that operations
 * conflict. Some names are insert-only: for these more is guaranteed.
 */
final class SimulatedWorkload {
    /** One in this many names is insert-only. */
    private static final int INSERT_ONLY = 3;

    /** One in this many bindings expires while the clients work, or soon after. */
    private static final int ENDING = 12;

    static final long ENDING_MILLIS_MAX = 20_000;

    private final Cluster cluster;
    private final EventScheduler world;
    private final SplittableRandom random;
    private final List<Guid> guids = new ArrayList<>();
    private final List<Integer> favourites = new ArrayList<>();
    private final Map<Guid, List<Integer>> used = new HashMap<>();
    private final Map<Integer, Long> ends = new HashMap<>();
    private final long pauseMillis;
    private final long untilNanos;
    private int left;
    private int busy;
    private int places;

    SimulatedWorkload(Cluster cluster, int operations) {
        this.cluster = cluster;
        this.world = cluster.world();
        this.random = world.random();
        SimulationScenario scenario = cluster.scenario();
        for (int i = 0; i < scenario.guids(); i++) {
            guids.add(new Guid(random.nextLong(), random.nextLong(), random.nextInt()));
        }
        for (int i = 0; i < 8; i++) {
            favourites.add(random.nextInt(cluster.size()));
        }
        left = operations;
        pauseMillis = Math.max(1, scenario.troubleMillis() * scenario.clients() / Math.max(1, operations));
        untilNanos = scenario.troubleMillis() * EventScheduler.NANOS_PER_MILLI;
    }

    List<Guid> guids() {
        return guids;
    }

    /** Returns whether a name is insert-only. */
    boolean insertOnly(Guid guid) {
        return guids.indexOf(guid) % INSERT_ONLY == 0;
    }

    /** Returns the expiry of a place that was bound for a time, milliseconds since 1970; 0 if it has none. */
    long endMillis(int place) {
        return ends.getOrDefault(place, 0L);
    }

    /** Returns the number of clients that wait for responses. */
    int busy() {
        return busy;
    }

    void start(List<SimulatedClient> clients) {
        clients.forEach(this::later);
    }

    private void later(SimulatedClient client) {
        world.afterMillis(random.nextLong(2 * pauseMillis), () -> next(client));
    }

    private void next(SimulatedClient client) {
        if (left == 0 || world.nanos() > untilNanos) {
            return;
        }
        left--;
        busy++;
        Guid guid = guids.get(random.nextInt(guids.size()));
        boolean insertOnly = insertOnly(guid);
        int drawn = random.nextInt(100);
        GnrsRequest.Kind kind = drawn < 40
                ? GnrsRequest.Kind.LOOKUP
                : drawn < 75 || insertOnly ? GnrsRequest.Kind.INSERT : GnrsRequest.Kind.UPDATE;
        List<Binding> bindings = kind == GnrsRequest.Kind.LOOKUP || drawn >= 90 && !insertOnly
                ? List.of()
                : bindings(guid, random.nextInt(8) == 0 ? 3 : 1);
        client.ask(kind, guid, bindings, server(guid), last -> {
            busy--;
            later(client);
        });
    }

    /** Draws bindings: mostly new places, now and then an earlier one. */
    private List<Binding> bindings(Guid guid, int count) {
        List<Integer> known = used.computeIfAbsent(guid, none -> new ArrayList<>());
        List<Integer> numbers = new ArrayList<>();
        boolean ending = random.nextInt(ENDING) == 0;
        for (int i = 0; i < count; i++) {
            int number = known.isEmpty() || ending || random.nextInt(5) > 0
                    ? ++places
                    : known.get(random.nextInt(known.size()));
            if (!numbers.contains(number)) {
                numbers.add(number);
            }
        }
        long ttlMillis = cluster.scenario().profile().ttlMillis(random.nextInt(3) * 400L);
        if (!ending) {
            numbers.stream().filter(each -> !known.contains(each)).forEach(known::add);
            return SimulatedClient.bindings(numbers, ttlMillis, 0);
        }
        long endMillis = cluster.wallMillis() + random.nextLong(1, ENDING_MILLIS_MAX);
        numbers.forEach(each -> ends.put(each, endMillis));
        return SimulatedClient.bindings(numbers, ttlMillis, endMillis);
    }

    private int server(Guid guid) {
        int drawn = random.nextInt(30);
        if (drawn < 18) {
            return favourites.get(random.nextInt(favourites.size()));
        }
        List<Integer> placed = cluster.placed(guid);
        return drawn < 29 ? placed.get(random.nextInt(placed.size())) : cluster.anyServer(random);
    }

    /** Returns a server that matters: one that a client asks often, or that keeps one of the names. */
    int concerned(SplittableRandom drawing) {
        if (drawing.nextInt(3) == 0) {
            return favourites.get(drawing.nextInt(favourites.size()));
        }
        List<Integer> placed = cluster.placed(guids.get(drawing.nextInt(guids.size())));
        return placed.get(drawing.nextInt(placed.size()));
    }
}
