package io.guidepost.naming;

import java.time.Duration;

/** Bounds of names over HTTP, each with its reason. */
public final class NamingLimits {
    /** Bytes of a request's body: a thousand operations with some places each. */
    static final int BODY_BYTES_MAX = 1 << 20;

    /** Bytes of a body that an event loop reads: others wait for it. */
    static final int LOOP_BODY_BYTES_MAX = 16 << 10;

    /** Operations of one batch. */
    static final int OPERATIONS_MAX = 1000;

    /** Names of one page. */
    static final int PAGE_MAX = 1000;

    /** Names of a page that does not say how many. */
    static final int PAGE_STANDARD = 100;

    /** Names that are read from the disk at a time for a snapshot. */
    static final int SNAPSHOT_PAGE = 500;

    /** Names that one look-up follows links to: as many as of a chain, of several places each. */
    static final int LINKS_MAX = 256;

    /** Characters of a query parameter: a name of 2,048 bytes. */
    static final int PARAMETER_CHARS_MAX = 2048;

    /** Silence after which a comment is sent, so that no middlebox closes the connection. */
    static final Duration SILENCE_MAX = Duration.ofSeconds(15);

    /** Bytes that an event takes in memory besides its name and its record. */
    static final int EVENT_BYTES = 200;

    /** Events that one prefix keeps for its watchers; one that lies further back gets a snapshot. */
    static final int PREFIX_EVENTS_MAX = 8192;

    /** Pause behind events for each watcher that is woken: twice the processor time that it takes, so that writers go on beside them. */
    static final long WATCHER_NANOS = 20_000;

    static final long PAUSE_NANOS_MIN = 1_000_000;
    static final long PAUSE_NANOS_MAX = 40_000_000;

    /** Events that a watcher takes at once: they are read with the lock held that all watchers share. */
    static final int EVENTS_AT_ONCE_MAX = 256;

    /** Changes that may wait for the thread that tells them; more, and all watchers begin again. */
    static final int CHANGES_WAITING_MAX = 1 << 17;

    /** Bytes of events written before they are flushed: below the record size of TLS. */
    static final int FLUSH_BYTES = 16_000;

    /** Leases of one server: some hundred bytes each. */
    static final int LEASES_MAX = 1_000_000;

    /** Names of one lease. */
    static final int LEASE_NAMES_MAX = 100_000;

    /** Shortest lease: a renewal may be lost and sent again. */
    static final Duration LEASE_MIN = Duration.ofSeconds(1);

    /** Longest lease. */
    static final Duration LEASE_MAX = Duration.ofHours(24);

    /** Lines of the file of tokens. */
    static final int TOKENS_MAX = 10_000;

    /** Time that a request waits for the store's queue to have room. */
    static final Duration QUEUE_WAIT_MAX = Duration.ofSeconds(5);

    /** Changes of names that a completion of the index has under way. */
    static final int INDEXED_UNDER_WAY_MAX = 1024;

    private NamingLimits() {}
}
