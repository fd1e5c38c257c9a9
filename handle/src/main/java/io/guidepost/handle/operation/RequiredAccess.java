package io.guidepost.handle.operation;

import io.guidepost.handle.Handle;
import io.guidepost.handle.record.HandleRecord;
import io.guidepost.handle.value.AdminRight;
import java.util.Set;

/** What somebody must be allowed to do. */
public sealed interface RequiredAccess {
    /** Rights, any number of them; one that demands none is still for administrators only. */
    Set<AdminRight> rights();

    /**
     * Over a record: by its own HS_ADMIN values, or by those of its prefix if the settings say so.
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
     * Over all handles of a prefix: by the HS_ADMIN values of the record of the prefix.
     *
     * @param prefixHandle such as {@code 0.NA/10.5}
     */
    record OverPrefix(Handle prefixHandle, Set<AdminRight> rights) implements RequiredAccess {
        /** Copies the set. */
        public OverPrefix {
            rights = Set.copyOf(rights);
        }
    }

    /** Over the server itself: its administrators have that, and nobody else. */
    record OverServer() implements RequiredAccess {
        @Override
        public Set<AdminRight> rights() {
            return Set.of();
        }
    }

    /** To follow the server as a mirror: those have that whom the settings name. */
    record Mirroring() implements RequiredAccess {
        @Override
        public Set<AdminRight> rights() {
            return Set.of();
        }
    }
}
