package io.guidepost.lab.prove;

import io.guidepost.base.FaultyFile;
import io.guidepost.gnrs.client.GnrsClient;
import io.guidepost.gnrs.client.GnrsClientSettings;
import io.guidepost.lab.trace.GnrsTrace;
import io.guidepost.lab.trace.TraceGenerator;
import io.guidepost.lab.trace.TraceGenerator.Popularity;
import io.guidepost.lab.trace.TraceReplay;
import io.guidepost.names.Guid;
import io.guidepost.lab.trace.AcknowledgedBindings;
import io.guidepost.lab.trace.RoundTripSummary;
import io.guidepost.server.cli.support.ClientOptions;
import io.guidepost.server.cli.support.ExitCode;
import io.guidepost.server.cli.support.ProgressLine;
import io.guidepost.server.cli.support.TemporaryFolder;
import io.guidepost.server.cli.support.TextTable;
import io.guidepost.web.JsonWriter;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.PrintWriter;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code guidepost prove}: kills a server in the middle of its work, again and again, and looks what is left. */
@Command(
        name = "prove",
        description = {
            "Kills a server in the middle of a trace, and checks that all it acknowledged is there.",
            "Starts a server with a prefix table and AS bindings, replays a trace, kills the server with SIGKILL,",
            "restarts it, and looks for every binding. What is not given as a file is invented in the same shape."
        },
        mixinStandardHelpOptions = true,
        footer = {
            "",
            "Example:  guidepost prove",
            "          guidepost prove --kernel-cache",
            "          guidepost prove --sites 5",
            "          guidepost prove --fleet 3 --front-ends 2 --kills 4 --partitions 2 --pauses 2",
            "          guidepost prove --prefixes prefixes.gz --bindings as-binding.gz --trace trace.txt.gz --kills 5",
            "Exit code: 1 if anything acknowledged is missing, an answer was too old, or nothing was acknowledged"
        })
public final class ProveCommand implements Callable<Integer> {
    private static final int INSERTS = 10_000;
    private static final int LOOKUPS = 50_000;
    private static final long LOOK_NANOS = 200_000;

    /** Asks on for a minute: a restart on a busy machine took ten seconds. */
    private static final GnrsClientSettings PATIENT =
            new GnrsClientSettings(500, 7, GnrsClientSettings.DEFAULT.window());

    @Option(names = "--prefixes", paramLabel = "FILE", description = "Prefix table: 'a.b.c.d/len AS'.")
    private @Nullable Path prefixes;

    @Option(names = "--bindings", paramLabel = "FILE", description = "AS bindings: 'AS host port'.")
    private @Nullable Path bindings;

    @Option(names = "--trace", paramLabel = "FILE", description = "Trace of inserts and lookups.")
    private @Nullable Path trace;

    @Option(
            names = "--own",
            paramLabel = "HOST:PORT",
            defaultValue = "127.0.0.1:5001",
            description = "How the AS bindings name this server (default: ${DEFAULT-VALUE}).")
    private String own = "";

    @Option(
            names = "--kills",
            paramLabel = "N",
            defaultValue = "3",
            description = "How often it is killed, 1 to 1000 (default: ${DEFAULT-VALUE}).")
    private int kills;

    @Option(
            names = "--sites",
            paramLabel = "N",
            description = "Several servers instead, 3 to 9: one is killed, one cut off, while clients write through all.")
    private int sites;

    @Option(
            names = "--fleet",
            paramLabel = "N",
            description = {
                "Nodes of Apache Cassandra instead, 3 to 5, and front ends: they are killed and stopped, and nodes cut off, in a network",
                "namespace. A node takes a gigabyte; its jars are fetched once, and it needs a JDK 17 in /usr/lib/jvm."
            })
    private int fleet;

    @Option(
            names = "--front-ends",
            paramLabel = "N",
            defaultValue = "2",
            description = "Front ends of the fleet, 1 to 8 (default: ${DEFAULT-VALUE}).")
    private int frontEnds;

