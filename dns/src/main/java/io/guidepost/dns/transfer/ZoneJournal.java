package io.guidepost.dns.transfer;

import io.guidepost.names.Name;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The last changes of names and handles, in memory, and the serial of the zone (RFC 1982): the number of the store's last change at
 * the start, and one more with each change since. It never passes the store's own number, which counts all changes, so it grows over
 * a restart as well. The committer writes; thread-safe.
 */
public final class ZoneJournal {
    /**
     * A change.
     *
     * @param serial of the zone from then on
     * @param key the name's key
     * @param before the stored form before, or null if there was none
     * @param after the stored form since, or null if there is none
     */
    @SuppressWarnings("ArrayRecordComponent") // The store's own arrays, which do not change.
    record Change(int serial, byte[] key, byte @Nullable [] before, byte @Nullable [] after) {
        private int bytes() {
            return OVERHEAD_BYTES + key.length + (before == null ? 0 : before.length) + (after == null ? 0 : after.length);
        }
    }

    private static final int OVERHEAD_BYTES = 96;

    private final ArrayDeque<Change> changes = new ArrayDeque<>();
    private boolean kept;
    private long bytes;
    private int serial;

    /** The serial before the first change that is kept. */
    private int oldest;

    /** Returns the serial in force, without a lock. */
    private volatile int published;

    /**
     * Begins, before the first change.
     *
     * @param sequence number of the store's last change
     * @param keep whether changes are kept, for transfers; else they are counted
     */
    public synchronized void begin(long sequence, boolean keep) {
        serial = (int) sequence;
        published = serial;
        oldest = serial;
        kept = keep;
    }

    /** Keeps changes from now on, or no longer. */
    public synchronized void keep(boolean keep) {
        if (kept && !keep || !kept && keep) {
            changes.clear();
            bytes = 0;
            oldest = serial;
            kept = keep;
        }
    }

    /** Returns the serial in force. */
    public int serial() {
        return published;
    }

    /** Takes a change that is durable and visible; the committer calls, in order. */
    public void changed(byte[] key, byte @Nullable [] before, byte @Nullable [] after) {
        if (key[0] == Name.Namespace.GUID.code() || key[0] == Name.Namespace.HANDLE.code()) {
            add(key, before, after);
        }
    }

    private synchronized void add(byte[] key, byte @Nullable [] before, byte @Nullable [] after) {
        serial++;
        if (kept) {
            Change change = new Change(serial, key, before, after);
            changes.add(change);
            bytes += change.bytes();
            while (bytes > TransferLimits.JOURNAL_BYTES_MAX) {
                Change first = changes.remove();
                bytes -= first.bytes();
                oldest = first.serial;
            }
        }
        published = serial;
        notifyAll();
    }

    /** Returns the changes after a serial, oldest first; empty if they are not all kept. */
    synchronized Optional<List<Change>> since(int after) {
        if (!kept || after - oldest < 0 || serial - after < 0) {
            return Optional.empty();
        }
        List<Change> since = new ArrayList<>(serial - after);
        for (var each = changes.descendingIterator(); each.hasNext(); ) {
            Change change = each.next();
            if (change.serial == after) {
                break;
            }
            since.add(change);
        }
        return Optional.of(since.reversed());
    }

    /** Waits until the serial is another one, or a time has passed; returns the serial. */
    public synchronized int await(int other, long millis) throws InterruptedException {
        long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
        for (long left = millis; serial == other && left > 0; left = TimeUnit.NANOSECONDS.toMillis(end - System.nanoTime())) {
            wait(left);
        }
        return serial;
    }
}
