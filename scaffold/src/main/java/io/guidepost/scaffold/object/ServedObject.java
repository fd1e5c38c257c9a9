package io.guidepost.scaffold.object;

import io.guidepost.names.Guid;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** An object with its instances. Readers see one array of them as it was at some time; changes copy it. */
final class ServedObject {
    /** Instances of one object: a flow looks at each. */
    static final int INSTANCES_MAX = 1_024;

    private final Guid guid;
    private volatile Instance[] instances = {};

    ServedObject(Guid guid) {
        this.guid = guid;
    }

    Guid guid() {
        return guid;
    }

    /** Returns the instances; not to be changed. */
    Instance[] instances() {
        return instances;
    }

    @Nullable
    Instance find(Guid instance) {
        for (Instance each : instances) {
            if (each.guid().equals(instance)) {
                return each;
            }
        }
        return null;
    }

    /** Adds an instance, in the place of one with its GUID; returns false if there are too many. */
    synchronized boolean put(Instance instance) {
        Instance[] before = instances;
        for (int i = 0; i < before.length; i++) {
            if (before[i].guid().equals(instance.guid())) {
                Instance[] after = before.clone();
                after[i] = instance;
                instances = after;
                return true;
            }
        }
        if (before.length == INSTANCES_MAX) {
            return false;
        }
        Instance[] after = Arrays.copyOf(before, before.length + 1);
        after[before.length] = instance;
        instances = after;
        return true;
    }

    /** Removes those whose lease is over; returns how many. */
    synchronized int expire(long nowNanos) {
        Instance[] before = instances;
        Instance[] after = Arrays.stream(before).filter(each -> !each.isOver(nowNanos)).toArray(Instance[]::new);
        if (after.length < before.length) {
            instances = after;
        }
        return before.length - after.length;
    }
}
