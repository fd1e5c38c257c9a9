package io.guidepost.handle.operation;

import io.guidepost.handle.Handle;
import java.util.List;

/**
 * A request for values of a handle.
 *
 * @param handle in the client's spelling
 * @param indexes of the values, and
 * @param types of these types, see {@link io.guidepost.handle.value.ValueType#matches}; all values if both lists are empty
 * @param publicOnly omit values that are not public, instead of authenticating the client
 * @param doNotRefer return no referral to another server
 * @param recursive resolve recursively at that server
 * @param recursionCount servers that the request went through, 0 to 255
 * @param authoritative return no copy that may be old
 */
public record ResolveRequest(
        Handle handle,
        List<Integer> indexes,
        List<String> types,
        boolean publicOnly,
        boolean doNotRefer,
        boolean recursive,
        int recursionCount,
        boolean authoritative) {
    /** Copies the lists. */
    public ResolveRequest {
        indexes = List.copyOf(indexes);
        types = List.copyOf(types);
    }

    /** Creates a request that is not for an authoritative response. */
    public ResolveRequest(
            Handle handle,
            List<Integer> indexes,
            List<String> types,
            boolean publicOnly,
            boolean doNotRefer,
            boolean recursive,
            int recursionCount) {
        this(handle, indexes, types, publicOnly, doNotRefer, recursive, recursionCount, false);
    }

    /** Returns a request for all public values. */
    public static ResolveRequest ofAll(Handle handle) {
        return new ResolveRequest(handle, List.of(), List.of(), true, false, false, 0);
    }
}
