package io.guidepost.alto.update;

import java.time.Duration;

/** Bounds of update streams, each with its reason. */
final class UpdateLimits {
    /** Bytes of the members that differ, of a document and of the next: two trees take about fifteen times that while it lasts. */
    static final int COMPARED_BYTES_MAX = 16 << 20;

    /** Operations of a JSON patch: each costs the receiver a search, and a shift if it is in an array. */
    static final int PATCH_OPERATIONS_MAX = 20_000;

    /** Differences kept for the streams that need the same: a version of some maps, as streams follow closely. */
    static final int DIFFERENCES_MAX = 64;

    /** Streams at a time: each keeps a thread, a connection, and what it last sent of each of its resources. */
    static final int STREAMS_MAX = 1_024;

    /** Streams of one address at a time: else one client takes them all. */
    static final int STREAMS_PER_ADDRESS_MAX = 16;

    /** Substreams of one stream: each resource of a large server, some of them filtered in several ways. */
    static final int SUBSTREAMS_MAX = 64;

    /** Control messages that wait for their stream: one that sends no faster than it reads has one. */
    static final int CONTROLS_WAITING_MAX = 16;

    /** A comment is sent after so long without an event, so that nobody in between closes the connection. */
    static final Duration SILENCE_MAX = Duration.ofSeconds(15);

    /** A stream that nobody has begun to write for so long is forgotten: its client has gone before the first byte. */
    static final Duration BEGIN_MAX = Duration.ofSeconds(30);

    private UpdateLimits() {}
}