    @Option(
            names = "--partitions",
            paramLabel = "N",
            defaultValue = "2",
            description = "How often a node of the fleet is cut off, 0 to 1000 (default: ${DEFAULT-VALUE}).")
    private int partitions;

    @Option(
            names = "--pauses",
            paramLabel = "N",
            defaultValue = "2",
            description = "How often a node or front end of the fleet is stopped for 8 s, 0 to 1000 (default: ${DEFAULT-VALUE}).")
    private int pauses;

    @Option(
            names = "--clock-steps",
            paramLabel = "N",
            defaultValue = "2",
            description = {
                "How often the clock of a front end of the fleet is set, by an hour at most either way, 0 to 1000 (default:",
                "${DEFAULT-VALUE}); with any, a C compiler is needed."
            })
    private int clockSteps;

    @Option(
            names = "--history",
            paramLabel = "FILE",
            description = {
                "What clients of a fleet were told of handles that they share, a line of JSON for each operation. Whether that is",
                "linearizable says Porcupine: go -C tools/porcupine run . FILE"
            })
    private @Nullable Path history;

    @Option(
            names = "--kernel-cache",
            description = {
                "The server answers in the kernel too (gnrs.kernel-cache), on virtual interfaces of a network namespace, and a name whose",
                "place is replaced all the time is looked up beside the trace. Needs root, ip and unshare."
            })
    private boolean kernelCache;

    @Option(
            names = "--writes",
            paramLabel = "N",
            defaultValue = "100000",
            description = "Writes to several servers, at least 100 (default: ${DEFAULT-VALUE}).")
    private long writes;

    @Option(
            names = "--cut",
            paramLabel = "HOW",
            defaultValue = "auto",
            description = "network: in a network namespace; pause: its process is stopped; auto: the first that works.")
    private String cut = "";

    @Option(names = "--seed", paramLabel = "N", defaultValue = "1", description = "Chooses when, and invents data.")
    private long seed;

    @Option(
            names = "--durability",
            paramLabel = "WHEN",
            defaultValue = "fsync",
            description = "store.durability of the server: fsync or os (default: ${DEFAULT-VALUE}).")
    private String durability = "";

    @Option(names = "--json", description = "As JSON.")
    private boolean json;

    @Spec
    @SuppressWarnings("NullAway.Init") // Set by picocli.
    private CommandSpec spec;

    private final AcknowledgedBindings ledger = new AcknowledgedBindings();
    private final RoundTripSummary latencies = new RoundTripSummary();
    private final AtomicLong done = new AtomicLong();
    private final List<Step> steps = new ArrayList<>();

    /** Null unless the server answers in the kernel too. */
    private @Nullable KernelCacheClients kernel;

    /** The replay goes no further than to this number of requests: without it a trace would be over before most of many kills. */
    private volatile long until;

    private record Step(String what, long requests, int acknowledged, int missing, long startMillis) {}

    @Override
    public Integer call() throws Exception {
        if (kills < 1 || kills > 1000) {
            throw new ParameterException(spec.commandLine(), "--kills is " + kills + "; it must be 1 to 1000");
        }
        boolean several = spec.commandLine().getParseResult().hasMatchedOption("--sites");
        boolean ofFleet = spec.commandLine().getParseResult().hasMatchedOption("--fleet");
        if (kernelCache && (ofFleet || several)) {
            throw new ParameterException(spec.commandLine(), "--kernel-cache is for one server, without --sites and --fleet");
        }
        List<String> arguments = spec.commandLine().getParent().getParseResult().originalArgs();
        if (kernelCache && !NetworkNamespace.inside()) {
            return NetworkNamespace.rerunAsRoot(arguments);
        }
        if (ofFleet ? isFleetOutside() : several && isOutside()) {
            return NetworkNamespace.rerun(arguments);
        }
        TemporaryFolder folder = TemporaryFolder.make("guidepost-prove");
        try {
            return ofFleet ? proveFleet(folder.path()) : several ? proveSites(folder.path()) : prove(folder.path());
        } finally {
            folder.delete();
        }
    }

