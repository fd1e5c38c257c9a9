package io.guidepost.names;

import io.guidepost.base.Malformed;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The values of a GUID's record that belong to names: the text of the name, and the attributes of its places. They go with
 * the record to other servers; other values stay where they were written.
 */
public final class NamedValues {
    private NamedValues() {}

    /** Returns the text of a record's name, which a value holds, or the GUID is made of; empty if it is not known. */
    public static Optional<String> text(Record record) {
        Optional<String> kept = text(record.values());
        return kept.isPresent() ? kept : guid(record.name()).flatMap(NameForm::word);
    }

    /** Returns the text that a value holds; empty if none does. */
    public static Optional<String> text(List<Value> values) {
        for (Value each : values) {
            if (each.type().equals(PlaceAttributes.TEXT_TYPE)) {
                return Optional.of(new String(each.data(), StandardCharsets.UTF_8));
            }
        }
        return Optional.empty();
    }

    /** Returns the GUID of a record's name; empty for a name of another namespace. */
    public static Optional<Guid> guid(Name name) {
        byte[] key = name.key();
        return key[0] == Name.Namespace.GUID.code()
                ? Optional.of(Guid.of(java.util.Arrays.copyOfRange(key, 1, key.length)))
                : Optional.empty();
    }

    /**
     * Returns the attributes of a record's places.
     *
     * @throws Malformed if a value is damaged
     */
    public static Map<Locator, PlaceAttributes> attributes(List<Value> values) throws Malformed {
        Map<Locator, PlaceAttributes> attributes = new HashMap<>();
        for (Value each : values) {
            if (each.type().equals(PlaceAttributes.TYPE)) {
                attributes.put(PlaceAttributes.locator(each), PlaceAttributes.of(each));
            }
        }
        return attributes;
    }

    /**
     * Returns the values of a record that hold a text and attributes.
     *
     * @param text the text; empty where it is not kept, or the GUID is made of it
     * @param bindings the places
     * @param attributes what is said of them
     */
    public static List<Value> of(Optional<String> text, List<Binding> bindings, Map<Locator, PlaceAttributes> attributes) {
        List<Value> values = new ArrayList<>();
        text.ifPresent(each -> values.add(PlaceAttributes.text(each)));
        for (Binding each : bindings) {
            PlaceAttributes said = attributes.getOrDefault(each.locator(), PlaceAttributes.NONE);
            if (!said.isNone()) {
                values.add(said.value(values.size() + 1, each.locator()));
            }
        }
        return values;
    }

    /**
     * Returns the values of a record that are of use with its bindings: attributes of places that are left, and the text if
     * there are places or other values.
     *
     * @param tombstone whether the record stays without places, and so keeps its text
     */
    public static List<Value> left(List<Value> values, List<Binding> bindings, boolean tombstone) {
        if (values.stream().noneMatch(PlaceAttributes::isOf)) {
            return values;
        }
        Set<Locator> places = new HashSet<>();
        bindings.forEach(each -> places.add(each.locator()));
        List<Value> left = values.stream().filter(each -> !each.type().equals(PlaceAttributes.TYPE) || isAt(each, places)).toList();
        boolean textAlone = places.isEmpty() && !tombstone && left.stream().allMatch(PlaceAttributes::isOf);
        return textAlone ? List.of() : left;
    }

    private static boolean isAt(Value value, Set<Locator> places) {
        try {
            return places.contains(PlaceAttributes.locator(value));
        } catch (Malformed e) {
            return false;
        }
    }
}
