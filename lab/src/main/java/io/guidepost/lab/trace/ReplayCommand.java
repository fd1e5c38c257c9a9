package io.guidepost.lab.trace;

import io.guidepost.base.FaultyFile;
import io.guidepost.gnrs.client.GnrsClient;
import io.guidepost.lab.trace.TraceGenerator.Popularity;
import io.guidepost.names.Guid;
import io.guidepost.server.cli.support.ClientOptions;
import io.guidepost.server.cli.support.ConsoleCommand;
import io.guidepost.server.cli.support.ExitCode;
import io.guidepost.server.cli.support.ProgressLine;
import io.guidepost.server.cli.support.TextTable;
import io.guidepost.web.JsonWriter;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code guidepost replay}: asks a server what is in a trace. */
@Command(
        name = "replay",
        description = {
            "Asks a server all that is in a trace, as fast as it answers, and sums up what came of it.",
            "Traces: 'seq I|U|Q guid place,ttl,weight...', or one of the two tabulated forms; .gz or not."
        },
        footer = {
            "Example:  guidepost replay trace.txt.gz --acked ledger.txt",
            "          guidepost replay --verify ledger.txt      (after a crash: is all of it still there?)",
            "          guidepost replay --generate 10000,50000",
            "Exit code: 1 if a request failed or was not answered, or an acknowledged place is missing"
        })
public final class ReplayCommand extends ConsoleCommand {
    private static final int SHOWN_MAX = 10;

    @Parameters(arity = "0..1", paramLabel = "TRACE", description = "The file.")
    private @Nullable Path file;

    @Mixin
    private ClientOptions client = new ClientOptions();

    @Option(
            names = "--window",
            paramLabel = "N",
            defaultValue = "128",
            description = "Requests under way at a time, 1 to 65536 (default: ${DEFAULT-VALUE}).")
    private int window;

    @Option(
            names = "--generate",
            split = ",",
            paramLabel = "INSERTS,LOOKUPS",
            description = "Invents a trace: names inserted once each, then looked up.")
    private int @Nullable [] generate;

    @Option(
            names = "--seed",
            paramLabel = "N",
            defaultValue = "1",
            description = "The same seed invents the same trace (default: ${DEFAULT-VALUE}).")
    private long seed;

    @Option(names = "--output", paramLabel = "FILE", description = "Only writes the invented trace to a file.")
    private @Nullable Path output;

    @Option(names = "--acked", paramLabel = "FILE", description = "Writes what was acknowledged to a file.")
    private @Nullable Path acked;

    @Option(names = "--verify", paramLabel = "FILE", description = "Asks for all that --acked wrote, and nothing else.")
    private @Nullable Path verify;

    @Option(names = "--json", description = "The summary as JSON.")
    private boolean json;

    @Override
    public Integer call() throws Exception {
        if (window < 1 || window > 65536) {
            throw wrong("--window is " + window + "; it must be 1 to 65536");
        }
        if (verify != null) {
            return verify(verify);
        }
        if (generate != null) {
            return generated(generate);
        }
        if (file == null) {
            throw wrong("name a trace, or --generate INSERTS,LOOKUPS, or --verify FILE");
        }
        return replay(file);
    }

    private int generated(int[] counts) throws IOException, FaultyFile {
        if (counts.length != 2 || counts[0] < 1 || counts[1] < 0) {
            throw wrong("--generate takes two numbers, such as 10000,50000: inserts, at least 1, and lookups");
        }
        Path target = output == null ? Files.createTempFile("guidepost", ".trace") : output;
        try {
            try (BufferedWriter out = Files.newBufferedWriter(target, StandardCharsets.US_ASCII)) {
                TraceGenerator.write(seed, counts[0], counts[1], Popularity.MANDELBROT_ZIPF, out);
            }
            if (output != null) {
                return ExitCode.DONE;
            }
            return replay(target);
        } finally {
            if (output == null) {
                Files.delete(target);
            }
        }
    }

    private int replay(Path path) throws IOException, FaultyFile {
        AcknowledgedBindings ledger = new AcknowledgedBindings();
        RoundTripSummary latencies = new RoundTripSummary();
        TraceReplay replay = new TraceReplay();
        long began = System.nanoTime();
        try (GnrsTrace trace = GnrsTrace.open(path);
                GnrsClient opened = client.open(window);
                ProgressLine progress = new ProgressLine(err())) {
            replay.run(trace, opened, answer -> {
                latencies.note(answer);
                if (acked != null) {
                    ledger.note(answer);
                }
                progress.at(fraction(trace), replay.counts().total());
            });
        }
        double seconds = (System.nanoTime() - began) / 1e9;
        if (acked != null) {
            ledger.write(acked);
        }
        TraceReplay.Counts counts = replay.counts();
        print(counts, latencies, seconds);
        return counts.failed() + counts.silent() == 0 ? ExitCode.DONE : ExitCode.FAILED;
    }

    private static double fraction(GnrsTrace trace) {
        try {
            return trace.fraction();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void print(TraceReplay.Counts counts, RoundTripSummary latencies, double seconds) {
        long perSecond = Math.round(counts.total() / seconds);
        if (json) {
            print(JsonWriter.text(JsonWriter.object(
                    "requests", counts.total(),
                    "seconds", seconds,
                    "perSecond", perSecond,
                    "writes", counts.writes(),
                    "found", counts.found(),
                    "missing", counts.missing(),
                    "partial", counts.partial(),
                    "failed", counts.failed(),
                    "silent", counts.silent(),
                    "roundTrip", latencies.json())));
        } else {
            print(new TextTable("requests", "per second", "writes", "found", "missing", "partial", "failed", "silent")
                    .row(
                            counts.total(),
                            perSecond,
                            counts.writes(),
                            counts.found(),
                            counts.missing(),
                            counts.partial(),
                            counts.failed(),
                            counts.silent())
                    + System.lineSeparator() + latencies.table());
        }
    }

    private int verify(Path path) throws IOException {
        AcknowledgedBindings ledger = AcknowledgedBindings.read(path);
        List<Guid> missing;
        try (GnrsClient opened = client.open(window)) {
            missing = ledger.missing(opened);
        }
        PrintWriter out = out();
        if (json) {
            out.print(JsonWriter.text(JsonWriter.object("acknowledged", ledger.size(), "missing", missing)));
        } else {
            out.println(ledger.size() + " GUIDs with acknowledged places: " + (ledger.size() - missing.size())
                    + " have all of them, " + missing.size() + " do not");
            missing.stream().limit(SHOWN_MAX).forEach(each -> out.println("missing: " + each));
        }
        out.flush();
        return missing.isEmpty() ? ExitCode.DONE : ExitCode.FAILED;
    }
}
