package io.guidepost.bench.names;

import java.nio.ByteBuffer;

/** Counts the events in what one watcher receives. */
interface EventDecoder {
    /** Takes bytes as they came; returns how many events end in them. */
    int take(ByteBuffer bytes);

    /** Returns whether the server has said that it watches. */
    boolean isWatching();
}
