package io.guidepost.server.http.epoll;

import io.netty.channel.IoEvent;
import io.netty.channel.IoHandle;
import io.netty.channel.IoRegistration;

/** What an {@link EpollLoop} drives: a port or a connection. Belongs to the loop's thread. */
interface EpollHandle extends IoHandle {
    /** Number of its socket, negative while it has none. */
    int number();

    /**
     * Something happened.
     *
     * @param events as {@link io.guidepost.packet.stream.EpollSet#events} says
     */
    void ready(int events);

    /** Goes on with what it left for the next turn. */
    void resume();

    @Override
    void close();

    @Override
    default void handle(IoRegistration registration, IoEvent event) {
        throw new IllegalStateException("events come as numbers");
    }
}
