package io.guidepost.gnrs.peer;

import java.lang.reflect.RecordComponent;
import java.util.Arrays;

/** Settings of replication that differ from others by a few of their values. */
public final class ChangedSettings {
    private ChangedSettings() {}

    /** Returns the standard settings with other values, each behind the name of its component. */
    public static ReplicationSettings of(Object... changes) {
        return from(ReplicationSettings.defaults(), changes);
    }

    /** Returns settings with other values, each behind the name of its component. */
    public static ReplicationSettings from(ReplicationSettings before, Object... changes) {
        try {
            RecordComponent[] components = ReplicationSettings.class.getRecordComponents();
            Object[] values = new Object[components.length];
            int changed = 0;
            for (int i = 0; i < values.length; i++) {
                int at = Arrays.asList(changes).indexOf(components[i].getName());
                values[i] = at < 0 ? components[i].getAccessor().invoke(before) : changes[at + 1];
                changed += at < 0 ? 0 : 2;
            }
            if (changed != changes.length) {
                throw new IllegalArgumentException("no such setting among " + Arrays.toString(changes));
            }
            Class<?>[] types = Arrays.stream(components).map(RecordComponent::getType).toArray(Class<?>[]::new);
            return ReplicationSettings.class.getDeclaredConstructor(types).newInstance(values);
        } catch (ReflectiveOperationException e) {
            throw new LinkageError(e.getMessage(), e);
        }
    }
}
