package io.guidepost.bench.scene;

import java.util.concurrent.TimeUnit;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Options that all scenes have. */
public final class SceneOptions {
    private static final int SMOKE_ROUNDS = 2;
    private static final double SMOKE_SECONDS = 0.2;

    @Option(names = "--rounds", paramLabel = "N", description = "Alternating rounds (default ${DEFAULT-VALUE}).")
    private int rounds = 5;

    @Option(
            names = "--seconds",
            paramLabel = "N",
            description = "Measured seconds of each contestant in each round (default ${DEFAULT-VALUE}).")
    private double seconds = 5;

    @Option(
            names = "--warm-seconds",
            paramLabel = "N",
            description = "Seconds of warm-up of each contestant before the first round (default ${DEFAULT-VALUE}).")
    private double warmSeconds = 8;

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
        return smoke ? SMOKE_ROUNDS : rounds;
    }

    public long windowNanos() {
        return nanos(smoke ? SMOKE_SECONDS : seconds);
    }

    /** Returns the warm-up before the first round. */
    public long warmNanos() {
        return nanos(smoke ? SMOKE_SECONDS : warmSeconds);
    }

    /** Returns the warm-up at the start of each round, after another contestant had the processor. */
    public long roundWarmNanos() {
        return nanos(smoke ? 0.05 : 0.3);
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

    private static long nanos(double seconds) {
        return (long) (seconds * TimeUnit.SECONDS.toNanos(1));
    }
}
