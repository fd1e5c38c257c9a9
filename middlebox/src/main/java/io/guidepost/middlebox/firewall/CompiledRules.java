package io.guidepost.middlebox.firewall;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The immutable compiled rule set: a reload compiles the next one in the background, and each pipeline uses it from its
 * next burst on. Rules with unchanged text keep their counters.
 */
final class CompiledRules {
    private final RuleSet rules;
    private final PacketClassifier in;
    private final PacketClassifier out;
    /** For each rule 1 if it allows, else 0; the last is the default. Read-only. */
    final byte[] passes;
    final boolean logs;
    private final RuleCounter[] counters;
    private final long[][] cells;

    CompiledRules(RuleSet rules, ClassifierKind classifier, int ways) {
        this(rules, classifier, ways, Map.of());
    }

    private CompiledRules(RuleSet rules, ClassifierKind classifier, int ways, Map<String, RuleCounter> before) {
        this.rules = rules;
        this.in = classifier.compile(RuleTable.of(rules.rules(), RuleDirection.IN));
        this.out = classifier.compile(RuleTable.of(rules.rules(), RuleDirection.OUT));
        int number = rules.rules().size();
        this.passes = new byte[number + 1];
        this.logs = rules.rules().stream().anyMatch(FirewallRule::log);
        for (int i = 0; i < number; i++) {
            passes[i] = verdict(rules.rules().get(i).action());
        }
        passes[number] = verdict(rules.otherwise());
        this.counters = counters(counterKeys(), before, ways);
        this.cells = new long[ways][];
        for (int way = 0; way < ways; way++) {
            cells[way] = cells(way);
        }
    }

    private static RuleCounter[] counters(List<String> keys, Map<String, RuleCounter> before, int ways) {
        RuleCounter[] fresh = RuleCounter.make((int) keys.stream().filter(key -> !before.containsKey(key)).count(), ways);
        RuleCounter[] all = new RuleCounter[keys.size()];
        int used = 0;
        for (int i = 0; i < all.length; i++) {
            RuleCounter known = before.get(keys.get(i));
            all[i] = known != null ? known : fresh[used++];
        }
        return all;
    }

    private static byte verdict(RuleAction action) {
        return (byte) (action == RuleAction.ALLOW ? 1 : 0);
    }

    private long[] cells(int way) {
        long[] addresses = new long[counters.length];
        for (int i = 0; i < addresses.length; i++) {
            addresses[i] = counters[i].address(way);
        }
        return addresses;
    }

    /** Returns the compiled form of other rules, with counters carried over. */
    CompiledRules next(RuleSet other, ClassifierKind classifier, int ways) {
        Map<String, RuleCounter> known = new HashMap<>();
        List<String> keys = counterKeys();
        for (int i = 0; i < counters.length; i++) {
            known.put(keys.get(i), counters[i]);
        }
        return new CompiledRules(other, classifier, ways, known);
    }

    /** Returns the keys of the counters: the rule's text and, among equal ones, its number. */
    private List<String> counterKeys() {
        Map<String, Integer> seen = new HashMap<>();
        List<String> keys = new ArrayList<>();
        for (FirewallRule each : rules.rules()) {
            keys.add(each.text() + '#' + seen.merge(each.text(), 1, Integer::sum));
        }
        keys.add("");
        return keys;
    }

    PacketClassifier matcher(RuleDirection direction) {
        return direction == RuleDirection.IN ? in : out;
    }

    /**
     * Returns for each rule the address of a pipeline's counter, see {@link RuleCounter#add}. Read-only; the counting
     * thread keeps these rules reachable.
     */
    long[] cellsOf(int way) {
        return cells[way];
    }

    RuleCounter counter(int rule) {
        return counters[rule];
    }

    RuleSet rules() {
        return rules;
    }
}
