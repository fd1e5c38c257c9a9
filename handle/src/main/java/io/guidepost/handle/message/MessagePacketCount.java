package io.guidepost.handle.message;

/** Counters of the reassembly of fragmented messages. */
public enum MessagePacketCount {
    /** Fragments that were accepted. */
    FRAGMENTS_ACCEPTED,
    /** Messages that were complete. */
    REASSEMBLIES_COMPLETE,
    /** Duplicate fragments, byte for byte. */
    FRAGMENTS_DUPLICATE,
    /** Dropped: another fragment with that number has other bytes. */
    FRAGMENTS_CONFLICT,
    /** Dropped: version, session or length of the message differ from its other fragments. */
    FRAGMENTS_MISMATCH,
    /** Dropped: length or number of the packet is impossible. */
    FRAGMENTS_LENGTH,
    /** Dropped: its sender has reached its quota of unfinished messages. */
    FRAGMENTS_HOST_MAX,
    /** Dropped: the table is full of unfinished messages or of their bytes. */
    FRAGMENTS_TABLE_MAX,
    /** Messages whose fragments did not all arrive in time. */
    REASSEMBLIES_TIMED_OUT
}
