package io.guidepost.lab.command;

import io.guidepost.lab.simulation.WatchRun;
import io.guidepost.server.cli.support.ExitCode;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code guidepost simulate watch}: watchers of names over kills and hand-over of their server. */
@Command(
        name = "watch",
        description = {
            "Plays a server whose names are watched, out of seeds: it is killed and handed over while writers change names,",
            "and watchers leave in the middle and go on. Each must see every change of its prefix, in order."
        },
        mixinStandardHelpOptions = true,
        footer = {"", "Example:  guidepost simulate watch --seeds 10000", "Exit code: 1 if a promise was broken"})
final class SimulateWatchCommand implements Callable<Integer> {
    private static final int TOLD_MAX = 10;

    @Option(names = "--seed", paramLabel = "N", defaultValue = "1", description = "The first seed (default: ${DEFAULT-VALUE}).")
    private long seed;

    @Option(
            names = "--seeds",
            paramLabel = "N",
            defaultValue = "1",
            description = "How many seeds, each one more than the one before (default: ${DEFAULT-VALUE}).")
    private long seeds;

    @Spec
    @SuppressWarnings("NullAway.Init") // Set by picocli.
    private CommandSpec spec;

    @Override
    public Integer call() {
        if (seeds < 1) {
            throw new ParameterException(spec.commandLine(), "--seeds is " + seeds + "; it must be 1 or more");
        }
        List<String> broken = new ArrayList<>();
        long[] sums = new long[5];
        for (long each = seed; each < seed + seeds; each++) {
            WatchRun.Outcome outcome = WatchRun.play(each);
            long[] counts = {outcome.changes(), outcome.seen(), outcome.resets(), outcome.kills(), outcome.handovers()};
            for (int i = 0; i < sums.length; i++) {
                sums[i] += counts[i];
            }
            broken.addAll(outcome.breaches());
        }
        PrintWriter out = spec.commandLine().getOut();
        out.printf("%,d changes, %,d events told, %,d watches begun again; %,d kills, %,d hand-overs%n",
                sums[0], sums[1], sums[2], sums[3], sums[4]);
        broken.stream().limit(TOLD_MAX).forEach(out::println);
        out.printf("%,d broken promises in %,d seeds%n", broken.size(), seeds);
        out.flush();
        return broken.isEmpty() ? ExitCode.DONE : ExitCode.FAILED;
    }
}
