package io.guidepost.lab.scaffold;

import io.guidepost.base.Addresses;
import io.guidepost.lab.events.EventScheduler;
import io.guidepost.scaffold.flow.LocalService;
import io.guidepost.scaffold.key.HostKey;
import io.guidepost.scaffold.key.ObjectKey;
import io.guidepost.scaffold.metrics.FlowCount;
import io.guidepost.scaffold.metrics.MachineLoad;
import io.guidepost.scaffold.wire.HostLocator;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * One seed: clients with two links, servers, an object router, trouble, and what was promised. A client reads a prefix of what
 * one honest server would have sent, or is reset; in the end no connection hangs.
 */
public final class ScaffoldRun {
    private static final int SERVERS = 3;
    private static final int CLIENTS = 2;
    private static final long LABELS = 0xfd00_0000_0000_0000L;

    /** For how long trouble is made, and how long after it a connection may take, in milliseconds. */
    private static final int FAULTS_MILLIS = 4_000;

    private static final int REST_MILLIS = 60_000;

    /** What goes wrong. */
    public enum InjectedFault {
        /** A program is killed, and started again later. */
        KILL,
        /** A worker is killed under a master that listens. */
        WORKER,
        /** An instance is drained. */
        DRAIN,
        /** A host says nothing for a while. */
        SILENT,
        /** A link goes down, and its host is told. */
        LINK,
        /** A way is cut, in one direction or both, and no host is told. */
        CUT,
        /** A host gets another address. */
        MOVE,
        /** The object router is down, and forgets. */
        ROUTER,
        /** An attacker who knows all flows, hosts and addresses, and no key, fails, resets and moves them. */
        FORGERY,
        /** The network loses, doubles and reorders. */
        NETWORK,
        /** A gateway is killed, and started again with what it has left in its memory. */
        GATEWAY,
        /** What goes over a way of a host is lost in both directions, and no host is told: the router at its other end is silent. */
        BLACKHOLE,
        /** Networks and programs have both versions of IP, some one alone; labels to a place are lost for good, datagrams are not. */
        LABELS,
        /** Some hosts seal all; the gateways of one, or of all at once, take other keys of the hour. */
        KEYS
    }

    private final EventScheduler world;
    private final SplittableRandom random;
    private final List<String> faults = new ArrayList<>();
    private final SimulatedInternet internet;
    private final List<SimulatedHost> servers = new ArrayList<>();
    private final List<SimulatedHost> clients = new ArrayList<>();
    private final List<SimulatedPrograms.FileClient> connections = new ArrayList<>();
    private final Map<InjectedFault, Integer> made = new EnumMap<>(InjectedFault.class);
    private final ObjectKey object;
    /** Whether kernels agree to different options, and some servers have other files: not where no connection may end. */
    private boolean hostsDiffer;

    private SimulatedTcp.@Nullable Options tcpOptions;
    private int nextAddress = 0x0a00_0100;
    private boolean hasBothVersions;
    private boolean hostsSeal;

    private ScaffoldRun(long seed) {
        world = new EventScheduler(seed);
        random = world.random();
        internet = new SimulatedInternet(world);
        object = ObjectKey.generate(internet.keys);
    }

    /**
     * What came of a seed.
     *
     * @param outcomes how many connections ended how
     * @param failovers flows whose instance was lost, or taken for lost
     * @param faults promises that were broken
     */
    public record Result(
            long seed,
            Map<String, Integer> outcomes,
            Map<InjectedFault, Integer> troubles,
            int failovers,
            long datagrams,
            List<String> faults,
            List<String> notes) {}

    /** Plays a seed. */
    public static Result play(long seed, List<InjectedFault> troubles) {
        return new ScaffoldRun(seed).play(troubles).result(seed);
    }

    /** Returns a new address: most are of IPv6, with labels, where there are both versions. */
    private HostLocator address() {
        int next = nextAddress++;
        return hasBothVersions && random.nextInt(4) > 0
                ? new HostLocator(LABELS | (long) next << 16, 1, 5_500)
                : new HostLocator(0, Addresses.ipv4Low(next), 5_500);
    }

    private SimulatedHost host(String name, int ways) {
        List<HostLocator> own = new ArrayList<>();
        for (int i = 0; i < ways; i++) {
            own.add(address());
        }
        SimulatedTcp.Options options = hostsDiffer || tcpOptions == null ? options() : tcpOptions;
        tcpOptions = options;
        SimulatedHost host =
                new SimulatedHost(name, world, internet, own, HostKey.generate(internet.keys), options, hasBothVersions, faults);
        if (hostsSeal && random.nextBoolean()) {
            host.sealAll();
        }
        internet.add(host);
        return host;
    }

    private SimulatedTcp.Options options() {
        return new SimulatedTcp.Options(
                random.nextInt(3) == 0 ? 536 : 1_300,
                random.nextInt(4) == 0 ? -1 : 2 + random.nextInt(6),
                random.nextInt(3) > 0,
                random.nextInt(3) > 0,
                random.nextInt());
    }

