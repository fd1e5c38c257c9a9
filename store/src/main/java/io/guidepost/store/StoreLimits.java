package io.guidepost.store;

/**
 * Bounds of the store that no configuration changes, each with its reason. Operators' settings are in {@link
 * StoreOptions}.
 */
public final class StoreLimits {
    /** Bytes of one chunk of the index: the unit of allocation, compaction and reuse. Holds the largest record exactly. */
    public static final int CHUNK_BYTES = 1 << 20;

    /** Longest key: a namespace byte and the longest name. */
    public static final int KEY_BYTES_MAX = 1 + io.guidepost.base.CommonLimits.NAME_BYTES_MAX;

    /** Writes that a group waits for at most: the fixed cost of a group is then small for each of them. */
    public static final int GATHER_WRITES_MAX = 16;

    /** Longest group commit delay: a tenth of a slow disk's sync. */
    public static final long GATHER_NANOS_MAX = 1_000_000;

    /** Writes of one commit group: more gain nothing, and delay the first of them. */
    public static final int GROUP_WRITES_MAX = 4096;

    /** Bytes of one group's batch: bounds the latency of one sync and the memory of the batch. */
    public static final int GROUP_BYTES_MAX = 4 << 20;

    /** Chunks reserved for compaction and growing tables, so that a full index can still compact itself. */
    public static final int CHUNKS_RESERVED = 4;

    /** Bytes of arena that one compaction step scans: some 50 µs. */
    public static final int TIDY_BYTES = 64 << 10;

    /** Bytes of arena that one expiry step scans: one chunk, some 200 µs. */
    static final int SWEEP_BYTES = CHUNK_BYTES;

    /** Time between two expiry steps: with {@link #SWEEP_BYTES}, at most 100 MiB of arena a second. */
    public static final long SWEEP_PAUSE_MILLIS = 10;

    /** Expired records that one group removes: leaves room for clients' writes. */
    public static final int EXPIRE_GROUP_MAX = 512;

    /** Records read from the engine by one warming step while writes are pending, and while none are. */
    public static final int WARM_BUSY_RECORDS = 512;

    /** See {@link #WARM_BUSY_RECORDS}. */
    public static final int WARM_IDLE_RECORDS = 8192;

    /** Records of the engine that one expiry step scans when the index does not hold all of them. */
    public static final int ENGINE_SWEEP_RECORDS = 4096;

    /** Time between two such steps: at most 20,000 records a second, so that the load stays unnoticed. */
    public static final long ENGINE_SWEEP_PAUSE_MILLIS = 200;

    /** Pending admissions to the index; what does not fit is read from the engine once more. */
    public static final int ADMISSIONS_MAX = 1024;

    /** Time between two attempts to become writable again; three fit into the second that is promised. */
    public static final long RECOVER_PAUSE_MILLIS = 300;

    /**
     * Bytes of the disk that are kept for changes that do not grow, or half of a smaller disk: logs, and compactions, which free
     * what was deleted but write what stays anew before.
     */
    public static final long DISK_RESERVE_BYTES = 256 << 20;

    /** Bytes written, and time passed, between two looks at the room that is left: a look costs some microseconds. */
    public static final long DISK_LOOK_BYTES = 256 << 10;

    /** See {@link #DISK_LOOK_BYTES}. */
    public static final long DISK_LOOK_MILLIS = 10;

    /** Time between two warnings of the same kind. */
    public static final long WARN_PAUSE_MILLIS = 10_000;

    /** Bytes of a probe write: as many as a memtable flush needs. */
    public static final int PROBE_BYTES = 1 << 20;

    /** Time that a blocking write waits for room in the queue. */
    public static final long QUEUE_WAIT_MILLIS = 10_000;

    /**
     * Lifetime of the tombstone of a replicated record that an administrator removed here; {@link RecordMerge} takes its
     * caller's.
     */
    static final long TOMBSTONE_MILLIS = 10L * 24 * 60 * 60 * 1000;

    /** Changes that a memory store keeps for its change feed. */
    public static final int MEMORY_FEED_MAX = 100_000;

    static {
        if (CHUNK_BYTES < io.guidepost.base.CommonLimits.RECORD_BYTES_MAX) {
            throw new AssertionError("the largest record must fit a chunk");
        }
    }

    private StoreLimits() {}
}
