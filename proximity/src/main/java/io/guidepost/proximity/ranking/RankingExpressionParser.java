package io.guidepost.proximity.ranking;

import io.guidepost.base.Malformed;
import io.guidepost.base.SpellingSuggestion;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Parses formulas. Trailing text is refused, with the offset of the fault.
 *
 * <pre>
 *   formula = sum [ ( "&lt;" | "&lt;=" | "&gt;" | "&gt;=" | "==" | "!=" ) sum ]
 *   sum     = product { ( "+" | "-" ) product }
 *   product = factor { ( "*" | "/" ) factor }
 *   factor  = "-" factor | number | metric | "unreachable"
 *           | function "(" formula { "," formula } ")" | "(" formula ")"
 *   metric  = "bandwidth" | "latency" | "hops" | "asnumber" | "asdistance" | "weight" | "congestion"
 *   function = "min" (two) | "max" (two) | "abs" | "sqrt" | "log" (natural) | "if" (three: which, then, else)
 *   number  = digits [ "." digits ] [ "e" [ "-" ] digits ]
 * </pre>
 */
final class RankingExpressionParser {
    private static final String UNREACHABLE = "unreachable";

    private static final List<RankingExpression.Operator> COMPARISONS = List.of(
            RankingExpression.Operator.LESS_OR_EQUAL,
            RankingExpression.Operator.GREATER_OR_EQUAL,
            RankingExpression.Operator.EQUAL,
            RankingExpression.Operator.UNEQUAL,
            RankingExpression.Operator.LESS,
            RankingExpression.Operator.GREATER);

    private static final List<RankingExpression.Operator> SUMS =
            List.of(RankingExpression.Operator.ADD, RankingExpression.Operator.SUBTRACT);

    private static final List<RankingExpression.Operator> PRODUCTS =
            List.of(RankingExpression.Operator.MULTIPLY, RankingExpression.Operator.DIVIDE);

    private final String text;
    private int at;
    private int depth;

    private RankingExpressionParser(String text) {
        this.text = text;
    }

    /**
     * Parses a formula.
     *
     * @throws Malformed with the offset in characters
     */
    static RankingExpression read(String text) throws Malformed {
        if (text.length() > RankingLimits.FORMULA_CHARACTERS_MAX) {
            throw new Malformed(
                    "a formula has at most " + RankingLimits.FORMULA_CHARACTERS_MAX + " characters, not " + text.length(),
                    RankingLimits.FORMULA_CHARACTERS_MAX);
        }
        RankingExpressionParser reader = new RankingExpressionParser(text);
        RankingExpression read = reader.formula();
        reader.blanks();
        if (reader.at < text.length()) {
            throw reader.fault("an operator such as + or the end");
        }
        return read;
    }

    /** Returns all words that may occur in a formula. */
    static Stream<String> words() {
        return Stream.of(
                        Stream.of(RankingExpression.Metric.values()).map(each -> each.word),
                        RankingExpression.Operator.FUNCTIONS.stream().map(each -> each.word),
                        Stream.of(UNREACHABLE))
                .flatMap(each -> each);
    }

    private RankingExpression formula() throws Malformed {
        if (++depth > RankingLimits.FORMULA_DEPTH_MAX) {
            throw new Malformed("a formula is at most " + RankingLimits.FORMULA_DEPTH_MAX + " brackets deep", at);
        }
        RankingExpression left = sum();
        RankingExpression.Operator comparison = accept(COMPARISONS);
        if (comparison != null) {
            left = operation(comparison, left, sum());
        }
        depth--;
        return left;
    }

    private RankingExpression sum() throws Malformed {
        RankingExpression left = product();
        for (RankingExpression.Operator each = accept(SUMS); each != null; each = accept(SUMS)) {
            left = operation(each, left, product());
        }
        return left;
    }

    private RankingExpression product() throws Malformed {
        RankingExpression left = factor();
        for (RankingExpression.Operator each = accept(PRODUCTS); each != null; each = accept(PRODUCTS)) {
            left = operation(each, left, factor());
        }
        return left;
    }

