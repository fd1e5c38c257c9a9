package io.guidepost.bench.scene;

import java.util.concurrent.TimeUnit;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Options that all scenes have. */
public final class SceneOptions {
    private static final int SMOKE_ROUNDS = 1;
    private static final long SMOKE_NANOS = TimeUnit.MILLISECONDS.toNanos(50);
    private static final int WARM_SLICES = 4;
    private static final long WARM_NANOS_MAX = TimeUnit.SECONDS.toNanos(30);
    private static final long ROUND_WARM_NANOS = TimeUnit.MILLISECONDS.toNanos(300);

    @Mixin
    private RoundOptions rounds;

    @Option(
            names = "--warm-replies",
            paramLabel = "N",
            description = {
                "Responses of the warm-up, in place of its seconds, but for at most 30 seconds: what the JVM has compiled",
                "follows from them, and on a busy machine a second has few."
            })
    private long warmReplies;

    @Option(
            names = "--first-compiler",
            description = {
                "The JVMs that the scene starts do without their second compiler. So they are warm after some thousand",
                "requests, and what they need is steadier, but more."
            })
    private boolean firstCompiler;

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

    /** Creates those of most scenes: five rounds of five seconds. */
    public SceneOptions() {
        rounds = new RoundOptions(8);
    }

    /** Creates options with other defaults. */
    public SceneOptions(int rounds, double seconds, double warmSeconds) {
        this.rounds = new RoundOptions(rounds, seconds, warmSeconds);
    }

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

    /** Returns whether the second compiler of what is started is off. */
    boolean firstCompiler() {
        return firstCompiler;
    }

    /** Returns the length of one of the slices of a warm-up. */
    long warmSliceNanos() {
        return warmNanos() / WARM_SLICES;
    }

    /** Returns whether a warm-up goes on after some slices, responses and nanoseconds. */
    boolean warming(int slices, long replies, long nanos) {
        return warmReplies == 0 || smoke ? slices < WARM_SLICES : replies < warmReplies && nanos < WARM_NANOS_MAX;
    }

    /** Returns the warm-up at the start of each round, after another contestant had the processor. */
    public long roundWarmNanos() {
        return smoke ? SMOKE_NANOS / 4 : Math.min(ROUND_WARM_NANOS, windowNanos());
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