    /** Whether a network namespace is wanted, and this process must start itself again to be in one. */
    private boolean isOutside() {
        if (sites < 3 || sites > 9 || writes < 100) {
            throw new ParameterException(
                    spec.commandLine(),
                    "--sites is " + sites + ", --writes " + writes + "; they must be 3 to 9, and at least 100");
        }
        boolean known = List.of("auto", "network", "pause").contains(cut);
        if (!known || bindings != null || trace != null) {
            throw new ParameterException(
                    spec.commandLine(),
                    known
                            ? "--bindings and --trace are for one server: those of --sites are made"
                            : "--cut is '" + cut + "'; it must be auto, network or pause");
        }
        if (cut.equals("pause") || NetworkNamespace.inside()) {
            return false;
        }
        boolean possible = NetworkNamespace.possible();
        if (!possible && cut.equals("network")) {
            throw new ParameterException(
                    spec.commandLine(),
                    "--cut network needs the commands unshare (util-linux) and ip (iproute2), and a kernel that allows user"
                            + " namespaces (sysctl kernel.unprivileged_userns_clone=1) or root: or take --cut pause");
        }
        return possible;
    }

    private boolean isFleetOutside() {
        if (fleet < 3 || fleet > 5 || frontEnds < 1 || frontEnds > 8) {
            throw new ParameterException(
                    spec.commandLine(),
                    "--fleet is " + fleet + ", --front-ends " + frontEnds + "; they must be 3 to 5, and 1 to 8");
        }
        if (partitions < 0 || partitions > 1000 || pauses < 0 || pauses > 1000 || clockSteps < 0 || clockSteps > 1000) {
            throw new ParameterException(
                    spec.commandLine(),
                    "--partitions is " + partitions + ", --pauses " + pauses + ", --clock-steps " + clockSteps
                            + "; they must be 0 to 1000");
        }
        if (NetworkNamespace.inside()) {
            return false;
        }
        if (!NetworkNamespace.possible()) {
            throw new ParameterException(
                    spec.commandLine(),
                    "--fleet needs the commands unshare (util-linux) and ip (iproute2), and a kernel that allows user namespaces"
                            + " (sysctl kernel.unprivileged_userns_clone=1) or root");
        }
        return true;
    }

    private int proveFleet(Path folder) throws IOException {
        NetworkNamespace.prepare();
        ProveFleetCommand.Plan plan = new ProveFleetCommand.Plan(fleet, frontEnds, kills, partitions, pauses, clockSteps, seed, history);
        try (ProveFleetCommand proof = new ProveFleetCommand(plan, folder)) {
            try (ProgressLine progress = new ProgressLine(spec.commandLine().getErr())) {
                proof.run(progress);
            }
            return proof.report(spec.commandLine().getOut(), json) ? ExitCode.DONE : ExitCode.FAILED;
        }
    }

    private int proveSites(Path folder) throws IOException, FaultyFile {
        if (NetworkNamespace.inside()) {
            NetworkNamespace.prepare();
        }
        Path table = prefixes;
        if (table == null) {
            table = folder.resolve("prefixes.txt");
            SampleTables.writePrefixes(table, seed);
        }
        NetworkPartition how = NetworkNamespace.inside() ? NetworkPartition.NETWORK : NetworkPartition.PAUSE;
        ProveSitesCommand.Plan plan = new ProveSitesCommand.Plan(sites, writes, seed, durability, how, ChildServer.freePort());
        try (ProveSitesCommand proof = new ProveSitesCommand(plan, table, folder)) {
            try (ProgressLine progress = new ProgressLine(spec.commandLine().getErr())) {
                proof.run(progress);
            }
            return proof.report(spec.commandLine().getOut(), json) ? ExitCode.DONE : ExitCode.FAILED;
        }
    }

