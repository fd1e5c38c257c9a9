package io.guidepost.lab.prove;

import java.io.IOException;
import java.net.InetAddress;

/** A node of a fleet's cluster, or a front end: what is killed, stopped and cut off. */
interface FleetMember extends AutoCloseable {
    String name();

    InetAddress host();

    long pid();

    /** Starts it, and returns after how many milliseconds it answered. */
    long start() throws IOException;

    /** Ends it by SIGKILL: nothing is finished. */
    void kill() throws IOException;

    @Override
    void close() throws IOException;
}
