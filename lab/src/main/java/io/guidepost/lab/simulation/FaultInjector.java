package io.guidepost.lab.simulation;

import io.guidepost.gnrs.peer.ReplicationSettings;
import io.guidepost.gnrs.placement.Placement;
import io.guidepost.lab.events.EventScheduler;
import io.guidepost.names.Guid;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.IntStream;

/** Fault injection: injects faults into a deployment, one after another, and in the end undoes all of them. */
final class FaultInjector {
    private static final long MILLI = EventScheduler.NANOS_PER_MILLI;

    private final Cluster cluster;
    private final EventScheduler world;
    private final SimulationScenario scenario;
    private final SplittableRandom random;
    private final List<FaultKind> kinds;
    private final Map<FaultKind, Integer> counts = new EnumMap<>(FaultKind.class);
    private final Set<Integer> disksLost = new HashSet<>();
    private boolean over;
    private int changing;

    FaultInjector(Cluster cluster) {
        this.cluster = cluster;
        this.world = cluster.world();
        this.scenario = cluster.scenario();
        this.random = world.random();
        this.kinds = List.copyOf(new java.util.TreeSet<>(scenario.faults()));
    }

    /** Returns the number of faults of each kind. */
    Map<FaultKind, Integer> counts() {
        return counts;
    }

    /** Returns whether a disk was lost. */
    boolean disksLost() {
        return !disksLost.isEmpty();
    }

    void start() {
        calmWeather();
        later();
    }

    private void calmWeather() {
        cluster.network().weather(scenario.loss(), scenario.doubled(), scenario.overtaken());
    }

    private void later() {
        if (!kinds.isEmpty()) {
            world.afterMillis(random.nextLong(2 * scenario.pauseMillis()), this::next);
        }
    }

    private void next() {
        if (over) {
            return;
        }
        FaultKind kind = kinds.get(random.nextInt(kinds.size()));
        if (happen(kind)) {
            counts.merge(kind, 1, Integer::sum);
        }
        later();
    }

    private int victim() {
        return random.nextInt(5) == 0 ? cluster.anyServer(random) : cluster.workload().concerned(random);
    }

    /** Runs an action after a delay, unless the faults have ended by then. */
    private void then(long millis, Runnable action) {
        world.afterMillis(millis, () -> {
            if (!over) {
                action.run();
            }
        });
    }

    private boolean happen(FaultKind kind) {
        return switch (kind) {
            case CRASH -> crash(victim(), false);
            case DISK_LOST -> crash(victim(), true);
            case PARTITION -> partition();
            case ONE_WAY_CUT -> oneWayCut(victim());
            case CLOCK_JUMP -> jump(victim());
            case DISK_FULL -> full(victim());
            case DISK_SLOW -> slow(victim());
            case LOSS -> {
                cluster.network().weather(random.nextDouble(0.1, 0.6), scenario.doubled(), scenario.overtaken());
                then(random.nextLong(500, 5000), this::calmWeather);
                yield true;
            }
            case DUPLICATES -> {
                cluster.network().weather(scenario.loss(), random.nextDouble(0.1, 0.6), random.nextDouble(0.1, 0.6));
                then(random.nextLong(500, 5000), this::calmWeather);
                yield true;
            }
            case TABLE_CHANGE -> changeTables();
        };
    }

    private boolean crash(int number, boolean diskToo) {
        SimulatedServer server = cluster.server(number);
        if (!server.up() || diskToo && !mayLose(number) || scenario.profile().fresh() && someAreDown()) {
            return false;
        }
        cluster.tell(() -> "server " + number + " crashes" + (diskToo ? ", its disk is lost" : ""));
        server.crash();
        if (diskToo) {
            disksLost.add(number);
            server.store().erase();
        }
        then(random.nextInt(4) == 0 ? random.nextLong(20_000) : random.nextLong(100, 4000), () -> restart(server));
        return true;
    }

    private boolean someAreDown() {
        return IntStream.range(0, cluster.size()).anyMatch(each -> !cluster.server(each).up());
    }

    private void restart(SimulatedServer server) {
        if (!server.up()) {
            cluster.tell(() -> "server " + server.number() + " restarts");
            server.restart();
        }
    }

