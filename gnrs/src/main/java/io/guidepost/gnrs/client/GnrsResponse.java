package io.guidepost.gnrs.client;

import io.guidepost.gnrs.wire.RefusalReason;
import io.guidepost.names.Binding;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Optional;

/**
 * The outcome of a request. Immutable.
 *
 * @param request the request
 * @param outcome whether it succeeded
 * @param bindings the places of the name, for look-ups; none if nothing is bound
 * @param total the number of places of the name; more than given if they did not fit even after a retry
 * @param roundTripNanos from sending the answered datagram to the response; for a timeout, from the first transmission
 *     to giving up
 * @param datagrams the number of datagrams sent for this request
 * @param server the server that the request went to
 * @param copies for a failed write, how many servers hold it, if the server says so
 * @param reason for a failed write, why the server refused it, if it says so
 */
public record GnrsResponse(
        GnrsRequest request,
        Outcome outcome,
        List<Binding> bindings,
        int total,
        long roundTripNanos,
        int datagrams,
        InetSocketAddress server,
        Optional<Copies> copies,
        Optional<RefusalReason> reason) {
    /**
     * The progress of a write that failed. The write may yet take effect.
     *
     * @param held servers that hold it durably
     * @param needed servers that the quorum requires
     */
    public record Copies(int held, int needed) {}

    /** The outcome of a request. */
    public enum Outcome {
        /** The request succeeded; a name without bindings is a success without bindings. */
        SUCCESS,
        /** The server refused; {@link #reason} may say why. */
        FAILED,
        /** The server did not answer. Whether a write was done is unknown. */
        TIMEOUT,
        /** The request timed out, and the server's host reported the port as unreachable. */
        UNREACHABLE
    }

    /** Copies the list. */
    public GnrsResponse {
        bindings = List.copyOf(bindings);
    }

    /** Returns whether all places of the name are given. */
    public boolean complete() {
        return bindings.size() >= total;
    }
}
