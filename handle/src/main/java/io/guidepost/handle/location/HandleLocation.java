package io.guidepost.handle.location;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * One location of an object. Its attributes are free; those with a meaning are rows of {@link SelectionStep}. Immutable.
 *
 * @param href its URL
 * @param attributes all of them, by name, {@code href} among them
 */
public record HandleLocation(String href, Map<String, String> attributes) {
    /** The default weight. */
    public static final double WEIGHT_USUAL = 1;

    /** Copies the map. */
    public HandleLocation {
        attributes = Collections.unmodifiableMap(new LinkedHashMap<>(attributes));
    }

    /** Returns the location of a URL value: {@code mode=legacy} selects it, and with weight 0 nothing else does. */
    public static HandleLocation ofUrl(String href, double weight) {
        Map<String, String> attributes = new LinkedHashMap<>();
        attributes.put("mode", "legacy");
        attributes.put("weight", Double.toString(weight));
        attributes.put("href", href);
        return new HandleLocation(href, attributes);
    }

    /** Returns the value of an attribute. */
    public Optional<String> attribute(String name) {
        return Optional.ofNullable(attributes.get(name));
    }

    /** Returns its relative frequency of selection, 0 or more; 0 is never, unless it is the last one left. */
    public double weight() {
        double weight = number("weight", WEIGHT_USUAL);
        return weight >= 0 ? weight : 0;
    }

    /** Returns its relative quality; 0 by default. */
    public double score() {
        return number("score", 0);
    }

    private double number(String name, double usual) {
        String text = attributes.get(name);
        if (text == null) {
            return usual;
        }
        try {
            double number = Double.parseDouble(text.strip());
            return Double.isFinite(number) ? number : usual;
        } catch (NumberFormatException e) {
            return usual;
        }
    }
}
