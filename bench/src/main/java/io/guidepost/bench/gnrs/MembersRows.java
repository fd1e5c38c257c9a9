package io.guidepost.bench.gnrs;

import io.guidepost.bench.load.KeyDistribution;
import io.guidepost.bench.load.LoadProfile;
import io.guidepost.bench.process.BenchFailure;
import io.guidepost.bench.scene.BenchReport;
import io.guidepost.bench.scene.BenchStage;
import io.guidepost.bench.scene.MedianSpread;
import io.guidepost.bench.scene.SceneOptions;
import io.guidepost.bench.scene.ServerUnderTest;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;

/**
 * The start of one server of a large deployment: five that share records, and thousands of members that never respond. How
 * long it says that it is catching up, what greeting the others costs, and how long the first page of {@code /sites} takes.
 */
final class MembersRows {
    private static final int SERVERS = 5;
    private static final int REPLICAS = 3;
    private static final int PAGES = 20;
    private static final long LOOK_NANOS = 50_000_000;
    private static final long CAUGHT_UP_NANOS_MAX = 300_000_000_000L;

    private final SceneOptions options;
    private final BenchStage stage;
    private final Path table;
    private final int members;
    private final int records;

    MembersRows(SceneOptions options, BenchStage stage, Path table, int members, int records) {
        this.options = options;
        this.stage = stage;
        this.table = table;
        this.members = Math.max(members, SERVERS + 1);
        this.records = records;
    }

    BenchReport play() throws IOException {
        SitesUnderTest sites = SitesUnderTest.start(
                stage,
                "member",
                options.serverCpu(),
                new SitesUnderTest.Plan(table, SERVERS, SERVERS, members - SERVERS, REPLICAS),
                Map.of());
        ServerUnderTest started = sites.server(0);
        stage.load(started, records, LoadProfile.closed(KeyDistribution.sequential(0, records), 64).withRecursion());
        List<Double> caughtUp = new ArrayList<>();
        List<Double> cpu = new ArrayList<>();
        List<Double> page = new ArrayList<>();
        for (int round = 0; round < options.rounds(); round++) {
            stage.progress().say("starting one of " + members + " again");
            started.killAndLaunch();
            started.awaitAnswer();
            long from = System.nanoTime();
            while (!started.admin("/sites?limit=1").contains("\"catchingUp\": false")) {
                if (System.nanoTime() - from > CAUGHT_UP_NANOS_MAX) {
                    throw new BenchFailure("after five minutes it still says that it is catching up");
                }
                LockSupport.parkNanos(LOOK_NANOS);
            }
            caughtUp.add((System.nanoTime() - from) / 1e9);
            for (int i = 0; i < PAGES; i++) {
                long asked = System.nanoTime();
                started.admin("/sites");
                page.add((System.nanoTime() - asked) / 1e6);
            }
            cpu.add(started.cpuPercent(options.windowNanos()));
        }
        sites.close();
        return new BenchReport(
                "One server of " + members,
                List.of("", "in line with those that share after, s", "/sites, ms", "processor while greeting, %"),
                List.of(List.of("start", MedianSpread.of(caughtUp), MedianSpread.of(page), MedianSpread.of(cpu))),
                List.of("Median of " + options.rounds() + " starts (smallest-largest) after SIGKILL; " + SERVERS + " servers share "
                        + records + " records, the others never respond. A page of a hundred servers, its connection included."));
    }
}
