package io.guidepost.server.feed;

import java.time.Duration;

/** Bounds of feeds, each with its reason. */
final class FeedLimits {
    /** Connections at a time over each port: more routers than a network has beside its route reflectors. */
    static final int CONNECTIONS_MAX = 1024;

    /** How long a read waits before the time is looked at: sessions tell the time in seconds. */
    static final int TICK_MILLIS = 500;

    /** How long changes gather after the first one, so that a burst of messages becomes one change of the network. */
    static final Duration GATHER = Duration.ofMillis(50);

    /** How long the table rests when nothing comes, before it is looked for routes that are kept too long. */
    static final Duration REST = Duration.ofMillis(250);

    /** After how long a peer is connected to again: soon after it is back, and seldom enough not to disturb it. */
    static final Duration CONNECT_AGAIN = Duration.ofSeconds(15);

    /** How long a peer stays down that announced more prefixes than it may: its operator has to mend something. */
    static final Duration DOWN = Duration.ofMinutes(15);

    /** How long a connection may take to stand. */
    static final Duration CONNECT = Duration.ofSeconds(10);

    /** How long a peer's new connection waits for its old one to end, and the end for all of them. */
    static final Duration END = Duration.ofSeconds(5);

    /** Bytes read at once: some hundred messages of a full table. */
    static final int READ_BYTES = 1 << 16;

    private FeedLimits() {}
}
