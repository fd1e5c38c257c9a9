package io.guidepost.lab.command;

import io.guidepost.base.FaultyFile;
import io.guidepost.lab.asgraph.AsGraph;
import io.guidepost.lab.asgraph.AsGraphFile;
import io.guidepost.lab.asgraph.AsGraphGenerator;
import io.guidepost.lab.dmap.DmapStudy;
import io.guidepost.lab.dmap.NetworkNoise;
import io.guidepost.lab.dmap.StudyFiles;
import io.guidepost.lab.dmap.StudyResult;
import io.guidepost.lab.dmap.StudySettings;
import io.guidepost.proximity.AsNotation;
import io.guidepost.proximity.PrefixTableFile;
import io.guidepost.proximity.PrefixTableGenerator;
import io.guidepost.proximity.Prefixes;
import io.guidepost.server.cli.support.ExitCode;
import io.guidepost.server.cli.support.ProgressLine;
import io.guidepost.web.JsonWriter;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code guidepost simulate dmap}: the evaluation of the DMap paper, and what is better here. */
@Command(
        name = "dmap",
        description = {
            "Repeats the evaluation of the DMap paper at the scale of the Internet, beside the paper's numbers.",
            "Places names on the ASes of a graph, looks for them along shortest paths, and compares how a replica is",
            "chosen. Graph and prefix table are files, or are invented; one seed gives one result."
        },
        mixinStandardHelpOptions = true,
        footer = {
            "",
            "Example:  guidepost simulate dmap --small",
            "          guidepost simulate dmap --topology as-links.txt.gz --prefixes prefixes.gz --out study"
        })
final class SimulateDmapCommand implements Callable<Integer> {
    /** A tenth of the Internet and less, done in seconds. */
    private static final Size SMALL = new Size(
            2_000, 6_800, PrefixTableGenerator.PREFIXES, 5_000, 50_000, 500_000);

    private static final Size INTERNET = new Size(
            AsGraphGenerator.ASES,
            AsGraphGenerator.LINKS,
            PrefixTableGenerator.PREFIXES,
            StudySettings.PAPER.guids(),
            StudySettings.PAPER.lookups(),
            StudySettings.PAPER.storageGuids());

    @Option(
            names = "--topology",
            paramLabel = "FILE",
            description = "Graph: 'AS AS latency', the latency of a link in microseconds, one way.")
    private @Nullable Path topology;

    @Option(names = "--prefixes", paramLabel = "FILE", description = "Prefix table: 'a.b.c.d/len AS'.")
    private @Nullable Path prefixes;

    @Option(names = "--ases", paramLabel = "N", description = "ASes of an invented graph (default: 26424).")
    private @Nullable Integer ases;

    @Option(names = "--links", paramLabel = "N", description = "Links of an invented graph (default: 90267).")
    private @Nullable Integer links;

    @Option(names = "--table-size", paramLabel = "N", description = "Prefixes of an invented table (default: 306388).")
    private @Nullable Integer tableSize;

    @Option(names = "--guids", paramLabel = "N", description = "Names that are inserted (default: 100000).")
    private @Nullable Integer guids;

    @Option(names = "--lookups", paramLabel = "N", description = "Look-ups of them (default: 1000000).")
    private @Nullable Integer lookups;

    @Option(
            names = "--storage-guids",
            paramLabel = "N",
            description = "Names that are placed to see how evenly (default: 10000000).")
    private @Nullable Integer storageGuids;

    @Option(names = "--small", description = "A small invented Internet: done in seconds.")
    private boolean small;

    @Option(
            names = "--replicas",
            paramLabel = "K",
            defaultValue = "5",
            description = "Replicas where one number is looked at closely (default: ${DEFAULT-VALUE}).")
    private int replicas;

    @Option(
            names = "--replicas-max",
            paramLabel = "K",
            defaultValue = "7",
            description = "The most replicas (default: ${DEFAULT-VALUE}).")
    private int replicasMax;

