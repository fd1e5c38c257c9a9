package io.guidepost.bench.scene;

import io.guidepost.bench.load.LoadResult;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import java.util.function.ToDoubleFunction;

/**
 * Alternating rounds of contestants, A B A B: a machine that slows down for a while slows all, and ratios are taken
 * within a round.
 */
public final class AlternatingRounds {
    private final Map<String, List<LoadResult>> tallies = new LinkedHashMap<>();

    /** Runs each contestant once in every round. */
    public static AlternatingRounds play(int rounds, Map<String, Supplier<LoadResult>> contestants, TerminalProgress progress) {
        AlternatingRounds played = new AlternatingRounds();
        contestants.keySet().forEach(name -> played.tallies.put(name, new ArrayList<>()));
        for (int round = 1; round <= rounds; round++) {
            for (Map.Entry<String, Supplier<LoadResult>> each : contestants.entrySet()) {
                progress.say("round " + round + " of " + rounds + ": " + each.getKey());
                played.add(each.getKey(), each.getValue().get());
            }
        }
        progress.done();
        return played;
    }

    /** Adds a contestant's next round. */
    void add(String name, LoadResult tally) {
        tallies.computeIfAbsent(name, key -> new ArrayList<>()).add(tally);
    }

    /** Returns a figure of one contestant over the rounds. */
    public MedianSpread spread(String name, ToDoubleFunction<LoadResult> figure) {
        return MedianSpread.of(of(name), figure);
    }

    /** Returns a figure of one contestant divided by that of another, round by round. */
    public MedianSpread ratio(String name, String other, ToDoubleFunction<LoadResult> figure) {
        return MedianSpread.ratio(of(name), of(other), figure);
    }

    /** Returns the columns of every scene with lookups. */
    public static List<String> heading() {
        return List.of(
                "", "replies/s", "CPU us/reply", "p50 us", "p99 us", "p99.9 us", "max us", "lost %", "server busy",
                "generator busy", "rate, first / this", "CPU, first / this");
    }

    /** Returns a row for each contestant under {@link #heading}. */
    public List<List<Object>> rows() {
        List<List<Object>> rows = new ArrayList<>();
        String first = tallies.keySet().iterator().next();
        for (String name : tallies.keySet()) {
            rows.add(List.of(
                    name,
                    spread(name, LoadResult::repliesPerSecond),
                    spread(name, LoadResult::cpuMicrosPerReply),
                    spread(name, tally -> tally.latencyMicros(50)),
                    spread(name, tally -> tally.latencyMicros(99)),
                    spread(name, tally -> tally.latencyMicros(99.9)),
                    spread(name, LoadResult::latencyMicrosMax),
                    spread(name, tally -> 100 * tally.lossShare()),
                    spread(name, LoadResult::serverBusy),
                    spread(name, tally -> 1 - tally.generatorIdle()),
                    name.equals(first) ? "" : ratio(first, name, LoadResult::repliesPerSecond),
                    name.equals(first) ? "" : ratio(first, name, LoadResult::cpuMicrosPerReply)));
        }
        return rows;
    }

    /** Returns the notes of the rounds: ratios of the first contestant to each other, and wrong responses. */
    public List<String> notes() {
        List<String> notes = new ArrayList<>();
        List<String> names = List.copyOf(tallies.keySet());
        for (String other : names.subList(1, names.size())) {
            String pair = names.getFirst() + " / " + other;
            notes.add(pair + ": replies/s " + ratio(names.getFirst(), other, LoadResult::repliesPerSecond)
                    + ", CPU per reply " + ratio(names.getFirst(), other, LoadResult::cpuMicrosPerReply) + ".");
        }
        for (String name : names) {
            warnings(name, notes);
        }
        notes.add("Median of " + of(names.getFirst()).size() + " alternating rounds (smallest-largest).");
        return notes;
    }

    private void warnings(String name, List<String> notes) {
        long wrong = of(name).stream().mapToLong(LoadResult::wrong).sum();
        long missing = of(name).stream().mapToLong(LoadResult::missing).sum();
        long failed = of(name).stream().mapToLong(LoadResult::failed).sum();
        if (wrong + missing + failed > 0) {
            notes.add(name + ": wrong responses: " + wrong + " wrong, " + missing + " not bound, " + failed
                    + " failed.");
        }
        long limited = of(name).stream().filter(LoadResult::generatorIsLimit).count();
        if (limited > 0) {
            notes.add(name + ": in " + limited + " of " + of(name).size() + " rounds the generator was the bottleneck (it"
                    + " never waited, the server did): the rate says nothing, the CPU per reply does.");
        }
    }

    /** Returns the rounds of one contestant. */
    public List<LoadResult> of(String name) {
        List<LoadResult> rounds = tallies.get(name);
        if (rounds == null) {
            throw new IllegalArgumentException("there is no contestant " + name + " among " + tallies.keySet());
        }
        return rounds;
    }
}
