package io.guidepost.scaffold.object;

import io.guidepost.names.Guid;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * An object with its instances. Readers see one array of them as it was at some time; changes copy it, one thread at a time.
 */
final class ServedObject {
    private volatile Instance[] instances = {};

    /** Returns its name, which one of its instances at least has brought; empty if it has none. */
    String name() {
        for (Instance each : instances) {
            if (!each.offer.name().isEmpty()) {
                return each.offer.name();
            }
        }
        return "";
    }

    /** Returns the instances; not to be changed. */
    Instance[] instances() {
        return instances;
    }

    @Nullable
    Instance find(Guid instance) {
        for (Instance each : instances) {
            if (each.guid.equals(instance)) {
                return each;
            }
        }
        return null;
    }

    /** Adds an instance behind the others, without one with its GUID. */
    void put(Instance instance) {
        Instance[] others = without(instance.guid);
        Instance[] after = Arrays.copyOf(others, others.length + 1);
        after[others.length] = instance;
        instances = after;
    }

    /** Removes an instance. */
    void remove(Guid instance) {
        instances = without(instance);
    }

    private Instance[] without(Guid instance) {
        return Arrays.stream(instances).filter(each -> !each.guid.equals(instance)).toArray(Instance[]::new);
    }
}
