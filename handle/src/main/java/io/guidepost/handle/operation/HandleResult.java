package io.guidepost.handle.operation;

import io.guidepost.handle.Handle;
import io.guidepost.handle.message.ResponseCode;
import io.guidepost.handle.value.HandleValue;
import java.util.List;

/**
 * The result of a request, for every transport.
 *
 * @param code of the result
 * @param handle of the request, in the client's spelling; of MINT the created one; of a referral the record with the
 *     sites
 * @param values that were found, or the sites of a referral
 * @param text details of a refusal, for people; may be empty
 * @param replaced whether an existing record or value was replaced
 */
public record HandleResult(ResponseCode code, Handle handle, List<HandleValue> values, String text, boolean replaced) {
    /** Copies the list. */
    public HandleResult {
        values = List.copyOf(values);
    }

    /** Returns a result without values. */
    public static HandleResult of(ResponseCode code, Handle handle, String text) {
        return new HandleResult(code, handle, List.of(), text, false);
    }

    /** Returns success without values. */
    public static HandleResult done(Handle handle) {
        return of(ResponseCode.SUCCESS, handle, "");
    }

    /** Returns success with values. */
    public static HandleResult found(Handle handle, List<HandleValue> values) {
        return new HandleResult(ResponseCode.SUCCESS, handle, values, "", false);
    }

    /** Returns whether the request succeeded. */
    public boolean success() {
        return code == ResponseCode.SUCCESS;
    }
}
