package io.guidepost.fleet;

import io.guidepost.names.Name;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * The keys of all records in their order, out of the buckets that each namespace is spread over. A key that is listed may have no
 * record; each record is listed.
 */
public final class KeyLists {
    private final Cql cql;

    /** Takes keys in their order, some at a time. */
    @FunctionalInterface
    interface Visitor {
        /** Takes some; false ends the visit. */
        boolean take(List<byte[]> keys) throws ClusterException;
    }

    KeyLists(Cql cql) {
        this.cql = cql;
    }

    /** Returns the bucket that a key is listed in. */
    public static int bucket(byte[] key) {
        CRC32C sum = new CRC32C();
        sum.update(key);
        return key[0] * FleetLimits.BUCKETS + (int) (sum.getValue() & FleetLimits.BUCKETS - 1);
    }

    /**
     * Returns which life in a list covers one: 0 = for ever, else the logarithm to the base 2 of its seconds. Lives are cells of their
     * own, so that the later stamp of a shorter one does not end a longer.
     *
     * @param ttlSeconds 0 = never ends
     */
    public static byte life(int ttlSeconds) {
        return (byte) (ttlSeconds == 0 ? 0 : Math.max(1, Integer.SIZE - Integer.numberOfLeadingZeros(ttlSeconds - 1)));
    }

    /** Returns the seconds of a life; 0 = never ends. */
    static int seconds(byte life) {
        return life == 0 ? 0 : (int) Math.min(1L << life, FleetLimits.TTL_SECONDS_MAX);
    }

    /**
     * Visits keys that begin with some bytes.
     *
     * @param prefix those bytes; none = all
     * @param after the key to begin behind, or null to begin at the first
     */
    void visit(byte[] prefix, byte @Nullable [] after, Visitor visitor) throws ClusterException {
        // The successor of a key is that key and a zero byte.
        byte[] from = after == null || Arrays.compareUnsigned(after, prefix) < 0 ? prefix : Arrays.copyOf(after, after.length + 1);
        for (Name.Namespace each : Name.Namespace.values()) {
            byte code = each.code();
            if ((prefix.length == 0 || prefix[0] == code) && (from.length == 0 || from[0] <= code)) {
                byte[] first = from.length > 0 && from[0] == code ? from : new byte[] {code};
                if (!visit(code, prefix, first, visitor)) {
                    return;
                }
            }
        }
    }

    private boolean visit(byte namespace, byte[] prefix, byte[] from, Visitor visitor) throws ClusterException {
        PriorityQueue<Cursor> cursors = new PriorityQueue<>(Comparator.comparing(Cursor::key, Arrays::compareUnsigned));
        for (Cursor each : open(namespace * FleetLimits.BUCKETS, from)) {
            if (each.more()) {
                cursors.add(each);
            }
        }
        List<byte[]> keys = new ArrayList<>();
        int most = FleetLimits.PAGE_FIRST;
        while (!cursors.isEmpty()) {
            Cursor next = cursors.remove();
            byte[] key = next.key();
            if (key.length < prefix.length || !Arrays.equals(key, 0, prefix.length, prefix, 0, prefix.length)) {
                // Keys come in order from the prefix on: none behind this one has it.
                break;
            }
            keys.add(key);
            if (next.advance()) {
                cursors.add(next);
            }
            if (keys.size() == most) {
                if (!visitor.take(keys)) {
                    return false;
                }
                keys = new ArrayList<>();
                most = Math.min(4 * most, FleetLimits.SCAN_READS_MAX);
            }
        }
        return keys.isEmpty() || visitor.take(keys);
    }

    /** Reads the first page of each bucket, all at once: one after the other would take as many round trips as there are. */
    private List<Cursor> open(int firstBucket, byte[] from) throws ClusterException {
        List<Callable<Cursor>> tasks = new ArrayList<>();
        for (int i = 0; i < FleetLimits.BUCKETS; i++) {
            int bucket = firstBucket + i;
            tasks.add(() -> new Cursor(bucket, from));
        }
        return together(tasks);
    }

    /** Runs tasks at the same time, and returns their results in order. */
    static <T> List<T> together(List<Callable<T>> tasks) throws ClusterException {
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<T> results = new ArrayList<>();
            for (Future<T> each : threads.invokeAll(tasks)) {
                results.add(each.get());
            }
            return results;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new ClusterException("interrupted while waiting for the cluster", false);
        } catch (ExecutionException e) {
            if (e.getCause() instanceof ClusterException failed) {
                throw failed;
            }
            throw new IllegalStateException(e.getCause());
        }
    }

    /** A place in one bucket. */
    private final class Cursor {
        private final int bucket;
        private List<byte[]> page;
        private int pageMax = FleetLimits.PAGE_FIRST;
        private int at;

        Cursor(int bucket, byte[] from) throws ClusterException {
            this.bucket = bucket;
            this.page = cql.listed(bucket, from, pageMax);
        }

        boolean more() {
            return at < page.size();
        }

        byte[] key() {
            return page.get(at);
        }

        /** Goes to the next key; false if there is none. */
        boolean advance() throws ClusterException {
            at++;
            if (at == page.size() && page.size() == pageMax) {
                byte[] last = page.getLast();
                pageMax = Math.min(4 * pageMax, FleetLimits.PAGE_MAX);
                page = cql.listed(bucket, Arrays.copyOf(last, last.length + 1), pageMax);
                at = 0;
            }
            return more();
        }
    }
}
