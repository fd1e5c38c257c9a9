package io.guidepost.lab.simulation;

/** The kinds of faults that a simulation injects. Summaries show these names. */
public enum FaultKind {
    /** A server crashes, losing all that it had in memory, and restarts with its disk later. */
    CRASH,
    /** A network partition: servers of different groups cannot communicate. */
    PARTITION,
    /** A cut in one direction: other servers do not receive a server's datagrams, or it does not receive theirs. */
    ONE_WAY_CUT,
    /** The wall clock of a server jumps by up to an hour, forth or back. */
    CLOCK_JUMP,
    /** The disk of a server refuses writes. */
    DISK_FULL,
    /** The disk of a server is slow. */
    DISK_SLOW,
    /** Many datagrams are lost for some time. */
    LOSS,
    /** Datagrams arrive twice for some time, some of them much later. */
    DUPLICATES,
    /** The table of prefixes and servers changes: ASes leave or join, and records must move. */
    TABLE_CHANGE,
    /** A server restarts with an empty disk; at least one replica of each acknowledged write is spared. */
    DISK_LOST
}
