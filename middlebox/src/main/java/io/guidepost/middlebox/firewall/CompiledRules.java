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
    private final Matcher in;
    private final Matcher out;
    private final boolean[] allowed;
    private final boolean[] logged;
    private final boolean[] plain;
    private final RuleCounter[] counters;

    CompiledRules(RuleSet rules, Classifier classifier, int ways) {
        this(rules, classifier, ways, Map.of());
    }

    private CompiledRules(RuleSet rules, Classifier classifier, int ways, Map<String, RuleCounter> before) {
        this.rules = rules;
        this.in = classifier.compile(RuleTable.of(rules.rules(), Direction.IN));
        this.out = classifier.compile(RuleTable.of(rules.rules(), Direction.OUT));
        int number = rules.rules().size();
        this.allowed = new boolean[number + 1];
        this.logged = new boolean[number + 1];
        this.plain = new boolean[number + 1];
        this.counters = new RuleCounter[number + 1];
        for (int i = 0; i < number; i++) {
            allowed[i] = rules.rules().get(i).action() == Action.ALLOW;
            logged[i] = rules.rules().get(i).log();
        }
        allowed[number] = rules.otherwise() == Action.ALLOW;
        for (int i = 0; i <= number; i++) {
            plain[i] = allowed[i] && !logged[i];
        }
        List<String> keys = counterKeys();
        for (int i = 0; i <= number; i++) {
            RuleCounter known = before.get(keys.get(i));
            counters[i] = known != null ? known : new RuleCounter(ways);
        }
    }

    /** The same with other rules. */
    CompiledRules next(RuleSet other, Classifier classifier, int ways) {
        Map<String, RuleCounter> known = new HashMap<>();
        List<String> keys = counterKeys();
        for (int i = 0; i < counters.length; i++) {
            known.put(keys.get(i), counters[i]);
        }
        return new CompiledRules(other, classifier, ways, known);
    }

    /** What a counter is found again by: the rule's text and, of equal ones, which it is. */
    private List<String> counterKeys() {
        Map<String, Integer> seen = new HashMap<>();
        List<String> keys = new ArrayList<>();
        for (Rule each : rules.rules()) {
            keys.add(each.text() + '#' + seen.merge(each.text(), 1, Integer::sum));
        }
        keys.add("");
        return keys;
    }

    Matcher matcher(Direction direction) {
        return direction == Direction.IN ? in : out;
    }

    boolean allows(int rule) {
        return allowed[rule];
    }

    boolean logs(int rule) {
        return logged[rule];
    }

    /** Whether neither a drop nor a line of the log is due for what a rule fits: the commonest case, asked first. */
    boolean justPasses(int rule) {
        return plain[rule];
    }

    RuleCounter counter(int rule) {
        return counters[rule];
    }

    RuleSet rules() {
        return rules;
    }
}
