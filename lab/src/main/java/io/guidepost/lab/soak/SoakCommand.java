package io.guidepost.lab.soak;

import io.guidepost.server.cli.support.ExceptionText;
import io.guidepost.server.cli.support.ExitCode;
import io.guidepost.server.cli.support.ProgressLine;
import io.guidepost.server.cli.support.TemporaryFolder;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code guidepost soak}: a server under the load of all doors for hours, while it is killed, upgraded, flooded and filled. */
@Command(
        name = "soak",
        description = {
            "Runs a server under a steady load of all doors, does to it at random times what happens to servers, and checks all",
            "the while what it promises: acknowledged writes are there, no answer is older, watchers are told each change, /health",
            "tells each trouble, and memory, threads and descriptors do not grow.",
            "Events: kill -9, upgrades, reloads, upgrades and reloads that are refused, floods from one network, a full disk (as",
            "root, which mounts a small one), steps of the server's clock (with cc, which compiles a clock for it alone)."
        },
        mixinStandardHelpOptions = true,
        footer = {
            "",
            "Example:  guidepost soak --hours 3 --svg soak.svg",
            "          guidepost soak --minutes 20 --seed 7 --rate 200",
            "Exit code: 1 if a promise was broken; the seed that is told gives the same events"
        })
public final class SoakCommand implements Callable<Integer> {
    private static final int DISK_MEBIBYTES = 256;
    private static final int SAMPLES = 600;
    private static final double SAMPLE_SECONDS_MIN = 0.5;
    private static final double SAMPLE_SECONDS_MAX = 10;
    private static final long STEP_NANOS = 200_000_000;
    private static final int HEALTH_EVERY = 10;

    @Option(names = "--hours", paramLabel = "N", description = "How long, a fraction too.")
    private double hours;

    @Option(names = "--minutes", paramLabel = "N", description = "How long, a fraction too (default: 10).")
    private double minutes;

    @Option(
            names = "--every",
            paramLabel = "SECONDS",
            defaultValue = "30",
            description = "Time from one event to the next, on average (default: ${DEFAULT-VALUE}).")
    private double every;

    @Option(
            names = "--rate",
            paramLabel = "N",
            defaultValue = "300",
            description = "Requests a second, of all doors together (default: ${DEFAULT-VALUE}).")
    private double rate;

    @Option(
            names = "--seed",
            paramLabel = "N",
            defaultValue = "1",
            description = "Chooses events and requests (default: ${DEFAULT-VALUE}).")
    private long seed;

    @Option(
            names = "--events",
            paramLabel = "EVENT",
            split = ",",
            description = "These alone: ${COMPLETION-CANDIDATES} (default: all).")
    private List<SoakEvent> wanted = List.of(SoakEvent.values());

    @Option(names = "--svg", paramLabel = "FILE", description = "Draws the curves into this file.")
    private @Nullable Path svg;

    @Option(names = "--json", description = "The summary as JSON.")
    private boolean json;

    @Spec
    @SuppressWarnings("NullAway.Init") // Set by picocli.
    private CommandSpec spec;

    private final BrokenPromises broken = new BrokenPromises();
    private final SoakCurves curves = new SoakCurves();
    private final List<EventInjector.Done> events = new ArrayList<>();

    /** Events that this machine does not allow, and why. */
    private final Map<SoakEvent, String> leftOut = new LinkedHashMap<>();

    @Override
    public Integer call() throws Exception {
        double seconds = 3600 * hours + 60 * (hours == 0 && minutes == 0 ? 10 : minutes);
        if (seconds < 1 || seconds > 1e6 || every < 0.5 || rate < 20 || rate > 20_000) {
            throw new ParameterException(
                    spec.commandLine(), "a run has 1 to 1000000 seconds, an event every 0.5 seconds at most, and 20 to 20000"
                            + " requests a second");
        }
        TemporaryFolder folder = TemporaryFolder.make("guidepost-soak");
        try (SmallFileSystem disk = disk(folder.path().resolve("disk"))) {
            return soak(folder.path(), disk, seconds);
        } finally {
            folder.delete();
        }
    }

