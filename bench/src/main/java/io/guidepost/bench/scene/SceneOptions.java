package io.guidepost.bench.scene;

import java.util.concurrent.TimeUnit;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Options that all scenes have. */
public final class SceneOptions {
    private static final int SMOKE_ROUNDS = 2;
    private static final long SMOKE_NANOS = TimeUnit.MILLISECONDS.toNanos(100);
    private static final long ROUND_WARM_NANOS = TimeUnit.MILLISECONDS.toNanos(300);

    @Mixin
    private RoundOptions rounds = new RoundOptions(8);

    @Option(
            names = "--server-cpu",
            paramLabel = "N",
            description = "Processor of the server, all of its threads; -1 = any (default ${DEFAULT-VALUE}).")
    private int serverCpu = 0;

    @Option(
            names = "--client-cpu",
            paramLabel = "N",
            description = "Processor of the generator; -1 = any (default ${DEFAULT-VALUE}).")
    private int clientCpu = 1;

    @Option(
            names = "--smoke",
            description = "Tiny sizes, seconds in all, to test that the scene works.")
    private boolean smoke;

    @Mixin
    final OutputOptions output = new OutputOptions();

    public int rounds() {
        return smoke ? SMOKE_ROUNDS : rounds.rounds();
    }

    public long windowNanos() {
        return smoke ? SMOKE_NANOS : rounds.windowNanos();
    }

    /** Returns the warm-up before the first round. */
    public long warmNanos() {
        return smoke ? SMOKE_NANOS : rounds.warmNanos();
    }

    /** Returns the warm-up at the start of each round, after another contestant had the processor. */
    public long roundWarmNanos() {
        return smoke ? SMOKE_NANOS / 4 : ROUND_WARM_NANOS;
    }

    public int serverCpu() {
        return serverCpu;
    }

    public int clientCpu() {
        return clientCpu;
    }

    public boolean smoke() {
        return smoke;
    }

    /** Returns a size of the real run, or the one of a smoke run. */
    public int size(int real, int ofSmoke) {
        return smoke ? ofSmoke : real;
    }
}