    @Option(
            names = "--intra-micros",
            paramLabel = "N",
            defaultValue = "2000",
            description = "Latency within an AS, one way, where one is assumed (default: ${DEFAULT-VALUE}).")
    private int intraMicros;

    @Option(
            names = "--jitter",
            paramLabel = "SIGMA",
            defaultValue = "0.3",
            description = "Standard deviation of the logarithm of a round trip (default: ${DEFAULT-VALUE}).")
    private double jitter;

    @Option(
            names = "--slow",
            paramLabel = "SHARE",
            defaultValue = "0.01",
            description = "Share of the exchanges, and of the servers, that are slow (default: ${DEFAULT-VALUE}).")
    private double slow;

    @Option(
            names = "--slow-factor",
            paramLabel = "N",
            defaultValue = "10",
            description = "How many times longer they take (default: ${DEFAULT-VALUE}).")
    private double slowFactor;

    @Option(
            names = "--down",
            paramLabel = "SHARE",
            defaultValue = "0.01",
            description = "Share of the servers that do not answer (default: ${DEFAULT-VALUE}).")
    private double down;

    @Option(
            names = "--timeout",
            paramLabel = "MS",
            defaultValue = "500",
            description = "How long one answer is waited for (default: ${DEFAULT-VALUE}).")
    private int timeoutMillis;

    @Option(names = "--seed", paramLabel = "N", defaultValue = "1", description = "Decides all that is drawn.")
    private long seed;

    @Option(names = "--threads", paramLabel = "N", description = "Threads (default: one for each processor).")
    private @Nullable Integer threads;

    @Option(names = "--out", paramLabel = "DIR", description = "Where CSV files and SVG pictures are written.")
    private @Nullable Path out;

    @Option(names = "--json", description = "As JSON.")
    private boolean json;

    @Spec
    @SuppressWarnings("NullAway.Init") // Set by picocli.
    private CommandSpec spec;

    private record Size(int ases, int links, int prefixes, int guids, int lookups, int storageGuids) {}

    @Override
    public Integer call() throws Exception {
        try {
            return run();
        } catch (IllegalArgumentException e) {
            throw new ParameterException(spec.commandLine(), String.valueOf(e.getMessage()), e);
        }
    }

    private int run() throws IOException, FaultyFile {
        if ((topology == null) != (prefixes == null)) {
            throw new ParameterException(
                    spec.commandLine(), "give --topology and --prefixes both, as their ASes belong together, or none");
        }
        Size size = small ? SMALL : INTERNET;
        StudySettings settings = new StudySettings(
                or(guids, size.guids),
                or(lookups, size.lookups),
                or(storageGuids, size.storageGuids),
                replicas,
                Math.max(replicas, replicasMax),
                intraMicros,
                new NetworkNoise(jitter, slow, slow, slowFactor, down, timeoutMillis),
                seed,
                or(threads, StudySettings.PAPER.threads()));
        StudyResult result;
        try (ProgressLine progress = new ProgressLine(spec.commandLine().getErr())) {
            progress.part("reading", 0);
            AsGraph graph = topology != null
                    ? AsGraphFile.read(topology)
                    : AsGraphGenerator.generate(seed, or(ases, size.ases), or(links, size.links));
            Prefixes table = prefixes != null
                    ? PrefixTableFile.read(prefixes, AsNotation.PLAIN)
                    : PrefixTableGenerator.generate(seed, or(tableSize, size.prefixes), graph.size());
            result = DmapStudy.run(graph, table, settings, progress::part);
        }
        if (out != null) {
            StudyFiles.write(result, out);
        }
        PrintWriter terminal = spec.commandLine().getOut();
        terminal.print(json ? JsonWriter.text(DmapReport.json(result)) : DmapReport.text(result));
        if (out != null && !json) {
            terminal.println("Written into " + out + ": CSV files and SVG pictures.");
        }
        terminal.flush();
        return ExitCode.DONE;
    }

    private static int or(@Nullable Integer given, int otherwise) {
        return given == null ? otherwise : given;
    }
}
