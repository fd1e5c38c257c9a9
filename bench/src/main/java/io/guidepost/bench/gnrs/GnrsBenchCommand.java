package io.guidepost.bench.gnrs;

import io.guidepost.bench.load.GnrsLoadGenerator;
import io.guidepost.bench.load.KeyDistribution;
import io.guidepost.bench.load.LoadProfile;
import io.guidepost.bench.process.BenchFailure;
import io.guidepost.bench.scene.AlternatingRounds;
import io.guidepost.bench.scene.BenchStage;
import io.guidepost.bench.scene.BenchTarget;
import io.guidepost.bench.scene.MedianSpread;
import io.guidepost.bench.scene.ReadinessProbe;
import io.guidepost.bench.scene.RunningServerCommand;
import io.guidepost.bench.scene.VersusOptions;
import io.guidepost.packet.udp.SegmentationOffload;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Measures running GNRS servers. */
@Command(
        name = "gnrs",
        description = {
            "Measures a running GNRS server, or two that alternate.",
            "A closed loop keeps a window of outstanding requests; an open loop sends at a rate, and latency",
            "begins when a request was meant to leave.",
            "",
            "Example: ./guidepost bench gnrs 127.0.0.1:5001 --load --pid $(pgrep -f cli.Main)"
        },
        mixinStandardHelpOptions = true)
public final class GnrsBenchCommand extends RunningServerCommand {
    private static final int PERCENT = LoadProfile.WHOLE / 100;

    @Mixin
    private VersusOptions versus = new VersusOptions();

    @Option(names = "--rate", paramLabel = "N", description = "Requests a second of an open loop; 0 = closed loop.")
    private double rate;

    @Option(
            names = "--outstanding",
            paramLabel = "N",
            description = "Outstanding requests of a closed loop (default ${DEFAULT-VALUE}).")
    private int outstanding = 256;

    @Option(names = "--records", paramLabel = "N", description = "Records that are looked up (default ${DEFAULT-VALUE}).")
    private int records = 100_000;

    @Option(names = "--load", description = "Insert the records first. A server answers for missing ones: not bound.")
    private boolean loading;

    @Option(names = "--zipf", paramLabel = "S", description = "Choose records by Zipf's law with this exponent; 0 = uniformly.")
    private double zipf;

    @Option(names = "--inserts", paramLabel = "PERCENT", description = "INSERTs among the requests.")
    private double inserts;

    @Option(names = "--updates", paramLabel = "PERCENT", description = "UPDATEs among the requests.")
    private double updates;

    @Option(names = "--train", paramLabel = "N", description = "Datagrams in a train (UDP GSO).")
    private int train = 1;

    @Option(names = "--flows", paramLabel = "N", description = "Sockets of the generator (default ${DEFAULT-VALUE}).")
    private int flows = 1;

    @Override
    protected void prepare(BenchStage stage) {
        add(stage, target());
        versus.target().ifPresent(second -> add(stage, second));
    }

    private void add(BenchStage stage, BenchTarget target) {
        try (ReadinessProbe probe = new ReadinessProbe(target.address())) {
            if (probe.ask(0, 2000, () -> true) == null) {
                throw new BenchFailure("no answer from " + target.name() + " within two seconds: is a GNRS server there?");
            }
        }
        if (loading) {
            stage.load(target, records);
        }
        GnrsLoadGenerator generator = stage.generator(target, wanted(), flows, train > 1 ? SegmentationOffload.ON
                : SegmentationOffload.OFF);
        add(stage, target.name(), generator::run, 0.3);
    }

    private LoadProfile wanted() {
        KeyDistribution lookups = zipf > 0 ? KeyDistribution.zipf(records, zipf, 1) : KeyDistribution.uniform(records, 1);
        LoadProfile load = rate > 0 ? LoadProfile.open(lookups, rate) : LoadProfile.closed(lookups, Math.max(outstanding, train));
        LoadProfile mixed = load.withChanges(
                KeyDistribution.uniform(records, 2), (int) Math.round(inserts * PERCENT), (int) Math.round(updates * PERCENT));
        return train > 1 ? mixed.withTrains(train) : mixed;
    }

    @Override
    protected String title() {
        String how = rate > 0 ? "at " + MedianSpread.number(rate) + "/s" : "with " + outstanding + " outstanding";
        return "GNRS " + how + ", " + MedianSpread.number(records) + " records";
    }

    @Override
    protected List<String> notes(AlternatingRounds played) {
        List<String> notes = new ArrayList<>(super.notes(played));
        if (!loading && notes.stream().anyMatch(note -> note.contains(" not bound"))) {
            notes.add("Some names are not bound: --load inserts them first.");
        }
        return notes;
    }
}