    private ScaffoldRun play(List<InjectedFault> troubles) {
        hostsDiffer = troubles.contains(InjectedFault.KILL);
        hasBothVersions = troubles.contains(InjectedFault.LABELS);
        hostsSeal = troubles.contains(InjectedFault.KEYS);
        boolean ranges = random.nextBoolean();
        boolean tags = random.nextBoolean();
        for (int i = 0; i < SERVERS; i++) {
            SimulatedHost server = host("server " + i, 1 + random.nextInt(2));
            servers.add(server);
            LocalService service = new LocalService(
                    "web", object.delegate(server.key().guid(), SimulatedHost.EPOCH_MILLIS / 1_000 + 100_000), 6,
                    SimulatedHost.HTTP_PORT, true, 0, 1);
            boolean lies = random.nextInt(6) == 0 && hostsDiffer;
            String banner = "server " + "x".repeat(i);
            server.serve(service, new SimulatedPrograms.Manners(ranges && random.nextInt(5) > 0, tags, lies && i > 0, banner));
        }
        for (int i = 0; i < CLIENTS; i++) {
            clients.add(host("client " + i, 2));
        }
        world.playMillis(2_000);
        for (SimulatedHost each : clients) {
            each.resolve("web", found -> {
                if (found.address() == 0) {
                    faults.add("the name has no address in fair weather");
                } else {
                    beginAll(each, found.address());
                }
            });
        }
        world.playMillis(20);
        for (InjectedFault each : troubles) {
            int times = 1 + random.nextInt(2);
            for (int i = 0; i < times; i++) {
                world.afterMillis(20 + random.nextInt(FAULTS_MILLIS), () -> trouble(each));
            }
        }
        world.playMillis(FAULTS_MILLIS + 500);
        internet.mend();
        internet.weather(SimulatedInternet.NetworkConditions.FAIR);
        internet.router(true);
        world.playMillis(REST_MILLIS);
        check();
        return this;
    }

    private void beginAll(SimulatedHost client, int address) {
        for (int i = 0; i < 6; i++) {
            world.afterMillis(random.nextInt(FAULTS_MILLIS), () -> {
                int size = 1 + random.nextInt(random.nextBoolean() ? 2_000 : 400_000);
                connections.add(client.connect(address, size, 1 + random.nextInt(3)));
            });
        }
    }

    private void trouble(InjectedFault trouble) {
        made.merge(trouble, 1, Integer::sum);
        SimulatedHost server = servers.get(random.nextInt(SERVERS));
        List<SimulatedHost> all = new ArrayList<>(servers);
        all.addAll(clients);
        SimulatedHost any = all.get(random.nextInt(all.size()));
        int way = random.nextInt(any.ways.size());
        int millis = 100 + random.nextInt(1_500);
        switch (trouble) {
            case KILL -> {
                server.killProgram();
                world.afterMillis(millis, server::restartProgram);
            }
            case WORKER -> server.killWorker();
            case DRAIN -> server.drain();
            case SILENT -> {
                server.silent(true);
                world.afterMillis(millis, () -> server.silent(false));
            }
            case LINK -> {
                any.way(way, false);
                world.afterMillis(millis, () -> any.way(way, true));
            }
            case CUT -> {
                HostLocator from = any.ways.get(way);
                SimulatedHost other = all.get(random.nextInt(all.size()));
                HostLocator to = other.ways.get(random.nextInt(other.ways.size()));
                internet.cut(from, to, true);
                if (random.nextBoolean()) {
                    internet.cut(to, from, true);
                }
            }
            case BLACKHOLE -> {
                HostLocator lost = any.ways.get(way);
                internet.blackhole(lost, true);
                world.afterMillis(4L * millis, () -> internet.blackhole(lost, false));
            }
            case MOVE -> any.move(way, address());
            case ROUTER -> {
                internet.router(false);
                world.afterMillis(millis, () -> internet.router(true));
            }
            case GATEWAY -> {
                any.killGateway();
                world.afterMillis(millis, any::startGateway);
            }
            case KEYS -> all.forEach(each -> {
                if (each == any || millis < 800) {
                    each.changeKeys();
                }
            });
            case LABELS -> internet.loseLabels(any.ways.get(way));
            case FORGERY -> all.forEach(each -> internet.forge(each, random));
            case NETWORK -> internet.weather(new SimulatedInternet.NetworkConditions(
                    random.nextInt(50), random.nextInt(30), 50_000 + random.nextLong(2_000_000), random.nextLong(3_000_000)));
        }
    }

    private void check() {
        for (int i = 0; i < connections.size(); i++) {
            SimulatedPrograms.FileClient each = connections.get(i);
            switch (each.outcome()) {
                case WRONG -> faults.add("connection " + i + " got a byte that no honest server would have sent, at " + each.delivered());
                case GOING -> faults.add("connection " + i + " hangs at " + each.delivered() + " since "
                        + (world.nanos() - each.lastNanos()) / 1_000_000 + " ms");
                default -> {}
            }
        }
        for (SimulatedHost each : clients) {
            MachineLoad load = each.machine.load();
            if (load.flows() == 0 && load.keptBytes() != 0) {
                faults.add(each.name + " has no flow, and keeps " + load.keptBytes() + " bytes of flows");
            }
        }
    }

    /** Returns what the gateways have counted, and their flows. */
    private List<String> notes() {
        List<String> notes = new ArrayList<>();
        List<SimulatedHost> all = new ArrayList<>(servers);
        all.addAll(clients);
        for (SimulatedHost each : all) {
            StringBuilder line = new StringBuilder(each.name);
            for (FlowCount count : FlowCount.values()) {
                long times = each.machine.tally().counts().get(count);
                if (times > 0) {
                    line.append(' ').append(count.name().toLowerCase(Locale.ROOT)).append('=').append(times);
                }
            }
            notes.add(line.toString());
            each.machine.flows().forEach(flow -> notes.add("  " + flow));
            each.machine.failovers().forEach(failover -> notes.add("  " + failover));
        }
        return notes;
    }

    private Result result(long seed) {
        Map<String, Integer> outcomes = new TreeMap<>();
        connections.forEach(each -> outcomes.merge(each.outcome().name().toLowerCase(Locale.ROOT), 1, Integer::sum));
        int failovers = clients.stream().mapToInt(each -> each.machine.failovers().size()).sum();
        return new Result(seed, outcomes, made, failovers, internet.datagrams(), List.copyOf(faults), notes());
    }
}
