package io.guidepost.lab.command;

import io.guidepost.lab.simulation.Campaign;
import io.guidepost.lab.simulation.Cluster;
import io.guidepost.lab.simulation.ClusterOptions;
import io.guidepost.lab.simulation.ClusterRun;
import io.guidepost.lab.simulation.FaultKind;
import io.guidepost.lab.simulation.SimulationProfile;
import io.guidepost.server.cli.support.ExitCode;
import io.guidepost.server.cli.support.ProgressLine;
import io.guidepost.server.cli.support.TextTable;
import io.guidepost.web.JsonWriter;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code guidepost simulate cluster}: many servers, their network, clocks and disks in one thread, seed by seed. */
@Command(
        name = "cluster",
        description = {
            "Plays whole deployments, with crashes, partitions, wrong clocks and full disks, out of seeds,",
            "and checks that what was acknowledged is there, what was deleted stays away, and copies become alike.",
            "The servers are the real ones; clock, network and disks are not. A seed always plays the same."
        },
        mixinStandardHelpOptions = true,
        footer = {
            "",
            "Example:  guidepost simulate cluster --seeds 200",
            "          guidepost simulate cluster --seed 4711 --trace     (one seed, and all that happens)",
            "Exit code: 1 if a promise was broken; what replays it is printed"
        })
final class SimulateClusterCommand implements Callable<Integer> {
    private static final int THREADS_MAX = 256;

    @Option(
            names = "--seed",
            paramLabel = "N",
            defaultValue = "1",
            description = "The first seed (default: ${DEFAULT-VALUE}).")
    private long seed;

    @Option(
            names = "--seeds",
            paramLabel = "N",
            defaultValue = "1",
            description = "How many seeds, each one more than the one before (default: ${DEFAULT-VALUE}).")
    private long seeds;

    @Option(
            names = "--nodes",
            paramLabel = "N",
            defaultValue = "200",
            description = "Servers of each deployment, 1 to 10000 (default: ${DEFAULT-VALUE}).")
    private int nodes;

    @Option(
            names = "--operations",
            paramLabel = "N",
            defaultValue = "300",
            description = "What clients do in each, retries not counted (default: ${DEFAULT-VALUE}).")
    private int operations;

    @Option(
            names = "--faults",
            split = ",",
            paramLabel = "KIND",
            description = "Only these kinds of trouble, or none: ${COMPLETION-CANDIDATES}.")
    private FaultKind @Nullable [] faults;

    @Option(names = "--calm", description = "No trouble at all, but for what weather the seed has.")
    private boolean calm;

    @Option(
            names = "--profile",
            paramLabel = "KIND",
            defaultValue = "MIXED",
            description = "What the runs are made to show: ${COMPLETION-CANDIDATES} (default: ${DEFAULT-VALUE}).")
    @SuppressWarnings("NullAway.Init") // Set by picocli.
    private SimulationProfile profile;

    @Option(names = "--everywhere", description = "In the end looks for each name at every server, not only at some.")
    private boolean everywhere;

    @Option(names = "--threads", paramLabel = "N", description = "Seeds at a time (default: one for each processor).")
    private @Nullable Integer threads;

    @Option(names = "--trace", description = "Tells all that happens; for one seed.")
    private boolean trace;

    @Option(names = "--json", description = "The summary as JSON.")
    private boolean json;

    @Spec
    @SuppressWarnings("NullAway.Init") // Set by picocli.
    private CommandSpec spec;

    @Override
    public Integer call() {
        PrintWriter out = spec.commandLine().getOut();
        if (seeds < 1) {
            throw wrong("--seeds is " + seeds + "; it must be 1 or more");
        }
        if (trace && seeds != 1) {
            throw wrong("--trace tells of one seed: leave --seeds away");
        }
        ClusterOptions options = options();
        if (trace) {
            Cluster.run(seed, options).trace().forEach(out::println);
        }
        long began = System.nanoTime();
        Campaign.Summary summary;
        try (ProgressLine progress = new ProgressLine(spec.commandLine().getErr(), "seeds")) {
            summary = Campaign.run(seed, seeds, threads(), options.withTrace(false), done -> {
                synchronized (progress) {
                    progress.at((double) done / seeds, done);
                }
            });
        }
        double seconds = (System.nanoTime() - began) / 1e9;
        if (json) {
            out.print(JsonWriter.text(json(summary, seconds)));
        } else {
            print(summary, seconds);
        }
        out.flush();
        return summary.brokenCount() == 0 ? ExitCode.DONE : ExitCode.FAILED;
    }

