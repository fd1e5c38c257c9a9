package io.guidepost.lab.simulation;

import io.guidepost.gnrs.client.GnrsRequest;
import io.guidepost.gnrs.placement.Placement;
import io.guidepost.lab.events.EventScheduler;
import io.guidepost.names.Guid;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.net.InetSocketAddress;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A deployment of simulated servers, its clients, and its faults, all in one thread and from one seed. Runs once:
 * clients work while faults are injected; then all faults end; when the replicas agree, or should, the invariants are
 * checked.
 */
public final class Cluster {
    private static final long EPOCH_MILLIS = 1_800_000_000_000L;

    /** The time after all faults within which replicas may differ: some rounds of comparing. */
    private static final long QUIET_MILLIS_MAX = 180_000;

    /** The interval at which replicas are compared. */
    private static final long LOOK_MILLIS = 2_000;

    /** The longest time that servers cache a record, see {@link SimulationScenario}. */
    private static final long REMEMBER_MILLIS = 3_000;

    /** The time after which servers that restarted have compared their records. */
    private static final long SETTLE_MILLIS = 20_000;

    /** The most events of one run: more means messages that multiply without end. */
    private static final long EVENTS_MAX = 5_000_000;

    /** Servers that are asked for each name in the end, besides those asked before, if not all are. */
    private static final int ASKED_MIN = 6;

    /** The longest datagram. */
    private static final int ROOM_BYTES = 65_507;

    private final long seed;
    private final ClusterOptions options;
    private final EventScheduler world;
    private final SimulationScenario scenario;
    private final SimulatedTables tables;
    private final SimulatedNetwork network;
    private final RequestHistory history = new RequestHistory();
    private final MessageCounts traffic;
    private final EventLog tale;
    private final List<InetSocketAddress> addresses;
    private final List<SimulatedServer> servers = new ArrayList<>();
    private final List<SimulatedClient> clients = new ArrayList<>();
    private final SimulatedWorkload workload;
    private final FaultInjector trouble;
    private final Flood flood;
    private final BoundWatch watch;
    private final InjectedDefects defects = new InjectedDefects();
    private final Invariants promises;
    private final MemorySegment room = Arena.ofAuto().allocate(ROOM_BYTES);
    private int operations;
    private int epoch;

    private Cluster(long seed, ClusterOptions options, Sabotage sabotage) {
        this.seed = seed;
        this.options = options;
        world = new EventScheduler(seed);
        scenario = SimulationScenario.draw(world.random(), options);
        tables = new SimulatedTables(world.random(), options.nodes(), scenario.replicas());
        network = new SimulatedNetwork(world, options.nodes(), defects, this::arrived);
        tale = new EventLog(world, options.trace());
        traffic = new MessageCounts();
        addresses = IntStream.range(0, options.nodes()).mapToObj(SimulatedAddresses::server).toList();
        for (int i = 0; i < options.nodes(); i++) {
            servers.add(new SimulatedServer(this, i));
        }
        for (int i = 0; i < scenario.clients(); i++) {
            clients.add(new SimulatedClient(this, SimulatedNetwork.CLIENTS_FROM + i));
        }
        workload = new SimulatedWorkload(this, options.operations());
        trouble = new FaultInjector(this);
        promises = new Invariants(this);
        flood = new Flood(this, new SplittableRandom(~seed));
        watch = new BoundWatch(scenario, options.nodes() == 1);
        sabotage.into(defects);
    }

    /** Injects a defect on purpose, to show that the checks find it. */
    @FunctionalInterface
    interface Sabotage {
        void into(InjectedDefects defects);
    }

    /** Runs one seed; every failure is in the result. */
    public static ClusterRun run(long seed, ClusterOptions options) {
        return run(seed, options, defects -> {});
    }

    static ClusterRun run(long seed, ClusterOptions options, Sabotage sabotage) {
        return new Cluster(seed, options, sabotage).play();
    }

    private ClusterRun play() {
        List<String> breaches = new ArrayList<>();
        try {
            work();
            quiet();
            answers();
        } catch (Violation e) {
            breaches.add(told(e.guid(), String.valueOf(e.getMessage()), e.getCause()));
        } catch (RuntimeException e) {
            breaches.add(told(null, "an exception came out of a server", e));
        }
        traffic(breaches);
        return result(breaches);
    }

    private void work() {
        trouble.start();
        workload.start(clients);
        flood.start();
        play(scenario.troubleMillis());
        trouble.heal();
        flood.end();
        if ((epoch & 1) != 0) {
            epochBegins();
        }
        while (workload.busy() > 0) {
            play(LOOK_MILLIS);
        }
        for (Guid guid : history.guids()) {
            for (ClientAttempt each : history.of(guid)) {
                fail(guid, each.write() ? null : promises.wrongly(each));
                fail(guid, each.write() ? null : promises.stale(each));
            }
        }
    }

