package io.guidepost.alto.update;

import java.time.Duration;

/** Bounds of update streams, each with its reason. */
final class UpdateLimits {
    /**
     * Bytes of the members that differ between two documents: their trees take about fifteen times that for a moment.
     */
    static final int COMPARED_BYTES_MAX = 16 << 20;

    /** Operations of a JSON patch: each costs the receiver a search, and a shift if it is in an array. */
    static final int PATCH_OPERATIONS_MAX = 20_000;

    /** Cached updates: one version of some maps, as streams follow closely. */
    static final int DIFFERENCES_MAX = 64;

    /** Open streams: each keeps a thread, a connection, and the last content sent of each of its resources. */
    static final int STREAMS_MAX = 1_024;

    /** Open streams of one client address: otherwise one client takes them all. */
    static final int STREAMS_PER_ADDRESS_MAX = 16;

    /** Substreams of one stream: each resource of a large server, some with several filters. */
    static final int SUBSTREAMS_MAX = 64;

    /** Control messages that wait for their stream: a client that sends no faster than it reads has one. */
    static final int CONTROLS_WAITING_MAX = 16;

    /** Silence after which a comment is sent, so that no middlebox closes the connection. */
    static final Duration SILENCE_MAX = Duration.ofSeconds(15);

    /** Time until a stream without a first byte is forgotten: its client has gone before. */
    static final Duration BEGIN_MAX = Duration.ofSeconds(30);

    private UpdateLimits() {}
}
