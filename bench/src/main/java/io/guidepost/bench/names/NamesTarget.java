package io.guidepost.bench.names;

import io.guidepost.bench.load.StreamClient;
import io.guidepost.bench.scene.BenchTarget;
import java.io.IOException;

/** A server of names that is compared. */
interface NamesTarget extends BenchTarget {
    /** Binds names to their places: from one number to another, without it. */
    void load(int from, int to) throws IOException;

    /** Returns a client that reads random names, and checks their places. */
    StreamClient reader(int names);

    /** Returns a client that gives names other places, in turn. */
    StreamClient writer(int names);

    /** Returns what a client sends to watch names with a prefix. */
    byte[] watchRequest(String prefix);

    /** Returns what counts the events of one watcher. */
    EventDecoder decoder();

    /** Returns its resident memory in bytes. */
    long residentBytes();
}
