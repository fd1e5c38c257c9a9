package io.guidepost.bench.gate;

import io.guidepost.bench.scene.BenchResult;
import io.guidepost.bench.scene.MedianSpread;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * What came of a row of the gate.
 *
 * @param observations of one run, or of two if the first did not hold it
 */
record GateVerdict(GateExpectation expectation, List<Observation> observations) {
    private static final String NO_C = "No comparison with C";

    /** What a run showed. */
    sealed interface Observation {}

    /**
     * The figures of a run. Whatever else the machine does only adds to processor time, and a slower program is slower in its
     * best round too: so the best rounds are compared.
     */
    record Seen(MedianSpread ours, MedianSpread baseline) implements Observation {
        double ratio() {
            return ours.min() / baseline.min();
        }
    }

    /** Why this machine cannot show a ratio. */
    record LeftOut(String reason) implements Observation {}

    /** Why the run went wrong. */
    record Broken(String reason) implements Observation {}

    /** Returns the verdict of one run of the row's scene. */
    static GateVerdict of(GateExpectation expectation, SceneOutcome outcome) {
        Observation seen = switch (outcome) {
            case SceneOutcome.Played(BenchResult result) -> observation(expectation, result);
            case SceneOutcome.Missing(String reason) -> new LeftOut(reason);
            case SceneOutcome.Failed(String reason) -> new Broken(reason);
        };
        return new GateVerdict(expectation, List.of(seen));
    }

    private static Observation observation(GateExpectation expectation, BenchResult result) {
        Optional<MedianSpread> ours = expectation.ours().of(result);
        Optional<MedianSpread> baseline = expectation.baseline().of(result);
        if (ours.isEmpty()) {
            return new Broken("the scene shows no '" + expectation.ours() + "'");
        }
        if (baseline.isPresent()) {
            return new Seen(ours.get(), baseline.get());
        }
        return result.notes().stream()
                .filter(note -> note.startsWith(NO_C))
                .findFirst()
                .<Observation>map(LeftOut::new)
                .orElse(new Broken("the scene shows no '" + expectation.baseline() + "'"));
    }

    /** Returns the verdict with that of a further run. */
    GateVerdict then(GateVerdict next) {
        List<Observation> all = new ArrayList<>(observations);
        all.addAll(next.observations);
        return new GateVerdict(expectation, all);
    }

    private Observation last() {
        return observations.getLast();
    }

    /** Returns whether the last run held the row, or could not be made here. */
    boolean holds() {
        return switch (last()) {
            case Seen seen -> expectation.holds(seen.ratio());
            case LeftOut _ -> true;
            case Broken _ -> false;
        };
    }

    boolean leftOut() {
        return last() instanceof LeftOut;
    }

    /** Returns the cells of its row in the table. */
    List<Object> cells() {
        return switch (last()) {
            case Seen seen -> List.of(
                    expectation.name(),
                    GateExpectation.number(expectation.expected()),
                    GateExpectation.number(expectation.most()),
                    GateExpectation.number(seen.ratio()),
                    String.format(Locale.ROOT, "%.0f %%", 100 * expectation.share(seen.ratio())),
                    seen.ours,
                    seen.baseline,
                    (holds() ? "holds" : "FAILS") + before());
            case LeftOut(String reason) -> unseen("left out: " + reason);
            case Broken(String reason) -> unseen("FAILS: " + reason);
        };
    }

    private List<Object> unseen(String why) {
        return List.of(
                expectation.name(),
                GateExpectation.number(expectation.expected()),
                GateExpectation.number(expectation.most()),
                "", "", "", "",
                why + before());
    }

    private String before() {
        if (observations.size() == 1) {
            return "";
        }
        return observations.getFirst() instanceof Seen seen
                ? ", run twice, first " + GateExpectation.number(seen.ratio())
                : ", run twice, the first went wrong";
    }
}
