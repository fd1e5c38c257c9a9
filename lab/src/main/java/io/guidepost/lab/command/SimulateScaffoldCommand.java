package io.guidepost.lab.command;

import io.guidepost.lab.scaffold.ScaffoldCampaign;
import io.guidepost.lab.scaffold.ScaffoldRun;
import io.guidepost.server.cli.support.ExitCode;
import io.guidepost.server.cli.support.ProgressLine;
import io.guidepost.server.cli.support.TextTable;
import io.guidepost.web.JsonWriter;
import java.io.PrintWriter;
import java.util.List;
import java.util.Locale;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code guidepost simulate scaffold}: gateways and an object router under a simulated clock, network and kernel. */
@Command(
        name = "scaffold",
        description = {
            "Plays connections through trouble, out of seeds: programs, workers and hosts die, links and ways break,",
            "hosts move, the object router forgets, and the network loses and reorders. Gateways and router are the",
            "real ones. A client must read a prefix of what one honest server would have sent, or be reset."
        },
        mixinStandardHelpOptions = true,
        footer = {
            "",
            "Example:  guidepost simulate scaffold --seeds 1000",
            "          guidepost simulate scaffold --seed 4711 --trouble kill,link",
            "Exit code: 1 if a promise was broken"
        })
final class SimulateScaffoldCommand implements Callable<Integer> {
    @Option(names = "--seed", paramLabel = "N", defaultValue = "1", description = "The first seed (default: ${DEFAULT-VALUE}).")
    private long seed;

    @Option(
            names = "--seeds",
            paramLabel = "N",
            defaultValue = "1",
            description = "How many seeds, each one more than the one before (default: ${DEFAULT-VALUE}).")
    private long seeds;

    @Option(
            names = "--trouble",
            split = ",",
            paramLabel = "KIND",
            description = "Only these kinds of trouble (default: all): ${COMPLETION-CANDIDATES}.")
    private ScaffoldRun.InjectedFault @Nullable [] troubles;

    @Option(names = "--json", description = "The summary as JSON.")
    private boolean json;

    @Spec
    @SuppressWarnings("NullAway.Init") // Set by picocli.
    private CommandSpec spec;

    @Override
    public Integer call() {
        if (seeds < 1) {
            throw new ParameterException(spec.commandLine(), "--seeds is " + seeds + "; it must be 1 or more");
        }
        PrintWriter out = spec.commandLine().getOut();
        List<ScaffoldRun.InjectedFault> kinds = List.of(troubles == null ? ScaffoldRun.InjectedFault.values() : troubles);
        ScaffoldCampaign.Summary summary;
        try (ProgressLine progress = new ProgressLine(spec.commandLine().getErr(), "seeds")) {
            summary = ScaffoldCampaign.play(seed, seeds, kinds, done -> {
                synchronized (progress) {
                    progress.at((double) done / seeds, done);
                }
            });
        }
        if (json) {
            out.print(JsonWriter.text(JsonWriter.object(
                    "seeds", seeds,
                    "firstSeed", seed,
                    "outcomes", new TreeMap<String, Object>(summary.outcomes()),
                    "troubles", new TreeMap<String, Object>(summary.troubles()),
                    "datagrams", summary.datagrams(),
                    "broken", List.copyOf(summary.broken()))));
        } else {
            print(out, summary);
        }
        out.flush();
        return summary.broken().isEmpty() ? ExitCode.DONE : ExitCode.FAILED;
    }

    private void print(PrintWriter out, ScaffoldCampaign.Summary summary) {
        summary.broken().forEach(out::println);
        TextTable ends = new TextTable("connections", "times");
        summary.outcomes().forEach((outcome, times) -> ends.row(outcome, times));
        out.print(ends);
        out.println();
        TextTable kinds = new TextTable("trouble", "times");
        summary.troubles().forEach((kind, times) -> kinds.row(kind.toLowerCase(Locale.ROOT), times));
        out.print(kinds);
        out.println();
        String broken = summary.broken().isEmpty() ? "none" : summary.broken().size() + "";
        out.println(summary.datagrams() + " datagrams. Broken promises: " + broken);
    }
}
