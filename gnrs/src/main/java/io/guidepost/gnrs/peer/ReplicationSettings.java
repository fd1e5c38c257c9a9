package io.guidepost.gnrs.peer;

import java.util.Arrays;
import java.util.function.Consumer;

/** The operator's settings of a deployment of several servers. Immutable: {@code with…} returns a changed copy. */
public final class ReplicationSettings implements Cloneable {
    /** The replica that is asked first. */
    public enum Choice {
        /** The one with the shortest round-trip time. */
        NEAREST,
        /** A random one. */
        RANDOM,
        /** All at once. */
        ALL
    }

    /** The number of servers that must hold a write before it is acknowledged. */
    public enum Quorum {
        ONE,
        MAJORITY,
        ALL;

        /** Returns the number of servers needed, of {@code servers} that keep a GUID. */
        public int of(int servers) {
            return switch (this) {
                case ONE -> 1;
                case MAJORITY -> servers / 2 + 1;
                case ALL -> servers;
            };
        }
    }

    private static final long STAMP_AHEAD_MILLIS = 24L * 60 * 60 * 1000;

    private int timeoutMillis = 500;
    private int attemptsMax = 2;
    private Choice choice = Choice.NEAREST;
    private boolean hedged = true;
    private int answers = 1;
    private Quorum quorum = Quorum.MAJORITY;
    private int relaysMax = 4096;
    private int cacheBytesMax = 16 << 20;
    private long cacheTtlMillis = 1000;
    private long negativeTtlMillis = 1000;
    private long tombstoneMillis = 10L * 24 * 60 * 60 * 1000;
    private long hintBytesMax = 64L << 20;
    private int catchUpBytesPerSecond = 16 << 20;
    private int pingMillis = 1000;
    private int compareMillis = 60_000;
    private byte[] key = new byte[0];

    private ReplicationSettings() {}

    /** Returns the default settings. */
    public static ReplicationSettings defaults() {
        return new ReplicationSettings();
    }

    private ReplicationSettings with(Consumer<ReplicationSettings> change) {
        try {
            ReplicationSettings copy = (ReplicationSettings) clone();
            change.accept(copy);
            return copy;
        } catch (CloneNotSupportedException e) {
            throw new AssertionError(e);
        }
    }

    private static void check(String name, long value, long least, long most) {
        if (value < least || value > most) {
            throw new IllegalArgumentException(name + " is from " + least + " to " + most + ", not " + value);
        }
    }

    /** Returns the timeout of one request, 1 to 60,000 ms; 500. */
    public int timeoutMillis() {
        return timeoutMillis;
    }

    /** See {@link #timeoutMillis()}. */
    public ReplicationSettings withTimeoutMillis(int value) {
        check("timeoutMillis", value, 1, 60_000);
        return with(copy -> copy.timeoutMillis = value);
    }

    /** Returns the most transmissions to one server for one request, 1 to 8; 2. */
    public int attemptsMax() {
        return attemptsMax;
    }

    /** See {@link #attemptsMax()}. */
    public ReplicationSettings withAttemptsMax(int value) {
        check("attemptsMax", value, 1, 8);
        return with(copy -> copy.attemptsMax = value);
    }

    /** Returns the replica that is asked first; the nearest. */
    public Choice choice() {
        return choice;
    }

    /** See {@link #choice()}. */
    public ReplicationSettings withChoice(Choice value) {
        return with(copy -> copy.choice = value);
    }

    /**
     * Returns whether a hedged request goes to a second replica when the first takes longer than 95 of 100 of its
     * responses do; yes.
     */
    public boolean hedged() {
        return hedged;
    }

    /** See {@link #hedged()}. */
    public ReplicationSettings withHedged(boolean value) {
        return with(copy -> copy.hedged = value);
    }

    /** Returns the number of replicas whose answers are merged for one look-up, 1 to 32; 1. */
    public int answers() {
        return answers;
    }

    /** See {@link #answers()}. */
    public ReplicationSettings withAnswers(int value) {
        check("answers", value, 1, 32);
        return with(copy -> copy.answers = value);
    }

    /** Returns the write quorum; a majority. */
    public Quorum quorum() {
        return quorum;
    }

    /** See {@link #quorum()}. */
    public ReplicationSettings withQuorum(Quorum value) {
        return with(copy -> copy.quorum = value);
    }