    private @Nullable SmallFileSystem disk(Path folder) {
        try {
            return SmallFileSystem.mount(folder, DISK_MEBIBYTES);
        } catch (IOException e) {
            leftOut.put(SoakEvent.DISK_FULL, "no small file system is mounted: " + e.getMessage());
            return null;
        }
    }

    private @Nullable SteppedClock clock(Path folder) {
        try {
            return SteppedClock.make(folder);
        } catch (IOException e) {
            leftOut.put(SoakEvent.CLOCK_STEP, "no clock is compiled for the server: " + e.getMessage());
            return null;
        }
    }

    private int soak(Path folder, @Nullable SmallFileSystem disk, double seconds) throws IOException {
        Path store = folder.resolve("disk").resolve("store");
        SteppedClock clock = clock(folder);
        List<SoakEvent> possible = new ArrayList<>(wanted);
        possible.removeAll(leftOut.keySet());
        try (SoakServer server = new SoakServer(folder, store, clock == null ? Map.of() : clock.environment())) {
            server.start();
            try (SoakRun run = new SoakRun(server, rate, seed, broken)) {
                double sampled = Math.clamp(seconds / SAMPLES, SAMPLE_SECONDS_MIN, SAMPLE_SECONDS_MAX);
                try (ResourceSampler _ = new ResourceSampler(server, store, run.tallies(), curves, broken, sampled);
                        ProgressLine progress = new ProgressLine(spec.commandLine().getErr())) {
                    EventInjector injector = new EventInjector(server, run, disk, clock, seed, broken);
                    play(injector, run, SoakEvent.plan(seed, seconds, every, possible), seconds, progress);
                    run.verify("whole run");
                }
                return report(run, server, seconds);
            }
        }
    }

    private void play(EventInjector injector, SoakRun run, List<SoakEvent.Planned> plan, double seconds, ProgressLine progress) {
        PrintWriter err = spec.commandLine().getErr();
        long begun = System.nanoTime();
        int next = 0;
        for (int step = 0; ; step++) {
            double second = (System.nanoTime() - begun) / 1e9;
            // A short run on a busy machine has one event all the same.
            if (second >= seconds && (next > 0 || plan.isEmpty())) {
                return;
            }
            if (next < plan.size() && second >= plan.get(next).second()) {
                SoakEvent event = plan.get(next++).event();
                EventInjector.Done done;
                try {
                    done = injector.inject(second, event);
                } catch (IOException e) {
                    broken.add("a server goes on behind an event", event.text() + ": " + ExceptionText.of(e));
                    return;
                }
                events.add(done);
                err.println(String.format(
                        Locale.ROOT, "%7.0f s  %-24s silent at most %,d ms (%s)  %s%s",
                        second, done.event().text(), done.longest().millis(), done.longest().door(), done.detail(),
                        broken.count() == 0 ? "" : "  " + broken.count() + " broken"));
                broken.takeUntold().forEach(each -> err.println("           " + each));
                err.flush();
            } else if (step % HEALTH_EVERY == 0) {
                injector.checkHealth();
            }
            progress.at(second / seconds, run.answered());
            LockSupport.parkNanos(STEP_NANOS);
        }
    }

    private int report(SoakRun run, SoakServer server, double seconds) throws IOException {
        curves.growth().stream().filter(SoakCurves.Growth::grew).forEach(each -> broken.add(
                "a server that is warm does not grow",
                String.format(Locale.ROOT, "%s: %.1f when it was warm, %.1f in the end", each.curve().text(), each.warm(), each.last())));
        SoakReport report = new SoakReport(seed, seconds, run, events, leftOut, curves, broken);
        PrintWriter out = spec.commandLine().getOut();
        out.print(json ? report.json() : report.text());
        out.flush();
        if (svg != null) {
            Files.writeString(svg, curves.svg("guidepost soak, seed " + seed));
        }
        if (broken.count() == 0) {
            return ExitCode.DONE;
        }
        Path kept = Files.copy(server.log(), Files.createTempFile("guidepost-soak", ".log"), StandardCopyOption.REPLACE_EXISTING);
        spec.commandLine().getErr().println("guidepost: what the server said is in " + kept);
        return ExitCode.FAILED;
    }
}
