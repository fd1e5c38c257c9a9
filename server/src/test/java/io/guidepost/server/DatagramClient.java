package io.guidepost.server;

import java.io.IOException;
import java.net.InetSocketAddress;

/** Sends datagrams and receives those that come back, wherever it stands. */
interface DatagramClient extends AutoCloseable {
    /** A datagram that came. */
    @SuppressWarnings("ArrayRecordComponent") // Made and read in tests.
    record Datagram(InetSocketAddress from, byte[] bytes) {}

    /** Sends one. */
    void send(InetSocketAddress to, byte[] bytes) throws IOException;

    /** Lets it answer its neighbours, without waiting. */
    void turn();

    /** Waits for the next; fails if none comes. */
    Datagram receive() throws IOException;

    /** Sends one, and waits for the next. */
    default Datagram ask(InetSocketAddress to, byte[] bytes) throws IOException {
        send(to, bytes);
        return receive();
    }

    @Override
    void close();
}
