package io.guidepost.scaffold.key;

import io.guidepost.names.Guid;
import java.util.Collections;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Delegations that hosts have shown: a signature that was found right is not checked again. Thread-safe. */
public final class ShownDelegations {
    private static final int DELEGATIONS_MAX = 100_000;

    private final Set<Delegation> right = Collections.synchronizedSet(new HashSet<>());

    /** Returns a delegation that says that a host may serve an object, and still holds; null if these bytes are none. */
    public @Nullable Delegation check(byte[] shown, Guid object, Guid host, long nowSeconds) {
        Delegation read = Delegation.shown(shown, object, host, nowSeconds);
        if (read == null) {
            return null;
        }
        if (right.contains(read)) {
            return read;
        }
        if (!read.isSigned()) {
            return null;
        }
        if (right.size() >= DELEGATIONS_MAX) {
            right.clear();
        }
        right.add(read);
        return read;
    }
}
