package io.guidepost.lab.prove;

import io.guidepost.gnrs.client.GnrsClient;
import io.guidepost.gnrs.client.GnrsClientSettings;
import io.guidepost.gnrs.client.GnrsRequest;
import io.guidepost.gnrs.client.GnrsResponse;
import io.guidepost.handle.Handle;
import io.guidepost.handle.client.HandleClient;
import io.guidepost.handle.message.ResponseCode;
import io.guidepost.handle.operation.HandleResult;
import io.guidepost.lab.soak.SteppedClock;
import io.guidepost.names.Guid;
import io.guidepost.server.cli.support.ChildJvm;
import io.guidepost.server.cli.support.ChildProcesses;
import io.guidepost.server.cli.support.ProgressLine;
import java.io.IOException;
import java.io.PrintWriter;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Nodes of Apache Cassandra and front ends in one network namespace. Nodes and front ends are killed and stopped, nodes are cut off,
 * one after the other, while clients write names and create handles through all front ends: what was acknowledged must be found through
 * each front end in the end, and no handle be created twice.
 */
final class ProveFleetCommand implements AutoCloseable {
    /** What the run is to be. */
    record Plan(int nodes, int frontEnds, int kills, int partitions, int pauses, int clockSteps, long seed, @Nullable Path history) {}

    /** Something that was done, and after how many milliseconds from its end each front end acknowledged a write again; 0 = not asked. */
    record Event(String what, String member, double seconds, long writes, long answeredMillis) {}

    /** What was found through one front end in the end. */
    record Found(Map<AcknowledgedWrites.Verdict, Long> names, Map<String, Long> handles) {}

    private enum Fault {
        KILL, PARTITION, PAUSE, CLOCK_STEP
    }

    private static final int WRITERS = 2;
    private static final int CREATORS = 4;

    /** Clients of the history. */
    private static final int HISTORIANS = 3;

    /** A compare-and-set takes milliseconds: more requests at a time would wait for longer than their clients. */
    private static final int BATCH = 32;

    private static final int GNRS_PORT = 5001;
    private static final int HANDLE_PORT = 2641;
    private static final int INVALIDATION_PORT = 5084;

    /** Longer than a front end takes to see that its cluster is away. */
    private static final long FAULT_MILLIS = 8000;

    /** Between two faults: the nodes learn of each other again. */
    private static final long REST_MILLIS = 5000;

    /** By how much the clock of a front end is off at most, either way. */
    private static final long CLOCK_SECONDS_MAX = 3600;

    /** Longer than a front end answers what it has read. */
    private static final long STALE_MILLIS = 1500;

    private static final long ANSWER_SECONDS_MAX = 120;

    /** How often a record is asked for in the end, if that fails: a node may be busy with what it has missed. */
    private static final int LOOKS_MAX = 10;

    private final Plan plan;
    private final Path folder;
    private final List<CassandraProcess> nodes = new ArrayList<>();
    private final List<ServerNode> frontEnds = new ArrayList<>();
    private final List<SteppedClock> clocks = new ArrayList<>();
    private final List<InetSocketAddress> gnrs = new ArrayList<>();
    private final List<InetSocketAddress> handles = new ArrayList<>();
    private final List<String> common;
    private final List<AcknowledgedWrites> ledgers = new ArrayList<>();
    private final Map<String, HandleCreator.Attempts> attempts = HandleCreator.attempts();
    private final FreshPlaces fresh;
    private final @Nullable HandleHistory history;
    private final AtomicLong done = new AtomicLong();
    private final AtomicLongArray acknowledged;
    private final AtomicLongArray refused;
    private final List<Event> events = new ArrayList<>();
    private final List<Found> found = new ArrayList<>();
    private final long began = System.nanoTime();
    private volatile boolean ending;

