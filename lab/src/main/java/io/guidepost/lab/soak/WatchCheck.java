package io.guidepost.lab.soak;

import io.guidepost.client.NameChange;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** What a watcher of the names of a ledger is told: each acknowledged change, in order. Thread-safe. */
final class WatchCheck {
    static final String ORDER = "watchers are told each acknowledged change, in order";

    private final WriteLedger ledger;
    private final BrokenPromises broken;

    /** Numbers of the states that were told last. */
    private final Map<String, Integer> told = new HashMap<>();

    /** Names of which nothing was told since the watch began anew: what comes first may leave states out. */
    private final Set<String> untold;

    private long changes;
    private long resets;

    WatchCheck(WriteLedger ledger, BrokenPromises broken) {
        this.ledger = ledger;
        this.broken = broken;
        this.untold = new HashSet<>(ledger.names());
        ledger.names().forEach(each -> told.put(each, 0));
    }

    /** Takes what the watcher is told. */
    synchronized void take(NameChange change) {
        switch (change.kind()) {
            case PUT -> changed(change.name(), change.record().map(each -> HttpNamesAccess.state(each.places())).orElse(""));
            case DELETE -> changed(change.name(), "");
            case RESET -> {
                resets++;
                untold.addAll(told.keySet());
            }
            // A name without places is not in a snapshot: it may have lost those of several states.
            case READY -> List.copyOf(untold).forEach(each -> {
                changed(each, "");
                untold.add(each);
            });
        }
    }

    private void changed(String name, String state) {
        Integer before = told.get(name);
        if (before == null) {
            broken.add(ORDER, "a watch tells of " + name + ", which has another prefix or was never written");
            return;
        }
        changes++;
        // A change may be told twice.
        int number = ledger.told(name, state, before - 1);
        if (number < 0) {
            broken.add(ORDER, "a watch tells that " + name + " has '" + state + "', after a later state, or one that was never written");
        } else if (number > before + 1 && !untold.contains(name)) {
            broken.add(ORDER, "a watch leaves out, of " + name + ", " + ledger.states(name, before, number));
        }
        told.put(name, Math.max(before, number));
        // Of what comes first it may be a later state that is alike: the next one tells.
        if (ledger.told(name, state, number) < 0) {
            untold.remove(name);
        }
    }

    /** Returns the names of which the last acknowledged change was not told. */
    synchronized List<String> behind() {
        return told.entrySet().stream()
                .filter(each -> each.getValue() < ledger.acknowledged(each.getKey()))
                // A name of which nothing was told has no places, now as before.
                .filter(each -> !untold.contains(each.getKey()) || !ledger.isAbsent(each.getKey()))
                .map(Map.Entry::getKey)
                .sorted()
                .toList();
    }

    synchronized long changes() {
        return changes;
    }

    /** Returns how often the watch began anew. */
    synchronized long resets() {
        return resets;
    }
}
