package io.guidepost.handle.message;

/** Counters of the reassembly of fragmented messages. */
public enum MessagePacketCount {
    /** Fragments that were accepted. */
    PARTS,
    /** Messages that were complete. */
    MESSAGES_JOINED,
    /** Duplicate fragments, byte for byte. */
    DUPLICATES,
    /** Dropped: another fragment with that number has other bytes. */
    DROPPED_CONFLICT,
    /** Dropped: version, session or length of the message differ from its other fragments. */
    DROPPED_MISMATCH,
    /** Dropped: length or number of the packet is impossible. */
    DROPPED_LENGTH,
    /** Dropped: its sender has reached its quota of unfinished messages. */
    DROPPED_HOST_MAX,
    /** Dropped: the table is full of unfinished messages or of their bytes. */
    DROPPED_TABLE_MAX,
    /** Messages whose fragments did not all arrive in time. */
    MESSAGES_TIMED_OUT
}