    private RankingExpression factor() throws Malformed {
        int negations = 0;
        while (accept("-")) {
            negations++;
        }
        RankingExpression plain = plain();
        return negations % 2 == 0 ? plain : operation(RankingExpression.Operator.NEGATE, plain);
    }

    private RankingExpression plain() throws Malformed {
        if (accept("(")) {
            RankingExpression inner = formula();
            expect(")");
            return inner;
        }
        if (at < text.length() && (digit(text.charAt(at)) || text.charAt(at) == '.')) {
            return number();
        }
        int start = at;
        while (at < text.length() && letter(text.charAt(at))) {
            at++;
        }
        if (at == start) {
            throw fault("a number, a metric, a function or a bracket");
        }
        String word = text.substring(start, at).toLowerCase(Locale.ROOT);
        for (RankingExpression.Metric each : RankingExpression.Metric.values()) {
            if (each.word.equals(word)) {
                return new RankingExpression.Variable(each);
            }
        }
        for (RankingExpression.Operator each : RankingExpression.Operator.FUNCTIONS) {
            if (each.word.equals(word)) {
                return function(each);
            }
        }
        if (word.equals(UNREACHABLE)) {
            return new RankingExpression.Number(Double.NaN);
        }
        throw new Malformed(
                "'" + word + "' is neither a metric nor a function; did you mean '" + SpellingSuggestion.nearest(word, words()) + "'?",
                start);
    }

    private RankingExpression function(RankingExpression.Operator operator) throws Malformed {
        int start = at;
        expect("(");
        List<RankingExpression> operands = new ArrayList<>();
        operands.add(formula());
        while (accept(",")) {
            operands.add(formula());
        }
        expect(")");
        if (operands.size() != operator.operands) {
            throw new Malformed(
                    "'" + operator.word + "' takes " + operator.operands + " operands, not " + operands.size(), start);
        }
        return new RankingExpression.Operation(operator, List.copyOf(operands));
    }

    private RankingExpression number() throws Malformed {
        int start = at;
        digits();
        if (at < text.length() && text.charAt(at) == '.') {
            at++;
            digits();
        }
        if (at < text.length() && (text.charAt(at) | 0x20) == 'e') {
            at++;
            if (at < text.length() && (text.charAt(at) == '-' || text.charAt(at) == '+')) {
                at++;
            }
            digits();
        }
        String written = text.substring(start, at);
        try {
            double value = Double.parseDouble(written);
            if (!Double.isInfinite(value)) {
                return new RankingExpression.Number(value);
            }
        } catch (NumberFormatException e) {
            // The message below is complete without the cause.
        }
        throw new Malformed("'" + written + "' is not a number: write one such as 0.5 or 1e3", start);
    }

    private void digits() {
        while (at < text.length() && digit(text.charAt(at))) {
            at++;
        }
    }

    private static RankingExpression operation(RankingExpression.Operator operator, RankingExpression... operands) {
        return new RankingExpression.Operation(operator, List.of(operands));
    }

    private static boolean digit(char each) {
        return each >= '0' && each <= '9';
    }

    private static boolean letter(char each) {
        return each >= 'a' && each <= 'z' || each >= 'A' && each <= 'Z' || each == '_';
    }

    private void blanks() {
        while (at < text.length() && text.charAt(at) <= ' ') {
            at++;
        }
    }

    private boolean accept(String sign) {
        blanks();
        if (text.startsWith(sign, at)) {
            at += sign.length();
            blanks();
            return true;
        }
        return false;
    }

    /** Returns the operator whose sign comes next; null if it is none of these. */
    private RankingExpression.@Nullable Operator accept(List<RankingExpression.Operator> of) {
        return of.stream().filter(each -> accept(each.word)).findFirst().orElse(null);
    }

    private void expect(String sign) throws Malformed {
        if (!accept(sign)) {
            throw fault("'" + sign + "'");
        }
    }

    private Malformed fault(String expected) {
        String there = at < text.length() ? "'" + text.charAt(at) + "'" : "the end";
        return new Malformed(there + " stands where " + expected + " should", at);
    }
}
