package io.guidepost.gnrs.client;

import io.guidepost.names.Binding;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Optional;

/**
 * What became of a request. Immutable.
 *
 * @param request what was asked
 * @param outcome whether it worked
 * @param bindings the places of the name, for look-ups; none if nothing is bound
 * @param total how many places the name has; more than given if they did not fit even when asked again
 * @param roundTripNanos from the sending of the datagram that was answered to the answer; for a timeout, from the first
 *     sending to giving up
 * @param datagrams how many were sent for this request
 * @param server where the request went, and the answer came from
 * @param copies for a write that failed, how many servers hold it, if the server says so
 */
public record GnrsResponse(
        GnrsRequest request,
        Outcome outcome,
        List<Binding> bindings,
        int total,
        long roundTripNanos,
        int datagrams,
        InetSocketAddress server,
        Optional<Copies> copies) {
    /**
     * How far a write came that failed. It may yet take effect.
     *
     * @param held how many servers hold it durably
     * @param needed how many were to hold it
     */
    public record Copies(int held, int needed) {}

    /** Whether a request worked. */
    public enum Outcome {
        /** It worked; a name to which nothing is bound is a success without bindings. */
        SUCCESS,
        /** The server refused: it is full, or the name is placed elsewhere. */
        FAILED,
        /** The server did not answer. Whether a write was done is not known. */
        TIMEOUT,
        /** As for a timeout, and meanwhile its host said that nothing listens at that port. */
        UNREACHABLE
    }

    /** Copies the list. */
    public GnrsResponse {
        bindings = List.copyOf(bindings);
    }

    /** Whether all places of the name are given. */
    public boolean complete() {
        return bindings.size() >= total;
    }
}
