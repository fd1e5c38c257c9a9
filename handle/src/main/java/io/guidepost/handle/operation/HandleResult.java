package io.guidepost.handle.operation;

import io.guidepost.handle.Handle;
import io.guidepost.handle.message.ResponseCode;
import io.guidepost.handle.value.HandleValue;
import java.util.List;

/**
 * What came of a request, for every transport alike.
 *
 * @param code how it went
 * @param handle the one asked for, in the caller's spelling; of MINT the one made; of a referral the record that says who
 *     is to be asked
 * @param values what was found, or the sites of a referral
 * @param text more about what went wrong, for people; may be empty
 * @param replaced whether something was there before, and was replaced
 */
public record HandleResult(ResponseCode code, Handle handle, List<HandleValue> values, String text, boolean replaced) {
    /** Copies the list. */
    public HandleResult {
        values = List.copyOf(values);
    }

    /** An outcome without values. */
    public static HandleResult of(ResponseCode code, Handle handle, String text) {
        return new HandleResult(code, handle, List.of(), text, false);
    }

    /** It went well, and there is nothing more to say. */
    public static HandleResult done(Handle handle) {
        return of(ResponseCode.SUCCESS, handle, "");
    }

    /** Values were found. */
    public static HandleResult found(Handle handle, List<HandleValue> values) {
        return new HandleResult(ResponseCode.SUCCESS, handle, values, "", false);
    }

    /** Whether it went well. */
    public boolean success() {
        return code == ResponseCode.SUCCESS;
    }
}