    /** Returns the most client requests of one worker that wait for other servers, 1 to 65,536; 4096. */
    public int relaysMax() {
        return relaysMax;
    }

    /** See {@link #relaysMax()}. */
    public ReplicationSettings withRelaysMax(int value) {
        check("relaysMax", value, 1, 1 << 16);
        return with(copy -> copy.relaysMax = value);
    }

    /** Returns the bytes of one worker's cache of other servers' records, 0 to 1 GiB; 16 MiB. */
    public int cacheBytesMax() {
        return cacheBytesMax;
    }

    /** See {@link #cacheBytesMax()}. */
    public ReplicationSettings withCacheBytesMax(int value) {
        check("cacheBytesMax", value, 0, 1 << 30);
        return with(copy -> copy.cacheBytesMax = value);
    }

    /** Returns the cache TTL of records whose bindings name none, ms, 0 for not at all; 1000. */
    public long cacheTtlMillis() {
        return cacheTtlMillis;
    }

    /** See {@link #cacheTtlMillis()}. */
    public ReplicationSettings withCacheTtlMillis(long value) {
        check("cacheTtlMillis", value, 0, Long.MAX_VALUE);
        return with(copy -> copy.cacheTtlMillis = value);
    }

    /** Returns the negative-cache TTL: how long a name without bindings is cached, ms, 0 for not at all; 1000. */
    public long negativeTtlMillis() {
        return negativeTtlMillis;
    }

    /** See {@link #negativeTtlMillis()}. */
    public ReplicationSettings withNegativeTtlMillis(long value) {
        check("negativeTtlMillis", value, 0, Long.MAX_VALUE);
        return with(copy -> copy.negativeTtlMillis = value);
    }

    /**
     * Returns the lifetime of tombstones, ms; ten days. A server that was down longer must not come back with its old
     * records.
     */
    public long tombstoneMillis() {
        return tombstoneMillis;
    }

    /** See {@link #tombstoneMillis()}. */
    public ReplicationSettings withTombstoneMillis(long value) {
        check("tombstoneMillis", value, 1000, Long.MAX_VALUE);
        return with(copy -> copy.tombstoneMillis = value);
    }

    /** Returns how far ahead of the local clock a stamp of another server may be, ms; a day. Later ones are refused. */
    public long stampAheadMillis() {
        return STAMP_AHEAD_MILLIS;
    }

    /** Returns the bytes of hints in memory, all together; 64 MiB. */
    public long hintBytesMax() {
        return hintBytesMax;
    }

    /** See {@link #hintBytesMax()}. */
    public ReplicationSettings withHintBytesMax(long value) {
        check("hintBytesMax", value, 0, 1L << 40);
        return with(copy -> copy.hintBytesMax = value);
    }

    /** Returns the rate limit of anti-entropy in bytes per second, all peers together; 16 MiB. */
    public int catchUpBytesPerSecond() {
        return catchUpBytesPerSecond;
    }

    /** See {@link #catchUpBytesPerSecond()}. */
    public ReplicationSettings withCatchUpBytesPerSecond(int value) {
        check("catchUpBytesPerSecond", value, 1024, Integer.MAX_VALUE);
        return with(copy -> copy.catchUpBytesPerSecond = value);
    }

    /** Returns the interval of health checks of a peer, ms; 1000. */
    public int pingMillis() {
        return pingMillis;
    }

    /** See {@link #pingMillis()}. */
    public ReplicationSettings withPingMillis(int value) {
        check("pingMillis", value, 10, 3_600_000);
        return with(copy -> copy.pingMillis = value);
    }

    /** Returns the interval of digest comparisons with a peer, ms; 60,000. */
    public int compareMillis() {
        return compareMillis;
    }

    /** See {@link #compareMillis()}. */
    public ReplicationSettings withCompareMillis(int value) {
        check("compareMillis", value, 10, Integer.MAX_VALUE);
        return with(copy -> copy.compareMillis = value);
    }

    /** Returns the key of the deployment, which seals messages between servers; empty for none. */
    public byte[] key() {
        return key.clone();
    }

    /** See {@link #key()}. */
    public ReplicationSettings withKey(byte[] value) {
        byte[] own = Arrays.copyOf(value, value.length);
        return with(copy -> copy.key = own);
    }
}
