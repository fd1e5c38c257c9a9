package io.guidepost.gnrs.peer;

import java.util.concurrent.TimeUnit;

/**
 * The operator's settings of a deployment of several servers.
 *
 * @param timeoutMillis the timeout of one request, 1 to 60,000 ms
 * @param attemptsMax the most transmissions to one server for one request, 1 to 8
 * @param choice the replica that is asked first
 * @param hedged whether a hedged request goes to a second replica when the first takes longer than 95 of 100 of its
 *     responses do
 * @param answers the number of replicas whose answers are merged for one look-up, 1 to 32
 * @param quorum the write quorum
 * @param relaysMax the most client requests of one worker that wait for other servers, 1 to 65,536
 * @param cacheBytesMax the bytes of one worker's cache of other servers' records, 0 to 1 GiB
 * @param cacheTtlMillis the cache TTL of records whose bindings name none, ms; 0 = they are not cached
 * @param negativeTtlMillis the negative-cache TTL: how long a name without bindings is cached, ms; 0 = it is not cached
 * @param tombstoneMillis the lifetime of tombstones, ms; a server that was down longer must not come back with its old
 *     records
 * @param hintBytesMax the bytes of hints in memory, all together
 * @param catchUpBytesPerSecond the rate limit of anti-entropy, all peers together
 * @param pingMillis the interval of health checks of a peer, ms
 * @param compareMillis the interval of digest comparisons with a peer, ms
 * @param key the key of the deployment, which seals messages between servers; empty for none
 */
public record ReplicationSettings(
        int timeoutMillis,
        int attemptsMax,
        Choice choice,
        boolean hedged,
        int answers,
        Quorum quorum,
        int relaysMax,
        int cacheBytesMax,
        long cacheTtlMillis,
        long negativeTtlMillis,
        long tombstoneMillis,
        long hintBytesMax,
        int catchUpBytesPerSecond,
        int pingMillis,
        int compareMillis,
        byte[] key) {
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

    private static final ReplicationSettings DEFAULTS = new ReplicationSettings(
            500,
            2,
            Choice.NEAREST,
            true,
            1,
            Quorum.MAJORITY,
            4096,
            16 << 20,
            1000,
            1000,
            TimeUnit.DAYS.toMillis(10),
            64L << 20,
            16 << 20,
            1000,
            60_000,
            new byte[0]);

    /** Checks the ranges, and copies the key. */
    public ReplicationSettings {
        check("timeoutMillis", timeoutMillis, 1, 60_000);
        check("attemptsMax", attemptsMax, 1, 8);
        check("answers", answers, 1, 32);
        check("relaysMax", relaysMax, 1, 1 << 16);
        check("cacheBytesMax", cacheBytesMax, 0, 1 << 30);
        check("cacheTtlMillis", cacheTtlMillis, 0, Long.MAX_VALUE);
        check("negativeTtlMillis", negativeTtlMillis, 0, Long.MAX_VALUE);
        check("tombstoneMillis", tombstoneMillis, 1000, Long.MAX_VALUE);
        check("hintBytesMax", hintBytesMax, 0, 1L << 40);
        check("catchUpBytesPerSecond", catchUpBytesPerSecond, 1024, Integer.MAX_VALUE);
        check("pingMillis", pingMillis, 10, 3_600_000);
        check("compareMillis", compareMillis, 10, Integer.MAX_VALUE);
        key = key.clone();
    }

    private static void check(String name, long value, long least, long most) {
        if (value < least || value > most) {
            throw new IllegalArgumentException(name + " is from " + least + " to " + most + ", not " + value);
        }
    }

    /** Returns the default settings. */
    public static ReplicationSettings defaults() {
        return DEFAULTS;
    }

    /** Returns how far ahead of the local clock a stamp of another server may be, ms; a day. Later ones are refused. */
    public long stampAheadMillis() {
        return TimeUnit.DAYS.toMillis(1);
    }

    @Override
    public byte[] key() {
        return key.clone();
    }
}
