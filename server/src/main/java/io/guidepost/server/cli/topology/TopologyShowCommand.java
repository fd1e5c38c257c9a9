package io.guidepost.server.cli.topology;

import io.guidepost.proximity.input.LoadedNetwork;
import io.guidepost.proximity.oracle.NicPairs;
import io.guidepost.proximity.ranking.Ranking;
import io.guidepost.proximity.ranking.RankingFunction;
import io.guidepost.proximity.ranking.RoutingDefects;
import io.guidepost.proximity.topology.RoutingMode;
import io.guidepost.proximity.topology.Topology;
import io.guidepost.proximity.topology.TopologyRouter;
import io.guidepost.server.cli.support.ConsoleCommand;
import io.guidepost.server.cli.support.ExitCode;
import io.guidepost.server.cli.support.TextTable;
import io.guidepost.web.JsonWriter;
import java.lang.management.ManagementFactory;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code guidepost topology show}: what files say, how long they take to load, and what they need. */
@Command(
        name = "show",
        description = {
            "Reads files and tells what they say: routers, links, prefixes, what is odd in them, load time and memory.",
            "A defect keeps prefixes from being ranked: routes that loop or end on the way, exits without links.",
            "kept: what the network needs to be changed; look-up: what look-ups touch."
        },
        footer = "Example:  guidepost topology show routers.graphml prefixes.csv.gz --exit Frankfurt --json")
final class TopologyShowCommand extends ConsoleCommand {
    private static final double MEBIBYTE = 1 << 20;

    @Mixin
    private TopologyOptions topology = new TopologyOptions();

    @Option(names = "--json", description = "As JSON.")
    private boolean json;

    /**
     * What was measured.
     *
     * @param routers all of them
     * @param apart routers that no path leads to from the first that is enabled
     * @param keptBytes of heap
     * @param lookupBytes of the snapshot
     * @param snapshotMillis that it took
     */
    private record Measured(int routers, int links, int apart, long keptBytes, long lookupBytes, long snapshotMillis) {}

    @Override
    public Integer call() throws Exception {
        long before = heapBytes();
        LoadedNetwork loaded = topology.read();
        long kept = Math.max(0, heapBytes() - before);
        long begun = System.nanoTime();
        Ranking ranking = Ranking.of(loaded.network(), RankingFunction.STANDARD, 1);
        long millis = Math.round((System.nanoTime() - begun) / 1e6);
        Topology routers = loaded.network().topology();
        Measured measured = new Measured(
                routers.routers().size(),
                new NicPairs(routers).links(),
                apart(routers),
                kept,
                ranking.bytes(),
                millis);
        RoutingDefects defects = RoutingDefects.of(loaded.network());
        print(json ? JsonWriter.text(json(loaded, measured, defects)) : text(loaded, measured, defects));
        return ExitCode.DONE;
    }

    /** Bytes of heap that something holds. */
    private static long heapBytes() {
        System.gc();
        return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
    }

    private static int apart(Topology topology) {
        NicPairs wires = new NicPairs(topology);
        return topology.routers().values().stream()
                .filter(TopologyRouter::enabled)
                .findFirst()
                .map(first -> topology.routers().size() - wires.reached(first).size())
                .orElse(topology.routers().size());
    }

    private static String text(LoadedNetwork loaded, Measured measured, RoutingDefects defects) {
        TextTable table = new TextTable("file", "is", "routers", "links", "prefixes", "ms");
        for (LoadedNetwork.Source each : loaded.files()) {
            table.row(each.file(), each.kind(), each.routers(), each.links(), each.prefixes(), millis(each.nanos()));
        }
        table.row(
                "together",
                "",
                measured.routers(),
                measured.links(),
                loaded.network().prefixes(),
                millis(loaded.nanos()));
        StringBuilder text = new StringBuilder().append(table).append('\n');
        text.append("paths      ").append(routing(loaded)).append('\n');
        if (measured.apart() > 0) {
            text.append("apart      ").append(measured.apart()).append(" routers that no link leads to from the first\n");
        }
        text.append("memory     ").append(mebibytes(measured.keptBytes())).append(" kept, ");
        text.append(mebibytes(measured.lookupBytes())).append(" look-up\n");
        text.append("snapshot   ").append(measured.snapshotMillis()).append(" ms\n");
        defects.lines().forEach(each -> text.append("defect     ").append(each).append('\n'));
        loaded.warnings().forEach(each -> text.append("warning    ").append(each).append('\n'));
        return text.toString();
    }

    private static String routing(LoadedNetwork loaded) {
        return loaded.network().topology().routing() == RoutingMode.EXPLICIT ? "explicit, along the routes" : "by weights";
    }

    private static String mebibytes(long bytes) {
        return String.format(Locale.ROOT, "%.1f MiB", bytes / MEBIBYTE);
    }

    private static long millis(long nanos) {
        return Math.round(nanos / 1e6);
    }

    private static Map<String, Object> json(LoadedNetwork loaded, Measured measured, RoutingDefects defects) {
        List<Map<String, Object>> files = loaded.files().stream()
                .map(each -> JsonWriter.object(
                        "file", each.file(),
                        "kind", each.kind(),
                        "routers", each.routers(),
                        "links", each.links(),
                        "prefixes", each.prefixes(),
                        "millis", millis(each.nanos())))
                .toList();
        return JsonWriter.object(
                "files", files,
                "routers", measured.routers(),
                "links", measured.links(),
                "apart", measured.apart(),
                "prefixes", loaded.network().prefixes(),
                "routing", loaded.network().topology().routing() == RoutingMode.EXPLICIT ? "expl" : "impl",
                "millis", millis(loaded.nanos()),
                "kept-bytes", measured.keptBytes(),
                "lookup-bytes", measured.lookupBytes(),
                "snapshot-millis", measured.snapshotMillis(),
                "defects", defects.counts(),
                "defect-lines", defects.lines(),
                "warnings", loaded.warnings());
    }
}
