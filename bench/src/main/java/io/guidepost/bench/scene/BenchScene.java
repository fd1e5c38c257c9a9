package io.guidepost.bench.scene;

import io.guidepost.bench.load.GnrsLoadGenerator;
import io.guidepost.bench.load.LoadResult;
import io.guidepost.bench.process.ProcessPinning;
import java.io.IOException;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.function.Supplier;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/**
 * A benchmark that starts everything it needs, measures, prints a table and leaves nothing behind. Subclasses implement
 * the measurement; this class pins, warms up, prints and cleans up.
 */
public abstract class BenchScene implements Callable<Integer> {
    @Mixin
    public SceneOptions options = new SceneOptions();

    @Spec
    CommandSpec command = CommandSpec.create();

    /** Runs the measurement. */
    public abstract BenchReport play(BenchStage stage) throws IOException;

    @Override
    public Integer call() throws IOException {
        Optional<String> noise = BenchMachine.noise();
        pin();
        BenchReport report;
        try (BenchStage stage = new BenchStage(TerminalProgress.ofCommand())) {
            report = play(stage);
        }
        if (options.smoke()) {
            report = report.warning("A smoke run: these figures mean nothing.");
        } else if (noise.isPresent()) {
            report = report.warning(noise.get());
        }
        options.output.publish(report, command);
        return 0;
    }

    /** Pins this process as the options say; scenes in which all share all processors override it. */
    public void pin() {
        if (!ProcessPinning.self(options.clientCpu())) {
            command.commandLine()
                    .getErr()
                    .println("guidepost bench: cannot pin to processor " + options.clientCpu()
                            + " (taskset is missing or refuses): server and generator may get in each other's way");
        }
    }

    /** Returns a contestant whose target is warmed up for the first round. */
    public Supplier<LoadResult> contestant(BenchStage stage, BenchTarget target, GnrsLoadGenerator generator) {
        stage.progress().say("warming up " + target.name());
        generator.run(options.warmNanos(), 0);
        return () -> generator.run(options.roundWarmNanos(), options.windowNanos());
    }

}
