package io.guidepost.packet.worker;

/** Whether a worker runs under SCHED_FIFO, while it sleeps a quarter of the time; the key {@code workers.real-time} has the same names. */
public enum RealTimePolicy {
    /** Where the kernel permits it. */
    AUTO,
    /** Where the kernel permits it, with a warning elsewhere. */
    TRUE,
    /** Never. */
    FALSE
}