    private int prove(Path folder) throws IOException, FaultyFile {
        InetSocketAddress address = kernelCache
                ? KernelCacheClients.SERVER
                : new InetSocketAddress(InetAddress.getLoopbackAddress(), ChildServer.freePort());
        List<String> settings = new ArrayList<>(settings(folder));
        if (kernelCache) {
            KernelCacheClients.prepare();
            settings.addAll(KernelCacheClients.settings());
        } else {
            settings.addAll(List.of("gnrs.listen=127.0.0.1", "gnrs.port=" + address.getPort(), "admin.port=-1"));
        }
        Path file = trace == null ? inventTrace(folder.resolve("trace.txt")) : trace;
        GnrsTrace.Counts counts = GnrsTrace.count(file);
        Path log = folder.resolve("server.log");
        TraceReplay replay = new TraceReplay();
        ChildServer server = ChildServer.start(address, settings, log);
        try (GnrsTrace opened = GnrsTrace.open(file);
                GnrsClient client = GnrsClient.open(address, PATIENT);
                KernelCacheClients beside = kernelCache ? new KernelCacheClients() : null) {
            kernel = beside;
            steps.add(new Step("start", 0, 0, 0, server.startMillis()));
            CompletableFuture<Void> replaying = replaying(replay, opened, client, counts.total());
            List<Long> moments = moments(seed, kills, counts.inserts() + counts.updates(), counts.total());
            for (int i = 0; i < moments.size(); i++) {
                long at = moments.get(i);
                until = at;
                while (done.get() < at && !replaying.isDone()) {
                    LockSupport.parkNanos(LOOK_NANOS);
                }
                countInKernel();
                server.kill();
                long requests = done.get();
                AcknowledgedBindings acknowledged = ledger.copy();
                // The client asks on beside the restart, but leaves some requests for the next kill to interrupt.
                until = i + 1 < moments.size() ? (at + moments.get(i + 1)) / 2 : Long.MAX_VALUE;
                server = ChildServer.start(address, settings, log);
                steps.add(step("kill -9, restart", requests, acknowledged, address, server.startMillis()));
            }
            finish(replaying);
            countInKernel();
            steps.add(step("end of trace", done.get(), ledger, address, 0));
        } finally {
            server.close();
        }
        return report(replay.counts());
    }

    private void countInKernel() throws IOException {
        if (kernel != null) {
            kernel.count();
        }
    }

    private CompletableFuture<Void> replaying(TraceReplay replay, GnrsTrace opened, GnrsClient client, long total) {
        return CompletableFuture.runAsync(
                () -> {
                    try (ProgressLine progress = new ProgressLine(spec.commandLine().getErr())) {
                        replay.run(opened, client, answer -> {
                            while (done.get() >= until) {
                                LockSupport.parkNanos(LOOK_NANOS);
                            }
                            ledger.note(answer);
                            latencies.note(answer);
                            progress.at((double) done.incrementAndGet() / total, done.get());
                        });
                    } catch (IOException | FaultyFile e) {
                        throw new CompletionException(e);
                    }
                },
                each -> Thread.ofPlatform().daemon(true).name("guidepost-replay").start(each));
    }

    private static void finish(CompletableFuture<Void> replaying) throws IOException, FaultyFile {
        try {
            replaying.join();
        } catch (CompletionException e) {
            switch (e.getCause()) {
                case IOException cause -> throw cause;
                case FaultyFile cause -> throw cause;
                case null, default -> throw e;
            }
        }
    }

    private static Step step(String what, long requests, AcknowledgedBindings ledger, InetSocketAddress address, long startMillis)
            throws IOException {
        List<Guid> missing;
        try (GnrsClient client = GnrsClient.open(address, new GnrsClientSettings(1000, 4, 64))) {
            missing = ledger.missing(client);
        }
        return new Step(what, requests, ledger.size(), missing.size(), startMillis);
    }

    /** The numbers of the requests at which the server is killed: half of them while it writes. */
    static List<Long> moments(long seed, int kills, long writes, long requests) {
        SplittableRandom random = new SplittableRandom(seed);
        List<Long> moments = new ArrayList<>();
        for (int i = 0; i < kills; i++) {
            moments.add(random.nextLong(i % 2 == 0 ? Math.max(1, writes) : requests));
        }
        moments.sort(null);
        return moments;
    }

