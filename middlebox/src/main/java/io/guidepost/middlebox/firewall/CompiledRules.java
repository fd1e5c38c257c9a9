package io.guidepost.middlebox.firewall;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * All that a burst is decided by, made at once and never changed: a reload makes the next one aside, and each way through
 * the firewall uses it from its next burst on. Counters of rules whose text stays go on.
 */
final class CompiledRules {
    private final RuleSet rules;
    private final PacketClassifier in;
    private final PacketClassifier out;
    private final byte[] passes;
    private final boolean logs;
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

    /** Returns the same with other rules. */
    CompiledRules next(RuleSet other, ClassifierKind classifier, int ways) {
        Map<String, RuleCounter> known = new HashMap<>();
        List<String> keys = counterKeys();
        for (int i = 0; i < counters.length; i++) {
            known.put(keys.get(i), counters[i]);
        }
        return new CompiledRules(other, classifier, ways, known);
    }

    /** Returns what a counter is found again by: the rule's text and, of equal ones, which it is. */
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

    /** By the number of a rule 1 if it allows, else 0; the last is of packets that none fits. Not to be changed. */
    byte[] passes() {
        return passes;
    }

    /** Returns whether any rule wants a line in the log. */
    boolean logs() {
        return logs;
    }

    /**
     * By the number of a rule where a way counts what fits it, see {@link RuleCounter#add}. Not to be changed; and who
     * counts keeps these rules reachable meanwhile.
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
