package io.guidepost.handle.operation;

import io.guidepost.handle.message.ResponseCode;
import io.guidepost.handle.value.ValueReference;
import java.io.IOException;

/** Who asks. */
public sealed interface Principal {
    /** Whoever does not say. */
    Principal ANONYMOUS = new Anonymous();

    /** Does not say who they are. */
    record Anonymous() implements Principal {}

    /**
     * Has shown who they are: by a session, or by a certificate.
     *
     * @param identity the value that holds their key
     */
    record Proven(ValueReference identity) implements Principal {}

    /**
     * Says who they are, with a proof that nobody has looked at yet: that costs time, and existing servers first see
     * whether they would be an administrator at all.
     *
     * @param identity the value that holds their key
     * @param proof looks at the proof
     */
    record Claimed(ValueReference identity, Proof proof) implements Principal {}

    /** Looks at a proof; may take milliseconds, and ask other servers. */
    @FunctionalInterface
    interface Proof {
        /** {@link ResponseCode#SUCCESS} if it is right, and else the code that says why not. */
        ResponseCode check() throws IOException;
    }
}
