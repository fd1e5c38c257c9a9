package io.guidepost.bench;

import io.guidepost.bench.scene.BenchReport;
import io.guidepost.bench.scene.MedianSpread;
import io.guidepost.bench.scene.OutputOptions;
import io.guidepost.bench.scene.TerminalProgress;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.ChainedOptionsBuilder;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.runner.options.VerboseMode;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Microbenchmarks by JMH. */
@Command(
        name = "micro",
        description = {
            "Microbenchmarks by JMH, each in a process of its own.",
            "Parsing a request, an index probe, a lookup without a network, longest match, placement, ranking.",
            "",
            "Example: ./guidepost bench micro 'DoorBenchmark.*'"
        },
        mixinStandardHelpOptions = true)
final class MicroCommand implements Callable<Integer> {
    @Parameters(
            arity = "0..1",
            paramLabel = "PATTERN",
            description = "Benchmarks whose names match (default all).")
    private String pattern = ".*";

    @Option(names = "--smoke", description = "One short run of each, to test that it works.")
    private boolean smoke;

    @Mixin
    private OutputOptions output = new OutputOptions();

    @Spec
    private CommandSpec command = CommandSpec.create();

    @Override
    public Integer call() throws IOException, RunnerException {
        TerminalProgress progress = TerminalProgress.ofCommand();
        progress.say("running " + pattern);
        Collection<RunResult> results = new Runner(settings().build()).run();
        progress.done();
        List<List<Object>> rows = new ArrayList<>();
        for (RunResult result : results) {
            rows.add(row(result));
        }
        BenchReport report = new BenchReport(
                "Microbenchmarks",
                List.of("benchmark", "ns", "99.9 % within"),
                rows,
                List.of(smoke
                        ? "A smoke run: these figures mean nothing."
                        : "Means over five seconds in each of two processes, with JMH's confidence interval."));
        output.publish(report, command);
        return 0;
    }

    private ChainedOptionsBuilder settings() {
        ChainedOptionsBuilder builder = new OptionsBuilder()
                .include("io\\.guidepost\\.bench\\.([a-z]+\\.)?" + pattern)
                .mode(Mode.AverageTime)
                .timeUnit(TimeUnit.NANOSECONDS)
                .verbosity(VerboseMode.SILENT)
                .shouldFailOnError(true)
                .jvmArgsAppend("--enable-native-access=ALL-UNNAMED", "-XX:+UseSerialGC");
        if (smoke) {
            TimeValue moment = TimeValue.milliseconds(20);
            return builder.forks(0)
                    .warmupIterations(1)
                    .warmupTime(moment)
                    .measurementIterations(1)
                    .measurementTime(moment)
                    .param("records", "1000")
                    .param("shape", "10x100");
        }
        return builder.forks(2)
                .warmupIterations(3)
                .warmupTime(TimeValue.seconds(1))
                .measurementIterations(5)
                .measurementTime(TimeValue.seconds(1));
    }

    private static List<Object> row(RunResult result) {
        String name = result.getParams().getBenchmark();
        StringBuilder label = new StringBuilder(name.substring(name.lastIndexOf('.', name.lastIndexOf('.') - 1) + 1));
        for (String key : result.getParams().getParamsKeys()) {
            label.append(' ').append(key).append('=').append(result.getParams().getParam(key));
        }
        double score = result.getPrimaryResult().getScore();
        double error = result.getPrimaryResult().getScoreError();
        return List.of(label.toString(), score, "±" + MedianSpread.number(error));
    }
}
