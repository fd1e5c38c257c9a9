package io.guidepost.lab.simulation;

/** What a simulated world does to a deployment. Summaries show these names. */
public enum FaultKind {
    /** A server is gone, with all that it had in memory, and comes back with its disk later. */
    CRASH,
    /** Servers are in groups that do not hear each other. */
    PARTITION,
    /** A server is not heard by others, but hears them; or the other way round. */
    ONE_WAY_CUT,
    /** The wall clock of a server jumps by up to an hour, forth or back. */
    CLOCK_JUMP,
    /** The disk of a server refuses writes. */
    DISK_FULL,
    /** The disk of a server takes long. */
    DISK_SLOW,
    /** Many datagrams are lost for some time. */
    LOSS,
    /** Datagrams arrive twice for some time, some of them much later. */
    DUPLICATES,
    /** The table of prefixes and servers changes: ASes leave or join, and records must move. */
    TABLE_CHANGE,
    /** A server comes back with an empty disk; never so many that all copies of an acknowledged write are lost. */
    DISK_LOST
}
