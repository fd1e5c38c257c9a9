package io.guidepost.bench.packet;

import io.guidepost.bench.load.GnrsLoadGenerator;
import io.guidepost.bench.load.KeyDistribution;
import io.guidepost.bench.load.LoadProfile;
import io.guidepost.bench.load.LoadResult;
import io.guidepost.bench.process.BenchFailure;
import io.guidepost.bench.process.ProcessPinning;
import io.guidepost.bench.scene.BenchReport;
import io.guidepost.bench.scene.BenchScene;
import io.guidepost.bench.scene.BenchStage;
import io.guidepost.bench.scene.HeapUse;
import io.guidepost.bench.scene.MedianSpread;
import io.guidepost.bench.scene.ServerUnderTest;
import io.guidepost.packet.udp.SegmentationOffload;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** A minute of load without a garbage collection. */
@Command(
        name = "collections",
        description = {
            "Shows that the packet path allocates nothing: captures and filters frames of a device of DPDK, and answers GNRS",
            "lookups over UDP of the kernel, a minute each, and counts garbage collections and bytes allocated in the whole",
            "process. Fails if there was a collection. Everything else that the process does counts too: its compiler",
            "and timers, and the two reads of the server's counters.",
            "",
            "Example: ./guidepost bench collections --seconds 60"
        },
        mixinStandardHelpOptions = true)
public final class CollectionsScene extends BenchScene {
    private static final double NANOS_PER_SECOND = 1e9;
    private static final int OUTSTANDING = 512;
    private static final int FLOWS = 16;

    @Option(names = "--records", paramLabel = "N", description = "Records of the server (default ${DEFAULT-VALUE}).")
    private int records = 100_000;

    @Option(names = "--rules", paramLabel = "N", description = "Rules of the firewall (default ${DEFAULT-VALUE}).")
    private int rules = 100;

    @Override
    public void pin() {
        // Nothing is compared, so no process is pinned.
    }

    @Override
    public BenchReport play(BenchStage stage) throws IOException {
        List<List<Object>> rows = new ArrayList<>();
        List<String> notes = new ArrayList<>();
        List<String> collected = new ArrayList<>();
        if (!DpdkScene.flags().isEmpty()) {
            for (String work : List.of("capture", "list", "tree")) {
                String name = work.equals("capture") ? "frames captured" : "firewall, " + work;
                add(name, frames(stage, work), rows, collected);
            }
        } else {
            notes.add("There is no DPDK here (Debian: apt-get install libdpdk-dev dpdk): frames were left out.");
        }
        add("GNRS lookups", lookups(stage), rows, collected);
        stage.progress().done();
        if (!options.smoke() && !collected.isEmpty()) {
            throw new BenchFailure("there were garbage collections: " + String.join(", ", collected));
        }
        return new BenchReport(
                "Garbage collections under load",
                List.of("", "seconds", "packets", "collections", "bytes allocated", "bytes per million packets"),
                rows,
                notes);
    }

    /** Counts of one window. */
    private record Window(double seconds, long packets, HeapUse heap) {}

    private static void add(String name, Window window, List<List<Object>> rows, List<String> collected) {
        HeapUse heap = window.heap();
        rows.add(List.of(
                name,
                String.format(Locale.ROOT, "%.1f", window.seconds()),
                String.format(Locale.ROOT, "%,d", window.packets()),
                Long.toString(heap.collections()),
                String.format(Locale.ROOT, "%,d", heap.allocatedBytes()),
                MedianSpread.number(heap.allocatedBytes() * 1e6 / Math.max(1, window.packets()))));
        if (heap.collections() > 0) {
            collected.add(heap.collections() + " (" + name + ")");
        }
    }

    private Window frames(BenchStage stage, String work) throws IOException {
        stage.progress().say(work);
        Path frames = stage.folder().resolve("frames");
        Path list = stage.folder().resolve("rules");
        DpdkTraffic.write(frames, rules, DpdkTraffic.TEMPLATE_BYTES);
        Files.writeString(list, DpdkTraffic.rules(rules, false));
        List<String> command = new ArrayList<>(DpdkScene.javaCommand());
        command.addAll(List.of("--device", "net_null0,size=" + DpdkTraffic.TEMPLATE_BYTES));
        command.addAll(List.of("--work", work, "--frames", frames.toString(), "--rules", list.toString()));
        try (DpdkContestant one = DpdkContestant.start("java", ProcessPinning.ANYWHERE, stage.folder(), command)) {
            one.work(options.warmNanos());
            DpdkContestant.Result result = one.work(options.windowNanos());
            return new Window(result.nanos() / NANOS_PER_SECOND, result.frames(), result.heap());
        }
    }

    private Window lookups(BenchStage stage) {
        int count = options.size(records, 1000);
        ServerUnderTest server = stage.server("guidepost", ProcessPinning.ANYWHERE, Map.of());
        stage.load(server, count);
        LoadProfile load = LoadProfile.closed(KeyDistribution.uniform(count, 1), OUTSTANDING);
        GnrsLoadGenerator generator = stage.generator(server, load, FLOWS, SegmentationOffload.OFF);
        stage.progress().say("lookups");
        generator.run(options.warmNanos(), 0);
        HeapUse before = HeapUse.of(server);
        LoadResult tally = generator.run(0, options.windowNanos());
        HeapUse heap = HeapUse.of(server).since(before);
        return new Window(options.windowNanos() / NANOS_PER_SECOND, tally.replies(), heap);
    }
}
