package io.guidepost.alto.cost;

import io.guidepost.alto.protocol.AltoError;
import io.guidepost.alto.protocol.AltoInput;
import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A constraint on costs, such as {@code ge 20} (RFC 7285 section 11.3.2.3) or {@code [1] le 50} (RFC 8189 section
 * 4.1.3).
 *
 * @param type index of the testable cost type, from 0
 * @param operator comparison
 * @param bound to compare with
 */
record CostConstraint(int type, Operator operator, double bound) {
    private static final Pattern FORM =
            Pattern.compile("(?:\\[\\s*(\\d{1,4})\\s*\\]\\s*)?([a-z]{2})\\s+(-?\\d{1,300}(?:\\.\\d{1,300})?(?:[eE][+-]?\\d{1,3})?)\\s*");

    /** The operators; there is none for "not equal". */
    enum Operator {
        GT,
        LT,
        GE,
        LE,
        EQ;

        private static Optional<Operator> of(String word) {
            return Arrays.stream(values()).filter(each -> each.name().toLowerCase(Locale.ROOT).equals(word)).findFirst();
        }
    }

    static CostConstraint read(AltoInput asked, String name, String text, int types) throws AltoError {
        Matcher parts = FORM.matcher(text.strip());
        Optional<Operator> operator = parts.matches() ? Operator.of(parts.group(2)) : Optional.empty();
        if (operator.isEmpty()) {
            throw asked.refused(name, text, "a constraint is gt, lt, ge, le or eq, and a number");
        }
        int type = parts.group(1) == null ? 0 : Integer.parseInt(parts.group(1));
        if (type >= types) {
            throw asked.refused(name, text, "there are " + types + " testable cost types, numbered from 0");
        }
        return new CostConstraint(type, operator.get(), Double.parseDouble(parts.group(3)));
    }

    /** Returns whether a cost satisfies the constraint; an unknown cost does not. */
    boolean passes(double cost) {
        return switch (operator) {
            case GT -> cost > bound;
            case LT -> cost < bound;
            case GE -> cost >= bound;
            case LE -> cost <= bound;
            case EQ -> cost == bound;
        };
    }
}
