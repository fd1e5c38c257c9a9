package io.guidepost.handle.location;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** The ways to narrow down locations, one row each, by their names in {@code chooseby}. */
public enum SelectionStep {
    /** Those with an attribute that the visitor's URL asks for: {@code ?locatt=id:1}. */
    LOCATT,
    /** Those whose {@code address} names the visitor's address or a block around it, or else those without one. */
    ADDRESS,
    /** Those of the visitor's {@code country}, or else those without one. */
    COUNTRY,
    /** Those with the highest {@code score}. */
    SCORE,
    /** Those that are nearest to the visitor, see {@link Geolocation}; ours, existing servers pass over it. */
    NEAREST,
    /** One by chance, as often as its {@code weight} says. */
    WEIGHTED;

    /** What is done where {@code chooseby} is missing. */
    public static final List<SelectionStep> USUAL = List.of(LOCATT, ADDRESS, COUNTRY, SCORE, WEIGHTED);

    /** Its name in {@code chooseby}. */
    public String stepName() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** The step of a name, in any case. */
    public static Optional<SelectionStep> of(String name) {
        return Arrays.stream(values())
                .filter(each -> each.name().equalsIgnoreCase(name))
                .findFirst();
    }

    /** The steps of a list with commas; each once, unknown names left out. */
    public static List<SelectionStep> list(String text) {
        List<SelectionStep> steps = new ArrayList<>();
        for (String each : text.split(",", -1)) {
            of(each.strip()).filter(step -> !steps.contains(step)).ifPresent(steps::add);
        }
        return List.copyOf(steps);
    }
}