    private ParameterException wrong(String what) {
        return new ParameterException(spec.commandLine(), what);
    }

    private int threads() {
        int chosen = threads == null ? Runtime.getRuntime().availableProcessors() : threads;
        if (chosen < 1 || chosen > THREADS_MAX) {
            throw wrong("--threads is " + chosen + "; it must be 1 to " + THREADS_MAX);
        }
        return (int) Math.min(seeds, chosen);
    }

    private ClusterOptions options() {
        Set<FaultKind> kinds = EnumSet.noneOf(FaultKind.class);
        if (faults != null) {
            kinds.addAll(List.of(faults));
        } else if (!calm) {
            kinds.addAll(EnumSet.allOf(FaultKind.class));
        }
        try {
            return new ClusterOptions(nodes, operations, kinds, everywhere, profile, trace);
        } catch (IllegalArgumentException e) {
            throw wrong(String.valueOf(e.getMessage()));
        }
    }

    private void print(Campaign.Summary summary, double seconds) {
        PrintWriter out = spec.commandLine().getOut();
        for (ClusterRun each : summary.broken()) {
            each.breaches().forEach(out::println);
            out.println("Replay it:  " + replay(each) + "\n");
        }
        out.print(new TextTable("seeds", "requests", "writes", "acknowledged", "datagrams", "per request", "hours", "seconds")
                .row(
                        summary.seeds(),
                        summary.attempts(),
                        summary.writes(),
                        summary.acknowledged(),
                        summary.datagrams(),
                        String.format(Locale.ROOT, "%.1f", summary.messagesPerRequest()),
                        String.format(Locale.ROOT, "%.1f", summary.virtualMillis() / 3.6e6),
                        String.format(Locale.ROOT, "%.1f", seconds)));
        out.println();
        TextTable kinds = new TextTable("trouble", "times");
        new TreeMap<>(summary.faults())
                .forEach((fault, times) -> kinds.row(fault.name().toLowerCase(Locale.ROOT), times));
        out.print(kinds);
        out.println();
        TextTable bounds = new TextTable("bound", "reached");
        summary.reached().forEach((bound, times) -> bounds.row(bound.toLowerCase(Locale.ROOT), times));
        out.print(bounds);
        out.println();
        out.println(summary.required() + " bindings had to be there in the end and " + summary.forbidden()
                + " must not be there. Broken promises: "
                + (summary.brokenCount() == 0 ? "none" : "in " + summary.brokenCount() + " seeds"));
    }

    /** The command that plays a seed again. */
    private String replay(ClusterRun run) {
        List<String> words = new ArrayList<>(List.of("guidepost", "simulate", "cluster", "--seed", "" + run.seed()));
        words.addAll(List.of("--nodes", "" + nodes, "--operations", "" + operations));
        if (faults != null) {
            List<String> names = new ArrayList<>();
            for (FaultKind each : faults) {
                names.add(each.name().toLowerCase(Locale.ROOT));
            }
            words.addAll(List.of("--faults", String.join(",", names)));
        }
        if (calm) {
            words.add("--calm");
        }
        if (profile != SimulationProfile.MIXED) {
            words.addAll(List.of("--profile", profile.name().toLowerCase(Locale.ROOT)));
        }
        if (everywhere) {
            words.add("--everywhere");
        }
        words.add("--trace");
        return String.join(" ", words);
    }

    private Object json(Campaign.Summary summary, double seconds) {
        List<Object> broken = new ArrayList<>();
        for (ClusterRun each : summary.broken()) {
            broken.add(JsonWriter.object("seed", each.seed(), "why", each.breaches().getFirst(), "replay", replay(each)));
        }
        TreeMap<String, Object> kinds = new TreeMap<>();
        summary.faults().forEach((fault, times) -> kinds.put(fault.name().toLowerCase(Locale.ROOT), times));
        return JsonWriter.object(
                "seeds", summary.seeds(),
                "firstSeed", seed,
                "nodes", nodes,
                "requests", summary.attempts(),
                "writes", summary.writes(),
                "acknowledged", summary.acknowledged(),
                "datagrams", summary.datagrams(),
                "messagesPerRequestMax", summary.messagesPerRequest(),
                "required", summary.required(),
                "forbidden", summary.forbidden(),
                "boundsReached", new TreeMap<String, Object>(summary.reached()),
                "faults", kinds,
                "virtualMillis", summary.virtualMillis(),
                "seconds", seconds,
                "brokenSeeds", summary.brokenCount(),
                "broken", broken);
    }
}
