package io.guidepost.handle.record;

import io.guidepost.handle.Handle;
import io.guidepost.handle.value.HandleValue;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * What is known of a handle. Immutable.
 *
 * @param handle its name as its creator spelled it
 * @param values its values in the order of their indexes, which differ; at least one in a record that is kept
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

    /** The value of an index. */
    public Optional<HandleValue> value(int index) {
        return values.stream().filter(each -> each.index() == index).findFirst();
    }
}
