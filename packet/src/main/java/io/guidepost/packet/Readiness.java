package io.guidepost.packet;

import java.nio.channels.SelectableChannel;
import java.util.function.Consumer;

/** How a queue says that packets have come while its worker slept. */
public sealed interface Readiness {
    /**
     * A file descriptor that a poll of the kernel reports as readable.
     *
     * @param number the descriptor
     * @param hold keeps the number from being given to another file, even if the port is closed
     * @param release ends that
     */
    record Descriptor(int number, Runnable hold, Runnable release) implements Readiness {}

    /** A channel that a selector reports as readable. */
    record Channel(SelectableChannel channel) implements Readiness {}

    /** A queue inside this process: it calls what it is given, from the thread that sends. */
    record Notice(Consumer<Runnable> register) implements Readiness {}

    /** Nothing says so, as with a device that is only polled: its worker looks up to 20,000 times in a second. */
    record Unknown() implements Readiness {}
}
