package io.guidepost.lab.simulation;

import io.guidepost.gnrs.client.GnrsRequest;
import io.guidepost.names.Guid;
import java.util.Set;

/**
 * One request that a client sent to one server, and the response. Places are numbers, one for each binding that a
 * client ever drew.
 */
final class ClientAttempt {
    /** The outcome as the client knows it. */
    enum Outcome {
        /** No response came, or none yet. */
        UNKNOWN,
        /** The request succeeded. */
        SUCCESS,
        /** The request failed; a write may still take effect. */
        FAILED
    }

    final int id;
    final int operation;
    final GnrsRequest.Kind kind;
    final Guid guid;
    final Set<Integer> places;
    final int server;
    final long startNanos;

    /** The number of the tables in force at the start; odd while they changed. */
    final int epochStart;

    /** The time of the response, or of the client's timeout. */
    long endNanos = Long.MAX_VALUE;

    /** The number of the tables in force at the end. */
    int epochEnd = -1;

    Outcome outcome = Outcome.UNKNOWN;

    /** The places found by a successful look-up. */
    Set<Integer> found = Set.of();

    /** The number of the server's start that took it first; -1 if none did. */
    int life = -1;

    /** The arrival time of its last copy. */
    long arrivedNanos;

    /** Whether copies of it reached a server before and after a restart, which the server cannot know. */
    boolean repeated;

    ClientAttempt(
            int id,
            int operation,
            GnrsRequest.Kind kind,
            Guid guid,
            Set<Integer> places,
            int server,
            long startNanos,
            int epochStart) {
        this.id = id;
        this.operation = operation;
        this.kind = kind;
        this.guid = guid;
        this.places = places;
        this.server = server;
        this.startNanos = startNanos;
        this.epochStart = epochStart;
    }

    boolean write() {
        return kind != GnrsRequest.Kind.LOOKUP;
    }

    boolean acknowledged() {
        return outcome == Outcome.SUCCESS;
    }

    /** Returns whether the same tables were in force all the time. */
    boolean calm() {
        return epochStart == epochEnd && (epochStart & 1) == 0;
    }

    @Override
    public String toString() {
        String what = kind == GnrsRequest.Kind.UPDATE && places.isEmpty() ? "DELETE" : kind.name();
        return "%10.3f %10s  %-6s %-12s by server %d, operation %d, id %08x: %s%s%s"
                .formatted(
                        startNanos / 1e9,
                        endNanos == Long.MAX_VALUE ? "" : "%.3f".formatted(endNanos / 1e9),
                        what,
                        write() ? places : "",
                        server,
                        operation,
                        id,
                        outcome,
                        write() || outcome != Outcome.SUCCESS ? "" : " " + found,
                        (calm() ? "" : ", tables in motion") + (repeated ? ", repeated to a restarted server" : ""));
    }
}