    private List<String> settings(Path folder) throws IOException {
        InetSocketAddress named = ClientOptions.address(own);
        Path table = prefixes;
        if (table == null) {
            table = folder.resolve("prefixes.txt");
            SampleTables.writePrefixes(table, seed);
        }
        Path servers = bindings;
        if (servers == null) {
            servers = folder.resolve("as-bindings.txt");
            SampleTables.writeBindings(servers, named.getAddress().getHostAddress(), named.getPort());
        }
        return List.of(
                "gnrs.advertise=" + own,
                "placement.prefix-file=" + table,
                "placement.binding-file=" + servers,
                "store.folder=" + folder.resolve("store"),
                "store.durability=" + durability);
    }

    private Path inventTrace(Path file) throws IOException {
        try (BufferedWriter out = Files.newBufferedWriter(file, StandardCharsets.US_ASCII)) {
            TraceGenerator.write(seed, INSERTS, LOOKUPS, Popularity.MANDELBROT_ZIPF, out);
        }
        return file;
    }

    private int report(TraceReplay.Counts counts) {
        PrintWriter out = spec.commandLine().getOut();
        int missing = steps.stream().mapToInt(Step::missing).sum();
        // Of a server that acknowledged nothing, nothing can be missing.
        boolean anything = steps.stream().anyMatch(each -> each.acknowledged > 0);
        KernelCacheClients beside = kernel;
        boolean fresh = beside == null || beside.proven();
        if (json) {
            List<Map<String, Object>> rows = new ArrayList<>();
            steps.forEach(each -> rows.add(JsonWriter.object(
                    "step", each.what,
                    "requests", each.requests,
                    "acknowledged", each.acknowledged,
                    "missing", each.missing,
                    "startMillis", each.startMillis)));
            Map<String, Object> lookups = beside == null
                    ? JsonWriter.object()
                    : JsonWriter.object(
                            "beside", beside.fresh().seen(),
                            "tooOld", beside.fresh().older(),
                            "inKernel", beside.answered());
            out.print(JsonWriter.text(JsonWriter.object(
                    "steps", rows,
                    "lookups", lookups,
                    "writes", counts.writes(),
                    "found", counts.found(),
                    "notFound", counts.missing(),
                    "failed", counts.failed(),
                    "silent", counts.silent(),
                    "roundTrip", latencies.json())));
        } else {
            TextTable table = new TextTable("step", "after requests", "acknowledged GUIDs", "missing", "first answer after");
            steps.forEach(each -> table.row(
                    each.what,
                    each.requests,
                    each.acknowledged,
                    each.missing,
                    each.startMillis == 0 ? "" : each.startMillis + " ms"));
            out.print(table);
            out.println();
            out.print(new TextTable("requests", "writes", "found", "not found", "failed", "silent")
                    .row(
                            counts.total(),
                            counts.writes(),
                            counts.found(),
                            counts.missing(),
                            counts.failed(),
                            counts.silent()));
            out.println();
            out.print(latencies.table());
            out.println();
            if (beside != null) {
                FreshPlaces places = beside.fresh();
                out.printf(
                        Locale.ROOT,
                        "%,d look-ups were answered in the kernel; of %,d of a place that moves %,d were answered with one that had been"
                                + " replaced before.%n",
                        beside.answered(), places.seen(), places.older());
                places.examples().forEach(each -> out.println("  " + each));
            }
            out.println(proof(anything, missing, fresh));
        }
        out.flush();
        return anything && fresh && missing == 0 ? ExitCode.DONE : ExitCode.FAILED;
    }

    private static String proof(boolean anything, int missing, boolean fresh) {
        if (!anything) {
            return "NOT proven: no write was acknowledged.";
        }
        if (missing > 0) {
            return "NOT proven: " + missing + " acknowledged bindings are missing.";
        }
        return fresh
                ? "Proven: every binding that was acknowledged is there."
                : "NOT proven: an answer was too old, or none came out of the kernel.";
    }
}
