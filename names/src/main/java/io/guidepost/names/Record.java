package io.guidepost.names;

import java.util.List;

/**
 * A record: the locators that a name is bound to and its other values. Immutable; for administration. Lookups read the
 * stored form in place.
 *
 * @param name the name
 * @param version grows with every change; the higher of two versions of a record wins, at every site
 * @param bindings its locators, in the order in which they were bound
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

    /** Returns whether the record has neither bindings nor values, which is no record. */
    public boolean isEmpty() {
        return bindings.isEmpty() && values.isEmpty();
    }
}
