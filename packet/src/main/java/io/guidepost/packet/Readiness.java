package io.guidepost.packet;

import java.nio.channels.SelectableChannel;
import java.util.function.Consumer;

/** How a queue notifies a sleeping worker of arrivals. */
public sealed interface Readiness {
    /**
     * A file descriptor to poll.
     *
     * @param number the descriptor
     * @param hold keeps the number from being reused, even if the port is closed
     * @param release ends that
     */
    record Descriptor(int number, Runnable hold, Runnable release) implements Readiness {}

    /** A channel to select on. */
    record Channel(SelectableChannel channel) implements Readiness {}

    /** A queue inside this process, which runs a callback on the sending thread. */
    record Notice(Consumer<Runnable> register) implements Readiness {}

    /** No notification, as with a polled device: the worker polls up to 20,000 times in a second. */
    record Unknown() implements Readiness {}
}
