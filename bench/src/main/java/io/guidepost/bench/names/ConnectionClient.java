package io.guidepost.bench.names;

import io.guidepost.bench.load.StreamClient;
import java.io.Closeable;
import java.io.IOException;
import java.io.UncheckedIOException;

/** A client whose requests follow each other on a connection of its own, which is closed with it. */
abstract class ConnectionClient<C extends Closeable> implements StreamClient {
    final C connection;

    /** Opens a connection. */
    @FunctionalInterface
    interface Opener<C extends Closeable> {
        C open() throws IOException;
    }

    ConnectionClient(Opener<C> opener) {
        try {
            connection = opener.open();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() {
        try {
            connection.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
