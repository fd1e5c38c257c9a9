package io.guidepost.store;

/**
 * Bounds of the store that no configuration moves, each with its reason. What an operator may move is in {@link
 * StoreOptions}.
 */
public final class StoreLimits {
    /**
     * Bytes of one chunk of the index: the unit in which memory is taken, compacted and reused. Holds the largest
     * record exactly.
     */
    public static final int CHUNK_BYTES = 1 << 20;

    /** Longest key: a namespace byte and the longest name. */
    public static final int KEY_BYTES_MAX = 1 + io.guidepost.base.CommonLimits.NAME_BYTES_MAX;

    /** Writes that a group is worth waiting for: what a group costs besides is then little for each of them. */
    public static final int GATHER_WRITES_MAX = 16;

    /** Bytes of one group's batch: bounds what one sync makes others wait for, and the memory of the batch. */
    public static final int GROUP_BYTES_MAX = 4 << 20;

    /** Chunks kept free for compaction and growing tables, so that a full index can still tidy itself. */
    public static final int CHUNKS_RESERVED = 4;

    /** Bytes of arena looked through by one step of compaction: some 50 µs. */
    public static final int TIDY_BYTES = 64 << 10;

    /** Bytes of arena looked through by one step of the expiry sweep: one chunk, some 200 µs. */
    static final int SWEEP_BYTES = CHUNK_BYTES;

    /** Time between two steps of the sweep: with {@link #SWEEP_BYTES}, at most 100 MiB of arena a second. */
    public static final long SWEEP_PAUSE_MILLIS = 10;

    /** Expired records removed by one group: leaves room for the writes of others. */
    public static final int EXPIRE_GROUP_MAX = 512;

    /** Records read from the engine by one step of warming while writes wait, and while none do. */
    public static final int WARM_BUSY_RECORDS = 512;

    /** See {@link #WARM_BUSY_RECORDS}. */
    public static final int WARM_IDLE_RECORDS = 8192;

    /** Records of the engine looked at by one step of the sweep when the index does not hold all of them. */
    public static final int ENGINE_SWEEP_RECORDS = 4096;

    /** Time between two steps of that sweep: at most 20,000 records a second, so that it stays unnoticed. */
    public static final long ENGINE_SWEEP_PAUSE_MILLIS = 200;

    /** Records waiting to be taken back into the index; what does not fit is read from the engine once more. */
    public static final int ADMISSIONS_MAX = 1024;

    /** Time between two attempts to become writable again; three fit into the second that is promised. */
    public static final long RECOVER_PAUSE_MILLIS = 300;

    /** Time between two warnings of the same kind. */
    public static final long WARN_PAUSE_MILLIS = 10_000;

    /** Bytes written to see whether the disk takes any: a memtable that must be flushed needs them. */
    public static final int PROBE_BYTES = 1 << 20;

    /** How long a blocking write waits for room in the queue before it gives up. */
    public static final long QUEUE_WAIT_MILLIS = 10_000;

    /**
     * How long it is kept in mind that a record with stamps was removed here, by whoever administers this server; what
     * {@link RecordMerge} takes away is kept in mind as long as its caller says.
     */
    static final long TOMBSTONE_MILLIS = 10L * 24 * 60 * 60 * 1000;

    /** Changes that a store in memory keeps for its feed. */
    public static final int MEMORY_FEED_MAX = 100_000;

    static {
        if (CHUNK_BYTES < io.guidepost.base.CommonLimits.RECORD_BYTES_MAX) {
            throw new AssertionError("the largest record must fit a chunk");
        }
    }

    private StoreLimits() {}
}
