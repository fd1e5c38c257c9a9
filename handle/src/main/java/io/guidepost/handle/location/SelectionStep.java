package io.guidepost.handle.location;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** The steps of a selection, one row each, by their names in {@code chooseby}. */
public enum SelectionStep {
    /** Keeps those with an attribute that the client's URL asks for: {@code ?locatt=id:1}. */
    LOCATT,
    /** Keeps those whose {@code address} contains the client's address, or else those without one. */
    ADDRESS,
    /** Keeps those of the client's {@code country}, or else those without one. */
    COUNTRY,
    /** Keeps those with the highest {@code score}. */
    SCORE,
    /** Keeps those nearest to the client, see {@link Geolocation}; an extension that existing servers ignore. */
    NEAREST,
    /** Picks one at random in proportion to its {@code weight}. */
    WEIGHTED;

    /** The steps where {@code chooseby} is missing. */
    public static final List<SelectionStep> USUAL = List.of(LOCATT, ADDRESS, COUNTRY, SCORE, WEIGHTED);

    /** Returns its name in {@code chooseby}. */
    public String stepName() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** Returns the step with a name, ignoring case. */
    public static Optional<SelectionStep> of(String name) {
        return Arrays.stream(values())
                .filter(each -> each.name().equalsIgnoreCase(name))
                .findFirst();
    }

    /** Parses a comma-separated list of steps; each counts once, unknown names are left out. */
    public static List<SelectionStep> list(String text) {
        List<SelectionStep> steps = new ArrayList<>();
        for (String each : text.split(",", -1)) {
            of(each.strip()).filter(step -> !steps.contains(step)).ifPresent(steps::add);
        }
        return List.copyOf(steps);
    }
}
