package io.guidepost.handle.template;

import java.util.List;
import java.util.Optional;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Regular expressions with a bounded cost against ReDoS: both expression and text are untrusted. Each character that an
 * expression reads counts towards one bound for all expressions of a handle. For one thread.
 */
final class BoundedRegex {
    private static final Pattern COUNTED = Pattern.compile("\\{(\\d+)(?:,(\\d*))?\\}");

    private final int flags;
    private int stepsLeft = TemplateLimits.STEPS_MAX;

    BoundedRegex(boolean caseSensitive) {
        this.flags = caseSensitive ? 0 : Pattern.CASE_INSENSITIVE;
    }

    /** Returns the groups of an expression that matches the whole text; some may be unset. */
    Optional<List<Optional<String>>> match(String expression, String text) throws TemplateException {
        if (expression.length() > TemplateLimits.EXPRESSION_CHARACTERS_MAX || repetitions(expression) > TemplateLimits.REPETITIONS_MAX) {
            throw new TemplateException("a regular expression is too long, or repeats too often");
        }
        try {
            Matcher matcher = Pattern.compile(expression, flags).matcher(new Counting(text, 0, text.length()));
            return matcher.matches() ? Optional.of(groups(matcher)) : Optional.empty();
        } catch (PatternSyntaxException e) {
            throw new TemplateException("a regular expression is malformed");
        } catch (TooManySteps | StackOverflowError e) {
            throw new TemplateException("a regular expression takes too long");
        }
    }

    private static List<Optional<String>> groups(MatchResult matched) {
        return IntStream.rangeClosed(0, matched.groupCount())
                .mapToObj(each -> Optional.ofNullable(matched.group(each)))
                .toList();
    }

    private static double repetitions(String expression) {
        return COUNTED.matcher(expression)
                .results()
                .mapToDouble(each -> Math.max(1, Math.max(number(each.group(1)), number(each.group(2)))))
                .reduce(1, (one, other) -> one * other);
    }

    private static double number(@Nullable String digits) {
        return digits == null || digits.isEmpty() ? 0 : Double.parseDouble(digits);
    }

    private static final class TooManySteps extends RuntimeException {
        TooManySteps() {
            super(null, null, false, false);
        }
    }

    /** A part of a text that counts the characters read. */
    private final class Counting implements CharSequence {
        private final String text;
        private final int from;
        private final int to;

        Counting(String text, int from, int to) {
            this.text = text;
            this.from = from;
            this.to = to;
        }

        @Override
        public char charAt(int index) {
            if (--stepsLeft < 0) {
                throw new TooManySteps();
            }
            return text.charAt(from + index);
        }

        @Override
        public int length() {
            return to - from;
        }

        @Override
        public CharSequence subSequence(int start, int end) {
            return new Counting(text, from + start, from + end);
        }

        @Override
        public String toString() {
            return text.substring(from, to);
        }
    }
}