    ProveFleetCommand(Plan plan, Path folder) throws IOException {
        this.plan = plan;
        this.folder = folder;
        this.acknowledged = new AtomicLongArray(plan.frontEnds);
        this.refused = new AtomicLongArray(plan.frontEnds);
        for (int i = 1; i <= plan.nodes; i++) {
            nodes.add(new CassandraProcess("node-" + i, host(10 + i), host(11), folder));
        }
        for (int i = 1; i <= plan.frontEnds; i++) {
            gnrs.add(new InetSocketAddress(host(20 + i), GNRS_PORT));
            handles.add(new InetSocketAddress(host(20 + i), HANDLE_PORT));
        }
        this.fresh = new FreshPlaces(gnrs, FreshPlaces.FLEET_STALE_NANOS);
        this.history = plan.history == null ? null : new HandleHistory(plan.history, handles);
        this.common = settings();
        for (int i = 0; i < plan.frontEnds; i++) {
            List<String> settings = new ArrayList<>(common);
            String name = "front-end-" + (i + 1);
            settings.addAll(List.of(
                    "handle.enabled=true",
                    "handle.folder=" + folder.resolve(name).resolve("handle"),
                    "handle.listen=" + gnrs.get(i).getAddress().getHostAddress(),
                    "handle.tcp-port=" + HANDLE_PORT,
                    "handle.udp-port=-1",
                    "handle.http-port=-1",
                    "handle.server-admins=301:0.NA/1234",
                    "handle.permit=prefix-admins,listing,server-admin-full-access"));
            Map<String, String> environment = Map.of();
            if (plan.clockSteps > 0) {
                SteppedClock clock = SteppedClock.make(Files.createDirectory(folder.resolve(name + "-clock")));
                clocks.add(clock);
                environment = clock.environment();
            }
            frontEnds.add(new ServerNode(name, gnrs.get(i), settings, folder, environment));
        }
        Runtime.getRuntime().addShutdownHook(new Thread(this::killAll, "guidepost-fleet"));
    }

    /** Nodes and front ends are beside the address that connections come from, which is not to be cut off. */
    private static InetAddress host(int last) {
        return InetAddress.ofLiteral("127.0.0." + last);
    }

    private List<String> settings() throws IOException {
        Path key = Files.writeString(folder.resolve("key"), "a key of this proof alone");
        return List.of(
                "workers.count=1",
                "store.engine=cassandra",
                "store.memory=256 MiB",
                "sites.key-file=" + key,
                "fleet.keyspace=proof",
                "fleet.contact-points=" + list(nodes.stream().map(each -> each.host().getHostAddress() + ":" + CassandraProcess.CQL_PORT)
                        .toList()),
                "fleet.front-ends=" + list(gnrs.stream().map(each -> each.getAddress().getHostAddress() + ":" + INVALIDATION_PORT)
                        .toList()));
    }

    private static String list(List<String> each) {
        return String.join(",", each);
    }

    /** Does it all. */
    void run(ProgressLine progress) throws IOException {
        for (CassandraProcess each : nodes) {
            event("started in " + each.start() + " ms", each.name(), 0);
        }
        makeTables();
        for (ServerNode each : frontEnds) {
            event("started in " + each.start() + " ms", each.name(), 0);
        }
        List<CompletableFuture<Void>> clients = clients();
        try {
            List<Fault> faults = faults();
            Random random = new Random(plan.seed);
            for (int i = 0; i < faults.size(); i++) {
                progress.at((double) i / faults.size(), done.get());
                park(REST_MILLIS);
                fault(faults.get(i), random);
            }
            park(REST_MILLIS);
        } finally {
            ending = true;
        }
        finish(clients);
        if (history != null) {
            history.close();
        }
        event("all writes acknowledged", "", 0);
        park(STALE_MILLIS);
        for (int i = 0; i < plan.frontEnds; i++) {
            found.add(new Found(names(gnrs.get(i)), handles(handles.get(i))));
        }
    }

    private void makeTables() throws IOException {
        command("fleet", "schema", "--create", "--replicas", Integer.toString(Math.min(3, plan.nodes)));
        Path batch = Files.writeString(folder.resolve("first.batch"), "HOME 127.0.0.1:2641:TCP\n0.NA/1234\n\nCREATE 0.NA/1234\n"
                + "301 HS_SECKEY 86400 1100 UTF8 " + HandleCreator.SECRET + "\n");
        command("import", "handle", batch.toString());
    }

