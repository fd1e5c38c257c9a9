package io.guidepost.handle.service;

import io.guidepost.handle.Handle;
import io.guidepost.handle.HandleValue;
import io.guidepost.handle.message.ResponseCode;
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
public record Outcome(ResponseCode code, Handle handle, List<HandleValue> values, String text, boolean replaced) {
    /** Copies the list. */
    public Outcome {
        values = List.copyOf(values);
    }

    /** An outcome without values. */
    public static Outcome of(ResponseCode code, Handle handle, String text) {
        return new Outcome(code, handle, List.of(), text, false);
    }

    /** It went well, and there is nothing more to say. */
    public static Outcome done(Handle handle) {
        return of(ResponseCode.SUCCESS, handle, "");
    }

    /** Values were found. */
    public static Outcome found(Handle handle, List<HandleValue> values) {
        return new Outcome(ResponseCode.SUCCESS, handle, values, "", false);
    }

    /** Whether it went well. */
    public boolean success() {
        return code == ResponseCode.SUCCESS;
    }
}
