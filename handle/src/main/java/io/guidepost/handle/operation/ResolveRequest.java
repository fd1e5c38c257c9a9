package io.guidepost.handle.operation;

import io.guidepost.handle.Handle;
import java.util.List;

/**
 * What somebody wants to know of a handle.
 *
 * @param handle in the caller's spelling
 * @param indexes values of these numbers, and
 * @param types of these types, see {@link io.guidepost.handle.value.ValueType#matches}; all values if both lists are empty
 * @param publicOnly leave out what not everybody may read, instead of asking who asks
 * @param doNotRefer do not say that another server is to be asked
 * @param recursive ask that server
 * @param recursionCount servers that the question went through, 0 to 255
 */
public record ResolveRequest(
        Handle handle,
        List<Integer> indexes,
        List<String> types,
        boolean publicOnly,
        boolean doNotRefer,
        boolean recursive,
        int recursionCount) {
    /** Copies the lists. */
    public ResolveRequest {
        indexes = List.copyOf(indexes);
        types = List.copyOf(types);
    }

    /** A question for all that everybody may read. */
    public static ResolveRequest ofAll(Handle handle) {
        return new ResolveRequest(handle, List.of(), List.of(), true, false, false, 0);
    }
}
