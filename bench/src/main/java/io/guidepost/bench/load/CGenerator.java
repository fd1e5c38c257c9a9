package io.guidepost.bench.load;

import io.guidepost.bench.process.BenchFailure;
import io.guidepost.bench.process.CProgram;
import io.guidepost.bench.process.ChildProcess;
import io.guidepost.bench.process.ProcessPinning;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;

/**
 * A load generator that is a program in C, on one thread ({@code generator.h}). On few processors a generator must use as little of
 * them as possible, or it is what is measured.
 *
 * @param program that prints a tally in the end
 * @param folder for temporary files
 * @param server destination of requests
 * @param pid of the server, for its processor time; 0 = unknown
 */
public record CGenerator(CProgram program, Path folder, InetSocketAddress server, long pid) {
    private static final long LATENCY_NANOS_MAX = TimeUnit.MINUTES.toNanos(1);
    private static final int DIGITS = 3;
    private static final long END_SECONDS_MAX = 60;

    /** Returns a generator of lookups of {@link SyntheticRecords} at a rate. */
    public static CGenerator ofLookups(Path folder, InetSocketAddress server, long pid) {
        CProgram program = new CProgram("udp_generator.c", List.of("responder.c", "udp_trains.h", "generator.h"));
        return new CGenerator(program, folder, server, pid);
    }

    /**
     * Runs a warm-up, then the measured window.
     *
     * @param options further ones of the program
     */
    public LoadResult run(long warmNanos, long windowNanos, List<String> options) {
        List<String> command = new ArrayList<>(List.of(
                program.compiled(folder).toString(),
                "--server",
                server.getAddress().getHostAddress() + ":" + server.getPort(),
                "--warm",
                Long.toString(TimeUnit.NANOSECONDS.toMillis(warmNanos)),
                "--window",
                Long.toString(TimeUnit.NANOSECONDS.toMillis(windowNanos)),
                "--pid",
                Long.toString(pid)));
        command.addAll(options);
        try (ChildProcess child = ChildProcess.start("generator", ProcessPinning.ANYWHERE, folder, command)) {
            long seconds = TimeUnit.NANOSECONDS.toSeconds(warmNanos + windowNanos) + END_SECONDS_MAX;
            return tally(child.finish(seconds), windowNanos);
        }
    }

    /** Parses what the program printed. */
    private static LoadResult tally(String output, long windowNanos) {
        Histogram latency = new Histogram(1, LATENCY_NANOS_MAX, DIGITS);
        long[] counts = new long[0];
        for (String line : output.lines().toList()) {
            String[] words = line.split(" ", -1);
            if (words[0].equals("tally") && words.length == 8) {
                counts = new long[words.length];
                for (int i = 1; i < words.length; i++) {
                    counts[i] = Long.parseLong(words[i]);
                }
            } else if (words[0].equals("took") && words.length == 3) {
                latency.recordValueWithCount(
                        Math.clamp(Long.parseLong(words[1]), 1, LATENCY_NANOS_MAX), Long.parseLong(words[2]));
            } else {
                throw new BenchFailure("the generator said '" + line + "', which is no tally");
            }
        }
        if (counts.length == 0) {
            throw new BenchFailure("the generator ended without a tally");
        }
        return new LoadResult(
                windowNanos,
                counts[1] + counts[2],
                counts[1],
                counts[1],
                counts[2],
                0,
                counts[3],
                counts[4],
                counts[5],
                latency,
                Math.max(0, windowNanos - counts[6]),
                counts[7]);
    }
}