    private void quiet() {
        for (Guid each : workload.guids()) {
            fail(each, promises.lost(each));
        }
        if (scenario.profile().repairs()) {
            play(SETTLE_MILLIS);
            ask(workload.guids(), last -> {});
        }
        long until = world.millis() + QUIET_MILLIS_MAX;
        // Agreement for a moment is not enough: messages in flight when the faults ended may still arrive.
        boolean alike = false;
        while (world.millis() < until && !alike) {
            play(alike() ? REMEMBER_MILLIS : LOOK_MILLIS);
            alike = alike();
        }
        play(REMEMBER_MILLIS);
        for (Guid each : workload.guids()) {
            fail(each, promises.wrong(each));
        }
        for (Guid each : flood.names()) {
            fail(each, promises.unsettled(each));
        }
    }

    private boolean alike() {
        return Stream.concat(workload.guids().stream(), flood.names().stream())
                .allMatch(each -> promises.unsettled(each) == null);
    }

    private void answers() {
        if (scenario.profile() == SimulationProfile.CALM) {
            play(SimulatedWorkload.ENDING_MILLIS_MAX);
        }
        SimulatedClient.Done right = last -> fail(last.guid, promises.wrongAnswer(last));
        ask(workload.guids(), right);
        long fetches = traffic.fetches();
        if (scenario.profile() == SimulationProfile.CALM) {
            ask(workload.guids().stream().filter(promises::bound).toList(), right);
            if (traffic.fetches() > fetches) {
                throw new Violation(
                        null, "servers asked each other " + (traffic.fetches() - fetches) + " times for what they had cached");
            }
        }
    }

    /** Checks the traffic between servers, whatever else was violated. */
    private void traffic(List<String> breaches) {
        double most = MessageCounts.perRequestMax(scenario, tables.all().size() > 1);
        if (traffic.perRequestMax() > most) {
            breaches.add(told(null, "servers sent each other " + traffic.perRequestMax()
                    + " requests for each request of a client, not " + most + " at most", null));
        }
    }

    private record LookupAt(Guid guid, int server) {}

    /** Looks names up at all servers, or at some, until all have answered. */
    private void ask(List<Guid> guids, SimulatedClient.Done check) {
        SplittableRandom random = world.random();
        Deque<LookupAt> questions = new ArrayDeque<>();
        for (Guid guid : guids) {
            for (SimulatedServer each : servers) {
                boolean some = placed(guid).contains(each.number()) || random.nextInt(size()) < ASKED_MIN;
                if (options.everywhere() || some) {
                    questions.add(new LookupAt(guid, each.number()));
                }
            }
        }
        int[] left = {questions.size()};
        clients.forEach(client -> ask(client, questions, last -> {
            left[0]--;
            check.done(last);
        }));
        while (left[0] > 0) {
            play(LOOK_MILLIS / 4);
        }
        play(LOOK_MILLIS);
    }

    private static void ask(SimulatedClient client, Deque<LookupAt> questions, SimulatedClient.Done check) {
        LookupAt next = questions.poll();
        if (next != null) {
            client.ask(GnrsRequest.Kind.LOOKUP, next.guid(), List.of(), next.server(), last -> {
                check.done(last);
                ask(client, questions, check);
            });
        }
    }

    private void play(long millis) {
        world.playMillis(millis);
        if (world.events() > EVENTS_MAX) {
            throw new Violation(null, "more than " + EVENTS_MAX + " events: messages multiply without end");
        }
    }

    private static void fail(Guid guid, @Nullable String what) {
        if (what != null) {
            throw new Violation(guid, what);
        }
    }

    /** Returns the report of a violation, with all that explains it. */
    private String told(@Nullable Guid guid, String what, @Nullable Throwable cause) {
        StringBuilder text = new StringBuilder();
        text.append("seed ").append(seed).append(" at ").append(world.millis()).append(" ms: ");
        text.append(guid == null ? "" : guid + ": ").append(what).append('\n');
        if (guid != null) {
            text.append("  kept by servers ").append(placed(guid)).append("; ").append(scenario).append('\n');
            history.lines(guid).forEach(each -> text.append("  ").append(each).append('\n'));
        }
        for (Throwable each = cause; each != null; each = each.getCause()) {
            text.append("  ").append(each).append('\n');
            for (StackTraceElement frame : each.getStackTrace()) {
                text.append("    at ").append(frame).append('\n');
            }
        }
        return text.toString();
    }

