package io.guidepost.bench.scene;

import java.util.concurrent.TimeUnit;
import picocli.CommandLine.Option;

/** How often and how long contestants are measured. */
final class RoundOptions {
    @Option(names = "--rounds", paramLabel = "N", description = "Alternating rounds (default ${DEFAULT-VALUE}).")
    private int rounds;

    @Option(
            names = "--seconds",
            paramLabel = "N",
            description = "Measured seconds of each contestant in each round (default ${DEFAULT-VALUE}).")
    private double seconds;

    @Option(
            names = "--warm-seconds",
            paramLabel = "N",
            description = "Seconds of warm-up of each contestant before the first round (default ${DEFAULT-VALUE}).")
    private double warmSeconds;

    /** Creates the options with a default warm-up. */
    RoundOptions(double warmSeconds) {
        this(5, 5, warmSeconds);
    }

    RoundOptions(int rounds, double seconds, double warmSeconds) {
        this.rounds = rounds;
        this.seconds = seconds;
        this.warmSeconds = warmSeconds;
    }

    int rounds() {
        return rounds;
    }

    long windowNanos() {
        return nanos(seconds);
    }

    long warmNanos() {
        return nanos(warmSeconds);
    }

    private static long nanos(double seconds) {
        return (long) (seconds * TimeUnit.SECONDS.toNanos(1));
    }
}
