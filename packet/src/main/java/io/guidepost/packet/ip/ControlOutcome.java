package io.guidepost.packet.ip;

/** What became of a frame that was about the interface itself. */
enum ControlOutcome {
    /** It was answered, and is done with. */
    ANSWERED,
    /** It told of a neighbour that was asked for; others may want it too. */
    LEARNT,
    /** It asks for nothing that is answered here; others may want it. */
    IGNORED,
    /** It cannot be. */
    MALFORMED
}