    private ClusterRun result(List<String> breaches) {
        servers.forEach(SimulatedServer::ended);
        int attempts = 0;
        int writes = 0;
        int acknowledged = 0;
        for (Guid guid : workload.guids()) {
            for (ClientAttempt each : history.of(guid)) {
                attempts++;
                writes += each.write() ? 1 : 0;
                acknowledged += each.write() && each.acknowledged() ? 1 : 0;
            }
        }
        return new ClusterRun(
                seed,
                attempts,
                writes,
                acknowledged,
                network.sent(),
                world.events(),
                traffic.perRequestMax(),
                promises.required(),
                promises.forbidden(),
                watch.reached(),
                trouble.counts(),
                world.millis(),
                world.digest(),
                breaches,
                tale.lines());
    }

    private void arrived(SimulatedNetwork.Datagram datagram) {
        world.note((long) datagram.fromHost() << 32 ^ datagram.toHost() ^ java.util.Arrays.hashCode(datagram.bytes()));
        int to = datagram.toHost();
        tale.arrived(datagram);
        if (to >= SimulatedNetwork.CLIENTS_FROM) {
            if (!Flood.isHost(to)) {
                clients.get(to - SimulatedNetwork.CLIENTS_FROM).receive(datagram);
            }
            return;
        }
        SimulatedServer server = servers.get(to);
        if (datagram.fromHost() >= SimulatedNetwork.CLIENTS_FROM && server.up()) {
            note(datagram, server);
        }
        server.receive(datagram);
    }

    /** Records a client's request that reached a server. */
    private void note(SimulatedNetwork.Datagram datagram, SimulatedServer server) {
        Guid flooded = Flood.isHost(datagram.fromHost()) ? MessageCounts.guid(datagram.bytes()) : null;
        if (flooded != null) {
            traffic.request(flooded);
            return;
        }
        ClientAttempt attempt = history.of(MessageCounts.id(datagram.bytes()));
        if (attempt != null) {
            attempt.repeated |= attempt.life >= 0 && attempt.life != server.life();
            attempt.life = server.life();
            attempt.arrivedNanos = world.nanos();
            traffic.request(attempt.guid);
        }
    }

    /** Sends a server's datagram. */
    void sent(int fromPort, int to, byte[] bytes) {
        if (fromPort == SimulatedAddresses.GNRS_PORT && to < SimulatedNetwork.CLIENTS_FROM) {
            traffic.question(bytes);
        }
    }

    /** Logs an event, if the log is on. */
    void tell(Supplier<String> what) {
        tale.tell(what);
    }

    /** Begins a change of the tables. */
    void epochEnds() {
        epoch |= 1;
    }

    /** Ends a change of the tables: all servers have them. */
    void epochBegins() {
        epoch = (epoch | 1) + 1;
    }

    /** Returns twice the number of table changes; odd during a change. */
    int epoch() {
        return epoch;
    }

    /** Returns the servers that keep a name by the tables in force. */
    List<Integer> placed(Guid guid) {
        return placed(guid, tables.placement());
    }

    /** Returns the servers that keep a name by the given tables. */
    List<Integer> placed(Guid guid, Placement placement) {
        if (size() == 1) {
            return List.of(0);
        }
        return placement.servers(guid).stream()
                .map(address -> address.getAddress().getAddress())
                .map(bytes -> (bytes[2] & 0xff) << 8 | bytes[3] & 0xff)
                .toList();
    }

    int nextOperation() {
        return operations++;
    }

    int anyServer(SplittableRandom random) {
        return random.nextInt(servers.size());
    }

    int size() {
        return options.nodes();
    }

    /** Returns the true time, milliseconds since 1970. */
    long wallMillis() {
        return EPOCH_MILLIS + world.millis();
    }

    EventScheduler world() {
        return world;
    }

    SimulationScenario scenario() {
        return scenario;
    }

    SimulatedTables tables() {
        return tables;
    }

    SimulatedNetwork network() {
        return network;
    }

    RequestHistory history() {
        return history;
    }

    SimulatedWorkload workload() {
        return workload;
    }

    BoundWatch watch() {
        return watch;
    }

    InjectedDefects defects() {
        return defects;
    }

    FaultInjector trouble() {
        return trouble;
    }

    List<InetSocketAddress> servers() {
        return addresses;
    }

    SimulatedServer server(int number) {
        return servers.get(number);
    }

    /** Returns the buffer into which all servers write their datagrams, one after another. */
    MemorySegment room() {
        return room;
    }
}
