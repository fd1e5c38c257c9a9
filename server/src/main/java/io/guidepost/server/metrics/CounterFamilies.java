package io.guidepost.server.metrics;

import io.guidepost.base.Counters;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.ToLongFunction;
import java.util.stream.Stream;

/**
 * The counters of an enum as families of metrics. A family has one unit, so its sum means something. The name of a constant
 * is its family and the values of its labels: with the family {@code responses} and the labels {@code type} and
 * {@code code}, RESPONSES_LOOKUP_SUCCESS is {@code responses_total{type="lookup",code="success"}}. Each label but the last
 * takes one word.
 *
 * @param <E> names the counts
 */
public final class CounterFamilies<E extends Enum<E>> {
    private record Sample<E>(E count, String[] labels) {}

    private record Family<E>(String name, String help, List<Sample<E>> samples) {}

    private final String prefix;
    private final Set<E> left;
    private final List<Family<E>> families = new ArrayList<>();

    /**
     * Creates it without families.
     *
     * @param prefix of the names of all families, with an underscore at its end
     */
    public CounterFamilies(Class<E> counts, String prefix) {
        this.prefix = prefix;
        this.left = EnumSet.allOf(counts);
    }

    /**
     * Adds a family: all constants, of those that no earlier family has, whose names begin with that of the family; without
     * labels, the one constant of its name.
     */
    public CounterFamilies<E> family(String name, String help, String... labels) {
        String start = name.toUpperCase(Locale.ROOT) + (labels.length == 0 ? "" : "_");
        List<Sample<E>> samples = left.stream()
                .filter(each -> labels.length == 0 ? each.name().equals(start) : each.name().startsWith(start))
                .map(each -> new Sample<>(each, labelled(labels, Exposition.name(each).substring(start.length()))))
                .toList();
        if (samples.isEmpty()) {
            throw new IllegalArgumentException("no counter belongs to the family " + name);
        }
        samples.forEach(each -> left.remove(each.count));
        families.add(new Family<>(prefix + name, help, samples));
        return this;
    }

    private static String[] labelled(String[] labels, String values) {
        String[] value = values.split("_", labels.length);
        String[] all = new String[2 * labels.length];
        for (int i = 0; i < labels.length; i++) {
            all[2 * i] = labels[i];
            all[2 * i + 1] = value[i];
        }
        return all;
    }

    /** Writes all families; {@code counts} tells the value of each counter. */
    public void write(Exposition out, ToLongFunction<E> counts) {
        write(out, "", Map.of("", counts));
    }

    /** Writes all families with one more label, first; {@code counts} tells the values of the counters for each value of it. */
    public void write(Exposition out, String label, Map<String, ToLongFunction<E>> counts) {
        if (!left.isEmpty()) {
            throw new IllegalStateException("counters without a family: " + left);
        }
        for (Family<E> family : families) {
            out.counter(family.name, family.help);
            counts.forEach((value, count) -> family.samples.forEach(each -> {
                Stream<String> first = label.isEmpty() ? Stream.of() : Stream.of(label, value);
                out.sample(count.applyAsLong(each.count), Stream.concat(first, Stream.of(each.labels)).toArray(String[]::new));
            }));
        }
    }

    /** Returns the sums of several threads' counters. */
    public static <E extends Enum<E>> ToLongFunction<E> sum(List<Counters<E>> counters) {
        return name -> counters.stream().mapToLong(each -> each.get(name)).sum();
    }
}
