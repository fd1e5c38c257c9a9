package io.guidepost.handle.record;

import io.guidepost.handle.Handle;
import io.guidepost.handle.value.HandleValue;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * The record of a handle. Immutable.
 *
 * @param handle its name in its creator's spelling
 * @param values in the order of their indexes, which differ; at least one in a stored record
 */
public record HandleRecord(Handle handle, List<HandleValue> values) {
    private static final Comparator<HandleValue> BY_INDEX = Comparator.comparingInt(HandleValue::index);

    /**
     * Copies the values and sorts them.
     *
     * @throws IllegalArgumentException if two have the same index
     */
    public HandleRecord {
        values = values.stream().sorted(BY_INDEX).toList();
        Set<Integer> seen = new HashSet<>();
        for (HandleValue each : values) {
            if (!seen.add(each.index())) {
                throw new IllegalArgumentException("two values have the index " + each.index());
            }
        }
    }

    /** Returns the value with an index. */
    public Optional<HandleValue> value(int index) {
        return values.stream().filter(each -> each.index() == index).findFirst();
    }
}
