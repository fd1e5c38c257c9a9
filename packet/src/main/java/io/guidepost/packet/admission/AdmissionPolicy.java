package io.guidepost.packet.admission;

import io.guidepost.packet.Burst;
import io.guidepost.packet.Drop;

/** Decides which datagrams of a queue are handled when a worker gets more than it can. One belongs to one worker. */
interface AdmissionPolicy {
    /** What happens to a datagram. */
    enum Verdict {
        /** It is handled now. */
        ADMIT,
        /** It is handled in a later turn, or dropped if too many wait for one. */
        DEFER,
        /** It is dropped. */
        DROP
    }

    /**
     * Begins a turn of the worker.
     *
     * @param pending whether datagrams of earlier turns wait
     */
    void begin(long nowMillis, boolean pending);

    /** Counts a datagram and decides what happens to it. */
    Verdict judge(Burst in, int index);

    /** Returns why the last datagram that was not admitted was not. */
    Drop reason();
}