    private void command(String... words) throws IOException {
        List<String> arguments = new ArrayList<>(List.of(words));
        common.forEach(each -> arguments.addAll(List.of("--set", each)));
        ChildProcesses.run(ChildJvm.command(arguments).toArray(String[]::new));
    }

    private List<CompletableFuture<Void>> clients() {
        List<CompletableFuture<Void>> all = new ArrayList<>();
        AtomicInteger newestShared = new AtomicInteger();
        for (int i = 0; i < WRITERS; i++) {
            AcknowledgedWrites ledger = new AcknowledgedWrites(i, plan.seed, newestShared);
            ledgers.add(ledger);
            SiteWriter writer = new SiteWriter(i, BATCH, ledger, gnrs, done, acknowledged, refused);
            all.add(begin("guidepost-writer-" + i, () -> {
                try (writer) {
                    writer.run(() -> !ending);
                }
            }));
        }
        for (int i = 0; i < CREATORS; i++) {
            HandleCreator creator = new HandleCreator(i, handles, attempts);
            all.add(begin("guidepost-creator-" + i, () -> {
                try (creator) {
                    creator.run(() -> !ending);
                }
            }));
        }
        all.add(begin("guidepost-fresh-writer", () -> fresh.write(() -> !ending)));
        all.add(begin("guidepost-fresh-reader", () -> fresh.read(() -> !ending)));
        HandleHistory told = history;
        for (int i = 0; told != null && i < HISTORIANS; i++) {
            long seed = plan.seed + i;
            all.add(begin("guidepost-historian-" + i, () -> told.run(seed, () -> !ending)));
        }
        return all;
    }

    /** What a client does. */
    @FunctionalInterface
    private interface ClientTask {
        void run() throws IOException;
    }

    private static CompletableFuture<Void> begin(String name, ClientTask task) {
        return CompletableFuture.runAsync(
                () -> {
                    try {
                        task.run();
                    } catch (IOException e) {
                        throw new CompletionException(e);
                    }
                },
                each -> Thread.ofPlatform().daemon(true).name(name).start(each));
    }

    private static void finish(List<CompletableFuture<Void>> clients) throws IOException {
        try {
            clients.forEach(CompletableFuture::join);
        } catch (CompletionException e) {
            throw e.getCause() instanceof IOException cause ? cause : new IOException(e.getCause());
        }
    }

    private List<Fault> faults() {
        List<Fault> all = new ArrayList<>();
        all.addAll(Collections.nCopies(plan.kills, Fault.KILL));
        all.addAll(Collections.nCopies(plan.partitions, Fault.PARTITION));
        all.addAll(Collections.nCopies(plan.pauses, Fault.PAUSE));
        all.addAll(Collections.nCopies(plan.clockSteps, Fault.CLOCK_STEP));
        Collections.shuffle(all, new Random(plan.seed));
        return all;
    }

    /** Makes one fault, heals it, and waits until each front end acknowledges a write again. */
    private void fault(Fault fault, Random random) throws IOException {
        if (fault == Fault.CLOCK_STEP) {
            int number = random.nextInt(clocks.size());
            long seconds = random.nextLong(-CLOCK_SECONDS_MAX, CLOCK_SECONDS_MAX + 1);
            clocks.get(number).step(seconds - clocks.get(number).seconds());
            event("its clock is off by " + seconds + " s from now on", frontEnds.get(number).name(), 0);
            return;
        }
        List<FleetMember> members = new ArrayList<>(nodes);
        if (fault != Fault.PARTITION) {
            members.addAll(frontEnds);
        }
        FleetMember member = members.get(random.nextInt(members.size()));
        String what;
        long healed;
        if (fault == Fault.KILL) {
            member.kill();
            event("killed (SIGKILL)", member.name(), 0);
            park(REST_MILLIS);
            what = "started again in " + member.start() + " ms";
            healed = System.nanoTime();
        } else {
            NetworkPartition cut = fault == Fault.PAUSE ? NetworkPartition.PAUSE : NetworkPartition.NETWORK;
            cut.off(member.pid(), member.host());
            event(cut.text(), member.name(), 0);
            park(FAULT_MILLIS);
            cut.heal(member.pid(), member.host());
            what = "healed";
            healed = System.nanoTime();
        }
        for (InetSocketAddress each : gnrs) {
            awaitWrite(each);
        }
        event(what, member.name(), Math.max(1, (System.nanoTime() - healed) / 1_000_000));
    }