    /** Returns whether every write that a quorum holds would still be on another disk. */
    private boolean mayLose(int number) {
        Set<Integer> lost = new HashSet<>(disksLost);
        lost.add(number);
        ReplicationSettings.Quorum quorum = scenario.settings().quorum();
        for (Guid each : cluster.workload().guids()) {
            // Former replicas count too: a copy may still be in flight from there.
            Set<Integer> servers = new HashSet<>();
            int needed = Integer.MAX_VALUE;
            for (Placement placement : cluster.tables().all()) {
                List<Integer> placed = cluster.placed(each, placement);
                servers.addAll(placed);
                needed = Math.min(needed, quorum.of(placed.size()));
            }
            servers.retainAll(lost);
            if (servers.size() >= needed) {
                return false;
            }
        }
        return true;
    }

    private boolean partition() {
        int groups = random.nextInt(2, 4);
        for (int i = 0; i < cluster.size(); i++) {
            cluster.network().group(i, random.nextInt(groups));
        }
        cluster.tell(() -> "a partition cuts the servers into " + groups + " groups");
        then(random.nextLong(500, 10_000), this::joinGroups);
        return true;
    }

    private void joinGroups() {
        cluster.tell(() -> "the partition heals");
        for (int i = 0; i < cluster.size(); i++) {
            cluster.network().group(i, 0);
        }
    }

    private boolean oneWayCut(int number) {
        boolean out = random.nextBoolean();
        if (out) {
            cluster.network().mute(number, true);
        } else {
            cluster.network().deaf(number, true);
        }
        cluster.tell(() -> "server " + number + (out ? " is not heard" : " does not hear"));
        then(random.nextLong(500, 10_000), () -> {
            cluster.tell(() -> "server " + number + " hears and is heard again");
            cluster.network().mute(number, false);
            cluster.network().deaf(number, false);
        });
        return true;
    }

    private boolean jump(int number) {
        long offset = random.nextBoolean()
                ? (random.nextBoolean() ? 1 : -1) * SimulationScenario.JUMP_MILLIS_MAX
                : random.nextLong(-SimulationScenario.JUMP_MILLIS_MAX, SimulationScenario.JUMP_MILLIS_MAX + 1);
        cluster.tell(() -> "the clock of server " + number + " is now " + offset + " ms off");
        cluster.server(number).jump(offset);
        return true;
    }

    private boolean full(int number) {
        cluster.tell(() -> "the disk of server " + number + " is full");
        cluster.server(number).store().full(true);
        then(random.nextLong(200, 8000), () -> {
            cluster.tell(() -> "the disk of server " + number + " has room again");
            cluster.server(number).store().full(false);
        });
        return true;
    }

    private boolean slow(int number) {
        cluster.tell(() -> "the disk of server " + number + " is slow");
        cluster.server(number).store().slow(random.nextLong(MILLI, 1500 * MILLI));
        then(random.nextLong(200, 8000), () -> cluster.server(number).store().slow(0));
        return true;
    }

    private boolean changeTables() {
        if (changing > 0) {
            return false;
        }
        List<Integer> those = new ArrayList<>();
        int count = random.nextInt(1, 4);
        for (int i = 0; i < count; i++) {
            int number = victim();
            if (!those.contains(number)) {
                those.add(number);
            }
        }
        cluster.tell(() -> "the ASes of servers " + those + " leave the tables, or come back to them");
        cluster.tables().change(those);
        cluster.epochEnds();
        long within = random.nextLong(1, 3000);
        for (int i = 0; i < cluster.size(); i++) {
            SimulatedServer server = cluster.server(i);
            if (server.running() != null) {
                changing++;
                world.afterMillis(random.nextLong(within), () -> {
                    server.reload();
                    changing--;
                });
            }
        }
        world.afterMillis(within, cluster::epochBegins);
        return true;
    }

    /** Ends all faults: every server runs and reaches every other, disks have room, and clocks are right again. */
    void heal() {
        over = true;
        cluster.tell(() -> "all faults end");
        cluster.network().heal();
        for (int i = 0; i < cluster.size(); i++) {
            SimulatedServer server = cluster.server(i);
            server.store().full(false);
            server.store().slow(0);
            server.jump(0);
            restart(server);
        }
    }
}
