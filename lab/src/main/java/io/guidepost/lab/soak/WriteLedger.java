package io.guidepost.lab.soak;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * What clients wrote under some names, and what an answer may therefore be. A name goes through states, each the text of its places,
 * empty where it has none. It is written by one client at a time, through any door, and no place is written twice; so an answer tells
 * which write it comes from. Thread-safe.
 *
 * <pre>
 *  states    a   b   c   d      an answer to a look that began now is c, or d, whose write is under way;
 *                    |   |      b is older than an acknowledged write, and e was never written
 *         acknowledged   last
 * </pre>
 */
final class WriteLedger {
    static final String OLDER = "no answer is older than an acknowledged write";
    static final String LOST = "an acknowledged write is there";
    static final String NEVER_WRITTEN = "no answer was never written";

    /** States of a name that are kept: more than are written while one look, or a watch, is behind. */
    private static final int STATES_MAX = 256;

    private static final int PLACES_MAX = 3;
    private static final int PORT = 7000;

    private final BrokenPromises broken;
    private final boolean single;
    private final Map<String, History> histories = new TreeMap<>();
    private final List<String> names;
    private int places;
    private int process;

    private static final class History {
        private final List<String> states = new ArrayList<>(List.of(""));

        /** Number of the first state that is kept. */
        private int first;

        private int acknowledged;
        private boolean writing;

        /** Whether it is not known which of the states behind the acknowledged one it has. */
        private boolean doubtful;

        /** Number of the process from which on a write in doubt takes no effect any more. */
        private int settledFrom;

        private int last() {
            return first + states.size() - 1;
        }

        private String state(int number) {
            return states.get(number - first);
        }

        /** Returns the number of the last state, of those from one number on, that is so; -1 if there is none. */
        private int find(String state, int from) {
            for (int number = last(); number >= Math.max(from, first); number--) {
                if (state(number).equals(state)) {
                    return number;
                }
            }
            return -1;
        }

        private void add(String state) {
            states.add(state);
            if (states.size() > STATES_MAX) {
                states.removeFirst();
                first++;
            }
        }

        /** Forgets states behind a number. */
        private void end(int number) {
            while (last() > number) {
                states.removeLast();
            }
            acknowledged = number;
        }
    }

    /**
     * A write that is under way.
     *
     * @param process number of the process that was there when it began
     */
    record Write(String name, String before, String after, int process) {
        /** Returns the places of the state that it leads to. */
        List<String> places() {
            return after.isEmpty() ? List.of() : List.of(after.split(","));
        }

        /** Returns the places that it adds; empty if it also takes some away. */
        List<String> adds() {
            List<String> adds = new ArrayList<>(places());
            List<String> has = before.isEmpty() ? List.of() : List.of(before.split(","));
            adds.removeAll(has);
            return adds.size() + has.size() == places().size() ? adds : List.of();
        }
    }

    /** A look that is under way: an answer is of this state, or of a later one. */
    record Look(String name, int floor) {}

    /**
     * A ledger of names that have no places.
     *
     * @param single whether a name has one place at most
     */
    WriteLedger(List<String> names, boolean single, BrokenPromises broken) {
        this.names = List.copyOf(names);
        this.single = single;
        this.broken = broken;
        names.forEach(each -> histories.put(each, new History()));
    }

    List<String> names() {
        return names;
    }

    /** Begins a write of a name that no write is under way for or in doubt; empty if none was found. */
    synchronized Optional<Write> write(SplittableRandom random) {
        String name = names.get(random.nextInt(names.size()));
        History history = history(name);
        if (history.writing || history.doubtful) {
            return Optional.empty();
        }
        String before = history.state(history.last());
        int dice = random.nextInt(8);
        List<String> has = before.isEmpty() ? List.of() : List.of(before.split(","));
        List<String> next = new ArrayList<>(dice < 4 && !single && has.size() < PLACES_MAX ? has : List.of());
        next.add(place());
        String after = dice == 0 && !has.isEmpty() ? "" : state(next);
        history.writing = true;
        history.add(after);
        return Optional.of(new Write(name, before, after, process));
    }

    /** Returns a place that was never given before. */
    private String place() {
        places++;
        return "10." + (places >> 16 & 255) + "." + (places >> 8 & 255) + "." + (places & 255) + ":" + PORT;
    }

    /** Returns the state of a name that has these places. */
    static String state(Collection<String> places) {
        return places.stream().sorted().collect(Collectors.joining(","));
    }

    private History history(String name) {
        History history = histories.get(name);
        if (history == null) {
            throw new IllegalArgumentException("'" + name + "' is not written");
        }
        return history;
    }

    synchronized void acknowledged(Write write) {
        History history = history(write.name);
        history.writing = false;
        history.acknowledged = history.last();
    }

    /**
     * It is not known whether a write was done, or will be.
     *
     * @param answered whether the server answered at all: then it does not work on it any more
     */
    synchronized void inDoubt(Write write, boolean answered) {
        History history = history(write.name);
        history.writing = false;
        history.doubtful = true;
        history.settledFrom = answered ? 0 : write.process + 1;
    }

    /** The process that was asked so far has ended: what it was asked, and did not do, will not be done. */
    synchronized void processEnded() {
        process++;
    }

    /** Begins a look at a name. */
    synchronized Look look(String name) {
        return new Look(name, history(name).acknowledged);
    }

    /** Checks what a look found, and notes what was broken. */
    synchronized void judge(Look look, String door, String found) {
        History history = history(look.name);
        if (history.find(found, look.floor) >= 0) {
            return;
        }
        String wanted = history.state(Math.max(look.floor, history.first));
        String promise = found.isEmpty() ? LOST : history.find(found, history.first) >= 0 ? OLDER : NEVER_WRITTEN;
        broken.add(promise, door + " answers " + text(found) + " for " + look.name + ", which has " + text(wanted) + " or later");
    }

    private static String text(String state) {
        return state.isEmpty() ? "nothing" : state;
    }

    /** Notes what a look found of a name while no other process can do a write that is in doubt: it is not in doubt any more. */
    synchronized void settle(Look look, String found) {
        History history = history(look.name);
        int number = history.find(found, look.floor);
        if (history.doubtful && process >= history.settledFrom && number >= 0) {
            history.end(number);
            history.doubtful = false;
        }
    }

    /** Returns the number of the state that a watch told, the first behind a number that is so; -1 if there is none. */
    synchronized int told(String name, String state, int behind) {
        History history = history(name);
        for (int number = Math.max(behind + 1, history.first); number <= history.last(); number++) {
            if (history.state(number).equals(state)) {
                return number;
            }
        }
        return -1;
    }

    /** Returns the states from one number to another, for people. */
    synchronized String states(String name, int from, int to) {
        History history = history(name);
        return IntStream.rangeClosed(Math.max(from, history.first), to)
                .mapToObj(each -> text(history.state(each)))
                .collect(Collectors.joining(" -> "));
    }

    /** Returns the number of the last acknowledged state. */
    synchronized int acknowledged(String name) {
        return history(name).acknowledged;
    }

    /** Returns whether a name has no places by the last acknowledged write. */
    synchronized boolean isAbsent(String name) {
        History history = history(name);
        return history.state(history.acknowledged).isEmpty();
    }

    /** Returns how many names it does not know the state of. */
    synchronized long doubtful() {
        return histories.values().stream().filter(each -> each.doubtful).count();
    }
}