    private void awaitWrite(InetSocketAddress server) throws IOException {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(ANSWER_SECONDS_MAX);
        GnrsRequest write = GnrsRequest.insert(Guid.ofAscii("healed?"), List.of(AcknowledgedWrites.somePlace()));
        boolean[] made = {false};
        while (!made[0]) {
            try (GnrsClient client = GnrsClient.open(server, new GnrsClientSettings(1000, 1, 1))) {
                client.batch(List.of(write).iterator(), answer -> made[0] = answer.outcome() == GnrsResponse.Outcome.SUCCESS);
            }
            if (!made[0] && System.nanoTime() - end > 0) {
                throw new IOException("the front end at " + server.getAddress().getHostAddress() + " acknowledges no write for "
                        + ANSWER_SECONDS_MAX + " s after all faults have healed");
            }
        }
    }

    private static void park(long millis) {
        long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
        while (System.nanoTime() < end) {
            LockSupport.parkNanos(end - System.nanoTime());
        }
    }

    private Map<AcknowledgedWrites.Verdict, Long> names(InetSocketAddress server) throws IOException {
        Map<AcknowledgedWrites.Verdict, Long> verdicts = new EnumMap<>(AcknowledgedWrites.Verdict.class);
        try (GnrsClient client = GnrsClient.open(server, new GnrsClientSettings(3000, 3, BATCH))) {
            for (AcknowledgedWrites ledger : ledgers) {
                List<Guid> silent = List.copyOf(ledger.guids());
                for (int i = 0; i < LOOKS_MAX && !silent.isEmpty(); i++) {
                    List<Guid> again = new ArrayList<>();
                    client.batch(silent.stream().map(each -> GnrsRequest.lookup(each, false)).iterator(), answer -> {
                        AcknowledgedWrites.Verdict verdict = ledger.judge(answer);
                        if (verdict == AcknowledgedWrites.Verdict.SILENT) {
                            again.add(answer.request().guid());
                        } else {
                            verdicts.merge(verdict, 1L, Long::sum);
                        }
                    });
                    silent = again;
                }
                verdicts.merge(AcknowledgedWrites.Verdict.SILENT, (long) silent.size(), Long::sum);
            }
        }
        return verdicts;
    }

    private Map<String, Long> handles(InetSocketAddress server) throws IOException {
        Map<String, Long> wrong = new HashMap<>();
        try (HandleClient client = HandleCreator.client(server)) {
            for (Map.Entry<String, HandleCreator.Attempts> each : attempts.entrySet()) {
                HandleResult is = client.resolve(Handle.of(each.getKey()));
                for (int i = 1; i < LOOKS_MAX && is.code() == ResponseCode.ERROR; i++) {
                    is = client.resolve(Handle.of(each.getKey()));
                }
                wrong.merge(HandleCreator.wrong(is, each.getValue()), 1L, Long::sum);
            }
        }
        return wrong;
    }

    private void event(String what, String member, long answeredMillis) {
        events.add(new Event(what, member, (System.nanoTime() - began) / 1e9, done.get(), answeredMillis));
    }

    /** Prints what was seen; true if it is proven. */
    boolean report(PrintWriter out, boolean json) {
        ProveFleetReport report = new ProveFleetReport(
                frontEnds.stream().map(ServerNode::name).toList(), events, found, acknowledged, refused, ledgers, attempts, fresh);
        out.print(json ? report.json() : report.text());
        out.flush();
        return report.proven();
    }

    private void killAll() {
        for (ServerNode each : frontEnds) {
            try {
                each.kill();
            } catch (IOException e) {
                // It has ended, or will not: the nodes are ended all the same.
            }
        }
        nodes.forEach(CassandraProcess::close);
    }

    /** Ends all processes: what they keep is of no more use. */
    @Override
    public void close() {
        killAll();
    }
}
