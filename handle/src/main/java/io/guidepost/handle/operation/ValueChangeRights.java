package io.guidepost.handle.operation;

import io.guidepost.handle.value.AdminRight;
import io.guidepost.handle.value.HandleValue;
import io.guidepost.handle.value.ValueType;
import java.util.EnumSet;
import java.util.Set;

/** The rights that changes of values require: changes of administrators need other rights. */
final class ValueChangeRights {
    private ValueChangeRights() {}

    static Set<AdminRight> toAdd(HandleValue added) {
        return EnumSet.of(isAdmin(added) ? AdminRight.ADD_ADMIN : AdminRight.ADD_VALUE);
    }

    static AdminRight toRemove(HandleValue removed) {
        return isAdmin(removed) ? AdminRight.REMOVE_ADMIN : AdminRight.REMOVE_VALUE;
    }

    static Set<AdminRight> toModify(HandleValue old, HandleValue changed) {
        if (!isAdmin(old) && !isAdmin(changed)) {
            return EnumSet.of(AdminRight.MODIFY_VALUE);
        }
        Set<AdminRight> needed = EnumSet.of(AdminRight.MODIFY_ADMIN);
        if (!isAdmin(old)) {
            needed.add(AdminRight.ADD_ADMIN);
        }
        if (!isAdmin(changed)) {
            needed.add(AdminRight.REMOVE_ADMIN);
        }
        return needed;
    }

    /**
     * Returns whether any client may make a change: the value is publicly writable, and keeps its type and permissions.
     * Why not more? A client that could turn it into a key or an administrator would give itself rights.
     */
    static boolean anyoneMay(HandleValue old, HandleValue changed) {
        return old.permissions().publicWrite()
                && !isAdmin(old)
                && ValueType.same(old.type(), changed.type())
                && old.permissions().equals(changed.permissions());
    }

    private static boolean isAdmin(HandleValue value) {
        return value.is(ValueType.HS_ADMIN);
    }
}
