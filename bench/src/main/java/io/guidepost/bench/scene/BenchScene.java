package io.guidepost.bench.scene;

import io.guidepost.bench.load.GnrsLoadGenerator;
import io.guidepost.bench.load.LoadResult;
import io.guidepost.bench.process.IdleWait;
import io.guidepost.bench.process.JvmOptions;
import io.guidepost.bench.process.ProcessPinning;
import io.guidepost.bench.scene.RunningServerCommand.Generator;
import java.io.IOException;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.function.LongSupplier;
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
        try (JvmOptions _ = options.firstCompiler() ? JvmOptions.firstCompiler() : JvmOptions.asTheyAre();
                BenchStage stage = new BenchStage(TerminalProgress.ofCommand())) {
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
        warmUp(stage, target, generator::run);
        return () -> generator.run(options.roundWarmNanos(), options.windowNanos());
    }

    /**
     * Warms a target up in several slices. After each it is left alone until its compilers have caught up: at saturation,
     * and beside other programs, that would take longer than any warm-up. A program in C has nothing to compile; what its
     * caches need, the beginning of each round gives.
     */
    public final void warmUp(BenchStage stage, BenchTarget target, Generator load) {
        if (!(target instanceof CBaseline)) {
            stage.progress().say("warming up " + target.name());
            warmUp(target::cpuNanos, load);
        }
    }

    /**
     * Warms a server up in several slices.
     *
     * @param serverNanos processor time of the server
     */
    public final void warmUp(LongSupplier serverNanos, Generator load) {
        long begun = System.nanoTime();
        long replies = 0;
        for (int slice = 0; options.warming(slice, replies, System.nanoTime() - begun); slice++) {
            replies += load.run(0, options.warmSliceNanos()).replies();
            if (!options.smoke()) {
                IdleWait.WARMING.await(serverNanos);
            }
        }
    }
}
