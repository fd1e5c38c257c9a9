package io.guidepost.bench.store;

import io.guidepost.bench.load.KeyDistribution;
import io.guidepost.bench.load.LoadProfile;
import io.guidepost.bench.load.LoadResult;
import io.guidepost.bench.process.BenchFailure;
import io.guidepost.bench.scene.AlternatingRounds;
import io.guidepost.bench.scene.BenchReport;
import io.guidepost.bench.scene.BenchScene;
import io.guidepost.bench.scene.BenchStage;
import io.guidepost.bench.scene.BenchTarget;
import io.guidepost.bench.scene.MedianSpread;
import io.guidepost.bench.scene.ServerUnderTest;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Many records against few, and what a restart costs with many. */
@Command(
        name = "records",
        description = {
            "Lookups with many records against few; memory; reopening after kill -9.",
            "The time until the first answer, and until the index is warm again.",
            "",
            "Example: ./guidepost bench records --records 10000000"
        },
        mixinStandardHelpOptions = true)
public final class RecordsScene extends BenchScene {
    /** Room in the read index for each record, a fifth above what one takes. */
    private static final long INDEX_BYTES = 144;

    private static final long WARM_NANOS_MAX = TimeUnit.MINUTES.toNanos(10);
    private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

    @Option(names = "--records", paramLabel = "N", description = "Many records (default ${DEFAULT-VALUE}).")
    private int records = 10_000_000;

    @Option(names = "--few", paramLabel = "N", description = "Few records (default ${DEFAULT-VALUE}).")
    private int few = 100_000;

    @Override
    public BenchReport play(BenchStage stage) {
        int many = options.size(records, 20_000);
        int little = options.size(few, 1000);
        long memory = Math.max(8L << 30, INDEX_BYTES * many);
        Map<String, String> settings = Map.of("store.memory", Long.toString(memory), "udp.segmentation-offload", "off");
        ServerUnderTest large = stage.server(MedianSpread.number(many) + " records", options.serverCpu(), settings);
        ServerUnderTest small = stage.server(MedianSpread.number(little) + " records", options.serverCpu(), settings);
        long empty = large.residentBytes();
        stage.load(small, little);
        stage.load(large, many);
        long loaded = large.residentBytes();
        AlternatingRounds rounds = play(stage, many, large, little, small);
        List<String> notes = new ArrayList<>(rounds.notes());
        notes.add("Memory resident for " + MedianSpread.number(many) + " records: " + MedianSpread.number(loaded / 1e6)
                + " MB, of which " + MedianSpread.number((double) (loaded - empty) / many)
                + " bytes for each record beyond the empty server.");
        notes.add(reopening(stage, large));
        return new BenchReport("Many records", AlternatingRounds.heading(), rounds.rows(), notes);
    }

    private AlternatingRounds play(BenchStage stage, int many, ServerUnderTest large, int little, ServerUnderTest small) {
        Map<String, Supplier<LoadResult>> contestants = new LinkedHashMap<>();
        contestants.put(large.name(), asks(stage, large, many));
        contestants.put(small.name(), asks(stage, small, little));
        return AlternatingRounds.play(options.rounds(), contestants, stage.progress());
    }

    private Supplier<LoadResult> asks(BenchStage stage, BenchTarget target, int count) {
        return contestant(stage, target, stage.generator(target, LoadProfile.closed(KeyDistribution.uniform(count, 1), 256)));
    }

    private String reopening(BenchStage stage, ServerUnderTest server) {
        stage.progress().say("killing and reopening " + server.name());
        server.killAndLaunch();
        double first = server.awaitRecord() / 1e3;
        long begin = System.nanoTime();
        while (!warm(server)) {
            if (System.nanoTime() - begin > WARM_NANOS_MAX) {
                throw new BenchFailure(server.name() + " was not warm ten minutes after it was reopened");
            }
            LockSupport.parkNanos(LOOK_NANOS);
        }
        double warm = first + (System.nanoTime() - begin) / 1e9;
        return "Reopened after kill -9: the first answer with a record came after " + MedianSpread.number(first)
                + " s, the index was warm after " + MedianSpread.number(warm) + " s.";
    }

    private static boolean warm(ServerUnderTest server) {
        return server.metric("guidepost_store_warming") == 0;
    }
}
