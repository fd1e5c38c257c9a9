package io.guidepost.proximity.ranking;

import java.util.List;

/** A formula over {@link PathMetrics}, parsed by {@link RankingExpressionParser}. Comparisons give 1 or 0. Immutable. */
sealed interface RankingExpression {
    /** A literal number. */
    record Number(double value) implements RankingExpression {}

    /** A metric of the path. */
    record Variable(Metric metric) implements RankingExpression {}

    /** An operation on other expressions. */
    record Operation(Operator operator, List<RankingExpression> operands) implements RankingExpression {}

    /** Evaluates the formula for a path. */
    default double of(PathMetrics way) {
        return switch (this) {
            case Number number -> number.value;
            case Variable variable -> variable.metric.of(way);
            case Operation operation when operation.operator == Operator.IF -> {
                double condition = operation.operands.get(0).of(way);
                // NaN is neither true nor false.
                yield Double.isNaN(condition)
                        ? condition
                        : operation.operands.get(condition != 0 ? 1 : 2).of(way);
            }
            case Operation operation -> {
                double first = operation.operands.get(0).of(way);
                double second = operation.operands.size() > 1 ? operation.operands.get(1).of(way) : 0;
                yield operation.operator.of(first, second);
            }
        };
    }

    /** Returns whether a metric occurs. */
    default boolean uses(Metric metric) {
        return switch (this) {
            case Number ignored -> false;
            case Variable variable -> variable.metric == metric;
            case Operation operation -> operation.operands.stream().anyMatch(each -> each.uses(metric));
        };
    }

    /** Returns whether the formula itself can declare a destination unreachable. */
    default boolean refuses() {
        return switch (this) {
            case Number number -> Double.isNaN(number.value);
            case Variable ignored -> false;
            case Operation operation -> operation.operands.stream().anyMatch(RankingExpression::refuses);
        };
    }

    /** Metrics, by their names in formulas. */
    enum Metric {
        BANDWIDTH("bandwidth"),
        LATENCY("latency"),
        HOPS("hops"),
        AS_NUMBER("asnumber"),
        AS_DISTANCE("asdistance"),
        WEIGHT("weight"),
        CONGESTION("congestion");

        final String word;

        Metric(String word) {
            this.word = word;
        }

        double of(PathMetrics way) {
            return switch (this) {
                case BANDWIDTH -> way.bandwidth();
                case LATENCY -> way.latency();
                case HOPS -> way.hops();
                case AS_NUMBER -> way.asNumber();
                case AS_DISTANCE -> way.asDistance();
                case WEIGHT -> way.weight();
                case CONGESTION -> way.congestion();
            };
        }
    }

    /** Operations, with their sign or name in formulas, and their number of operands. */
    enum Operator {
        ADD("+", 2),
        SUBTRACT("-", 2),
        MULTIPLY("*", 2),
        DIVIDE("/", 2),
        LESS("<", 2),
        LESS_OR_EQUAL("<=", 2),
        GREATER(">", 2),
        GREATER_OR_EQUAL(">=", 2),
        EQUAL("==", 2),
        UNEQUAL("!=", 2),
        NEGATE("negative", 1),
        MIN("min", 2),
        MAX("max", 2),
        ABS("abs", 1),
        SQRT("sqrt", 1),
        LOG("log", 1),
        IF("if", 3);

        /** Operations written as functions. */
        static final List<Operator> FUNCTIONS = List.of(MIN, MAX, ABS, SQRT, LOG, IF);

        final String word;
        final int operands;

        Operator(String word, int operands) {
            this.word = word;
            this.operands = operands;
        }

        double of(double first, double second) {
            return switch (this) {
                case ADD -> first + second;
                case SUBTRACT -> first - second;
                case MULTIPLY -> first * second;
                case DIVIDE -> first / second;
                case LESS -> truth(first < second);
                case LESS_OR_EQUAL -> truth(first <= second);
                case GREATER -> truth(first > second);
                case GREATER_OR_EQUAL -> truth(first >= second);
                case EQUAL -> truth(first == second);
                case UNEQUAL -> truth(first != second);
                case NEGATE -> -first;
                case MIN -> Math.min(first, second);
                case MAX -> Math.max(first, second);
                case ABS -> Math.abs(first);
                case SQRT -> Math.sqrt(first);
                case LOG -> Math.log(first);
                case IF -> throw new AssertionError("if() has three operands");
            };
        }

        private static double truth(boolean holds) {
            return holds ? 1 : 0;
        }
    }
}
