package io.guidepost.server.http;

import io.netty.channel.ChannelHandler;
import org.jspecify.annotations.Nullable;

/** A handler of a connection that can say where the connection stands, so that another process goes on with it. Called by its loop. */
public interface Parkable extends ChannelHandler {
    /** Returns whether it can be left at some time: what TLS and HTTP/2 keep of a connection stays in the process. */
    boolean mayPark();

    /** Returns what was received of a request that is not whole; null while a request is under way, or this is not known. */
    byte @Nullable [] unanswered();

    /** Lets the connection end behind what was asked, and tells the client so where its protocol can: it stays with this process. */
    void drain();
}
