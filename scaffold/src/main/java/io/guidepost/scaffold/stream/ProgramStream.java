package io.guidepost.scaffold.stream;

import java.nio.channels.ByteChannel;

/** What carries the bytes of a local connection. */
interface ProgramStream extends ByteChannel {
    /** Says that no more bytes follow. */
    void shutdownOutput();

    /** Ends both directions without an end of their bytes. */
    void reset();

    @Override
    default boolean isOpen() {
        return true;
    }

    @Override
    void close();
}
