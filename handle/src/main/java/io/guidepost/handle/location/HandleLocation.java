package io.guidepost.handle.location;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * One place of a thing. Its attributes are free; those with a meaning are rows of {@link SelectionStep}. Immutable.
 *
 * @param href where it is, a URL
 * @param attributes all of them, by name, {@code href} among them
 */
public record HandleLocation(String href, Map<String, String> attributes) {
    /** The weight of a location that does not say. */
    public static final double WEIGHT_USUAL = 1;

    /** Copies the map. */
    public HandleLocation {
        attributes = Collections.unmodifiableMap(new LinkedHashMap<>(attributes));
    }

    /** A value of type URL among locations: {@code mode=legacy} asks for it, and with weight 0 nothing else does. */
    public static HandleLocation ofUrl(String href, double weight) {
        Map<String, String> attributes = new LinkedHashMap<>();
        attributes.put("mode", "legacy");
        attributes.put("weight", Double.toString(weight));
        attributes.put("href", href);
        return new HandleLocation(href, attributes);
    }

    /** The value of an attribute. */
    public Optional<String> attribute(String name) {
        return Optional.ofNullable(attributes.get(name));
    }

    /** How often it is chosen in relation to the others, 0 or more; 0 is never, unless nothing else is left. */
    public double weight() {
        double weight = number("weight", WEIGHT_USUAL);
        return weight >= 0 ? weight : 0;
    }

    /** How good it is in relation to the others; 0 if it does not say. */
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
