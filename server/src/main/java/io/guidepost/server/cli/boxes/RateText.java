package io.guidepost.server.cli.boxes;

import io.guidepost.middlebox.generator.TrafficGenerator;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Rates, ranges and Ethernet addresses as people type them. */
final class RateText {
    private static final Pattern RATE = Pattern.compile("([0-9]+(?:\\.[0-9]+)?)([kMG]?)(bit)?");
    private static final Pattern RANGE = Pattern.compile("([0-9]{1,5})(?:-([0-9]{1,5}))?");
    private static final Pattern MAC = Pattern.compile("[0-9a-fA-F]{2}(:[0-9a-fA-F]{2}){5}");

    private RateText() {}

    /** {@code 100000}, {@code 100k}, {@code 1.5M}, {@code 500Mbit}. */
    static TrafficGenerator.Rate read(String text) throws IOException {
        Matcher matcher = RATE.matcher(text);
        if (!matcher.matches() || Double.parseDouble(matcher.group(1)) <= 0) {
            throw new IOException("--rate is \"" + text + "\"; write frames in a second as 100k or 2M, or bits as 500Mbit");
        }
        double factor =
                switch (matcher.group(2)) {
                    case "k" -> 1e3;
                    case "M" -> 1e6;
                    case "G" -> 1e9;
                    default -> 1;
                };
        return new TrafficGenerator.Rate(Double.parseDouble(matcher.group(1)) * factor, matcher.group(3) != null);
    }

    /** A number, or two with a dash: both ends. */
    static int[] range(String option, String text) throws IOException {
        Matcher matcher = RANGE.matcher(text);
        if (matcher.matches()) {
            int first = Integer.parseInt(matcher.group(1));
            int last = matcher.group(2) == null ? first : Integer.parseInt(matcher.group(2));
            if (first <= last && last <= 65_535) {
                return new int[] {first, last};
            }
        }
        throw new IOException(option + " is \"" + text + "\"; write a port number, or two as 1024-2047");
    }

    static List<Integer> numbers(String option, String text) throws IOException {
        List<Integer> numbers = new ArrayList<>();
        for (String each : text.split(",", -1)) {
            try {
                numbers.add(Integer.parseInt(each.strip()));
            } catch (NumberFormatException e) {
                throw new IOException(option + " is \"" + text + "\"; write numbers with commas, or mix", e);
            }
        }
        return numbers;
    }

    /** An Ethernet address as 48 bits. */
    static long mac(String text) throws IOException {
        if (!MAC.matcher(text).matches()) {
            throw new IOException("--to-mac is \"" + text + "\"; write it as 02:00:00:00:00:01");
        }
        return Long.parseLong(text.replace(":", ""), 16);
    }
}
