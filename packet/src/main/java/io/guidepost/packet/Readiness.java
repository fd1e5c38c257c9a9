package io.guidepost.packet;

import java.nio.channels.SelectableChannel;
import java.util.function.Consumer;

/** How a queue says that packets have come while its worker slept. */
public sealed interface Readiness {
    /** A file descriptor that a poll of the kernel reports as readable. */
    record Descriptor(KernelSocket socket) implements Readiness {}

    /** A channel that a selector reports as readable. */
    record Channel(SelectableChannel channel) implements Readiness {}

    /** A queue inside this process: it calls what it is given, from the thread that sends. */
    record Notice(Consumer<Runnable> register) implements Readiness {}

    /** Nothing says so: the worker that watches such a queue does not sleep longer than its shortest nap. */
    record Unknown() implements Readiness {}
}
