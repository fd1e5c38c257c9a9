package io.guidepost.handle.operation;

import io.guidepost.handle.Handle;
import io.guidepost.handle.record.HandleRecord;
import io.guidepost.handle.value.AdminRight;
import java.util.Set;

/** The access that a request requires. */
public sealed interface RequiredAccess {
    /** Returns the required rights; without any, the client must still be an administrator. */
    default Set<AdminRight> rights() {
        return Set.of();
    }

    /**
     * Access to a record: granted by its own HS_ADMIN values, or by those of its prefix if the settings allow it.
     *
     * @param record as it was read
     */
    record OverRecord(HandleRecord record, Set<AdminRight> rights) implements RequiredAccess {
        /** Copies the set. */
        public OverRecord {
            rights = Set.copyOf(rights);
        }
    }

    /**
     * Access to all handles of a prefix: granted by the HS_ADMIN values of the prefix's record.
     *
     * @param prefixHandle such as {@code 0.NA/10.5}
     */
    record OverPrefix(Handle prefixHandle, Set<AdminRight> rights) implements RequiredAccess {
        /** Copies the set. */
        public OverPrefix {
            rights = Set.copyOf(rights);
        }
    }

    /** Access to the server itself: granted to its administrators alone. */
    record OverServer() implements RequiredAccess {}

    /** Replication: granted to the mirrors in the settings. */
    record Mirroring() implements RequiredAccess {}
}
