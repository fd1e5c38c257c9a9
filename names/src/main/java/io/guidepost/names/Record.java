package io.guidepost.names;

import java.util.List;

/**
 * What is known of a name: the places it is bound to and its other values. Immutable; for administration, not for
 * look-ups, which read the stored form in place.
 *
 * @param name the name
 * @param version grows with every change; the higher of two versions of a record wins, at every site
 * @param bindings its places, in the order in which they were bound
 * @param values its other values
 */
public record Record(Name name, long version, List<Binding> bindings, List<Value> values) {
    /** The version of a name that has no record. */
    public static final long ABSENT = 0;

    /** Copies the lists, so that the record cannot change. */
    public Record {
        bindings = List.copyOf(bindings);
        values = List.copyOf(values);
    }

    /** Whether nothing is left of it: a record without places and values is no record. */
    public boolean isEmpty() {
        return bindings.isEmpty() && values.isEmpty();
    }
}
