package io.guidepost.server.cli.support;

import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Reads times as people type them: {@code 500ms}, {@code 30s}, {@code 10m}, {@code 2h}, {@code 7d}. */
public final class DurationText implements ITypeConverter<Duration> {
    private static final Pattern FORM = Pattern.compile("([0-9]{1,12})(ms|s|m|h|d)");

    @Override
    public Duration convert(String text) {
        Matcher matcher = FORM.matcher(text);
        if (!matcher.matches()) {
            throw new TypeConversionException("'" + text + "' is not a time: write 500ms, 30s, 10m, 2h or 7d");
        }
        long number = Long.parseLong(matcher.group(1));
        return switch (matcher.group(2)) {
            case "ms" -> Duration.ofMillis(number);
            case "s" -> Duration.ofSeconds(number);
            case "m" -> Duration.ofMinutes(number);
            case "h" -> Duration.ofHours(number);
            default -> Duration.ofDays(number);
        };
    }
}
