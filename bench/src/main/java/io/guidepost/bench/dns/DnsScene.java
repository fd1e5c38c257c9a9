package io.guidepost.bench.dns;

import io.guidepost.bench.load.LoadResult;
import io.guidepost.bench.load.UdpLoadGenerator;
import io.guidepost.bench.process.BenchFailure;
import io.guidepost.bench.process.IdleWait;
import io.guidepost.bench.scene.AlternatingRounds;
import io.guidepost.bench.scene.BenchReport;
import io.guidepost.bench.scene.BenchScene;
import io.guidepost.bench.scene.BenchStage;
import io.guidepost.bench.scene.BenchTarget;
import io.guidepost.bench.scene.DoorUnderTest;
import io.guidepost.bench.scene.ServerUnderTest;
import io.guidepost.bench.scene.VersusOptions;
import io.guidepost.gnrs.client.GnrsClient;
import io.guidepost.gnrs.client.GnrsRequest;
import io.guidepost.gnrs.client.GnrsResponse;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Addresses over DNS at saturation, beside Knot or another server with the same zone. */
@Command(
        name = "dns",
        description = {
            "Addresses of random names over DNS (UDP, EDNS) at saturation, beside Knot with the same zone, which the scene starts, or",
            "beside a server that runs already (--vs). Every address is checked.",
            "",
            "Example: ./guidepost bench dns --names 1000000"
        },
        mixinStandardHelpOptions = true)
public final class DnsScene extends BenchScene {
    private static final int QUESTIONS_MAX = 200_000;

    @Option(names = "--names", paramLabel = "N", description = "Names of the zone (default ${DEFAULT-VALUE}).")
    private int names = 1_000_000;

    @Option(names = "--outstanding", paramLabel = "N", description = "Outstanding requests, at most 4096 (default ${DEFAULT-VALUE}).")
    private int outstanding = 256;

    @Mixin
    private VersusOptions versus = new VersusOptions();

    @Override
    public BenchReport play(BenchStage stage) throws IOException {
        int count = options.size(names, 1000);
        DnsRequests questions = new DnsRequests(options.size(QUESTIONS_MAX, 1000), count);
        List<BenchTarget> targets = new ArrayList<>();
        targets.add(guidepost(stage, count));
        if (versus.target().isPresent()) {
            targets.add(versus.target().get());
        } else if (KnotUnderTest.isInstalled()) {
            targets.add(KnotUnderTest.start(stage, options.serverCpu(), count));
        }
        Map<String, Supplier<LoadResult>> contestants = new LinkedHashMap<>();
        for (BenchTarget target : targets) {
            UdpLoadGenerator asking = new UdpLoadGenerator(stage.port(), target.address(), questions, outstanding, target::cpuNanos);
            warmUp(stage, target, asking::run);
            contestants.put(target.name(), () -> asking.run(options.roundWarmNanos(), options.windowNanos()));
        }
        AlternatingRounds rounds = AlternatingRounds.play(options.rounds(), contestants, stage.progress());
        List<String> notes = new ArrayList<>(rounds.notes());
        if (targets.size() > 1) {
            String ours = targets.get(0).name();
            String theirs = targets.get(1).name();
            notes.add("Of " + theirs + ": rate " + rounds.ratio(ours, theirs, LoadResult::repliesPerSecond) + ", CPU for each answer "
                    + rounds.ratio(ours, theirs, LoadResult::cpuMicrosPerReply) + ".");
        } else {
            notes.add("Knot is not installed (apt-get install knot): there is nothing to compare with.");
        }
        return new BenchReport("Addresses of " + count + " names over DNS", AlternatingRounds.heading(), rounds.rows(), notes);
    }

    private DoorUnderTest guidepost(BenchStage stage, int count) throws IOException {
        InetSocketAddress address = new InetSocketAddress(InetAddress.getLoopbackAddress(), ServerUnderTest.freeUdpPort());
        ServerUnderTest server = stage.server("guidepost", options.serverCpu(), Map.of(
                "dns.enabled", "true",
                "dns.zone", DnsRequests.ZONE,
                "dns.listen", "127.0.0.1",
                "dns.port", Integer.toString(address.getPort()),
                "udp.segmentation-offload", "off"));
        stage.progress().say("binding " + count + " names");
        AtomicInteger done = new AtomicInteger();
        try (GnrsClient client = GnrsClient.open(server.address())) {
            client.batch(
                    IntStream.range(0, count)
                            .mapToObj(each -> GnrsRequest.insert(DnsRequests.guid(each), List.of(DnsRequests.place(each))))
                            .iterator(),
                    answer -> done.addAndGet(answer.outcome() == GnrsResponse.Outcome.SUCCESS ? 1 : 0));
        }
        if (done.get() != count) {
            throw new BenchFailure("of " + count + " names " + done.get() + " were bound");
        }
        IdleWait.AFTER_LOADING.await(server::cpuNanos);
        return new DoorUnderTest(server, address);
    }
}
