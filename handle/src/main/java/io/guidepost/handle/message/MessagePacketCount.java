package io.guidepost.handle.message;

/** What happened to packets that carry parts of messages. */
public enum MessagePacketCount {
    /** Parts that were taken. */
    PARTS,
    /** Messages whose parts were all there. */
    MESSAGES_JOINED,
    /** Parts that were there already, byte for byte. */
    DUPLICATES,
    /** Dropped: another part of that number has other bytes. */
    DROPPED_CONFLICT,
    /** Dropped: version, session or length of the message are not those of its other parts. */
    DROPPED_MISMATCH,
    /** Dropped: the length or the number of the packet cannot be. */
    DROPPED_LENGTH,
    /** Dropped: its sender has too many unfinished messages. */
    DROPPED_HOST_MAX,
    /** Dropped: there are too many unfinished messages, or too many bytes of them. */
    DROPPED_TABLE_MAX,
    /** Messages whose parts did not all come in time. */
    MESSAGES_TIMED_OUT
}
