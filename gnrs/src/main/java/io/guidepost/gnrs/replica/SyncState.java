package io.guidepost.gnrs.replica;

import io.guidepost.gnrs.peer.Peer;
import io.guidepost.gnrs.peer.PeerWire;
import java.net.InetSocketAddress;
import java.util.Arrays;

/**
 * The synchronisation state of one peer. Anti-entropy drives it; workers that answer that peer's requests update it, so
 * all of it is under its lock.
 */
public final class SyncState {
    /** Whether the peer has the tables that this server has. */
    public enum Tables {
        UNKNOWN,
        SAME,
        OTHER
    }

    private static final int HALVES = DigestRanges.COUNT / SyncLimits.DIGESTS_MAX;

    private final InetSocketAddress address;
    private volatile Peer peer;
    private Tables tables = Tables.UNKNOWN;
    private int flags;
    private long theirRecords;
    private long skewMillis;

    /** Ranges that differed in the last comparison, and since when, for each half. */
    private final long[] suspected = new long[4];

    private final long[] suspectedAtNanos = new long[HALVES];

    /** Ranges that differ for so long that their records must be compared. */
    private final long[] differing = new long[4];

    /** Ranges whose record was looked for by {@link Syndromes} since they agreed: what differs still needs a scan. */
    private final long[] soughtOnce = new long[4];

    /** Ranges that have not agreed since the start or the last {@link #forget}: under a load of writes all never agree at once. */
    private final long[] unconfirmed = new long[4];

    /** Halves that agreed in the last comparison, one bit for each. */
    private int alike;

    private boolean compared;
    private long comparedAtNanos;
    private boolean asked;
    private volatile boolean inLine;
    private long pushed;
    private long pulled;

    SyncState(Peer peer) {
        this.peer = peer;
        this.address = peer.address();
        Arrays.fill(unconfirmed, -1);
    }

    public InetSocketAddress address() {
        return address;
    }

    public Peer peer() {
        return peer;
    }

    void peer(Peer now) {
        peer = now;
    }

    /** Takes the state that the peer reported. */
    public synchronized void said(boolean sameTables, int nowFlags, long records, long skew) {
        tables(sameTables);
        flags = nowFlags;
        theirRecords = records;
        skewMillis = skew;
    }

    private void tables(boolean same) {
        tables = same ? Tables.SAME : Tables.OTHER;
        if (!same) {
            DigestRanges.clear(suspected);
            DigestRanges.clear(differing);
            alike = 0;
        }
    }

    /** Records whether a message of the peer carried the fingerprint of the same tables. */
    public synchronized void tablesSeen(boolean same) {
        tables(same);
    }

    /** Discards all comparisons: the tables have changed here. */
    public synchronized void forget() {
        tables = Tables.UNKNOWN;
        flags = 0;
        DigestRanges.clear(suspected);
        DigestRanges.clear(differing);
        DigestRanges.clear(soughtOnce);
        Arrays.fill(unconfirmed, -1);
        alike = 0;
        compared = false;
    }

    /** Returns whether what this server missed of the records that it shares with the peer has come, or the peer does not respond. */
    public boolean inLine() {
        return inLine;
    }

    /** Records that a comparison agreed, or that there is nothing to compare; false to begin again. */
    public void inLine(boolean now) {
        inLine = now;
    }

    /**
     * Takes a comparison of some ranges, from either side's request; ranges that differ for long enough are due for a
     * scan.
     */
    public synchronized void compared(int first, int number, long[] ours, long[] theirs, long nowNanos) {
        int half = first / SyncLimits.DIGESTS_MAX;
        boolean suspicion = false;
        for (int range = first; range < first + number; range++) {
            suspicion |= DigestRanges.contains(suspected, range);
        }
        boolean confirmed = suspicion && nowNanos - suspectedAtNanos[half] >= SyncLimits.CONFIRM_NANOS / 2;
        if (!suspicion) {
            suspectedAtNanos[half] = nowNanos;
        }
        boolean same = true;
        for (int i = 0; i < number; i++) {
            int range = first + i;
            if (ours[range] == theirs[i]) {
                DigestRanges.remove(suspected, range);
                DigestRanges.remove(differing, range);
                DigestRanges.remove(unconfirmed, range);
                DigestRanges.remove(soughtOnce, range);
            } else {
                same = false;
                if (confirmed && DigestRanges.contains(suspected, range)) {
                    DigestRanges.add(differing, range);
                }
                DigestRanges.add(suspected, range);
            }
        }
        alike = same ? alike | 1 << half : alike & ~(1 << half);
        compared = true;
        comparedAtNanos = nowNanos;
        tables = Tables.SAME;
    }

    /** Records that the peer wants a comparison: it has just started, or reports that it misses writes. */
    public synchronized void asks() {
        asked = true;
    }

    /** Returns whether the peer has wanted a comparison since the last call. */
    public synchronized boolean takeRequested() {
        boolean was = asked;
        asked = false;
        return was;
    }

    /** Returns the ranges whose records must be compared, and resets their suspicion: they are compared anew. */
    public synchronized long[] takeDiffering() {
        long[] taken = differing.clone();
        DigestRanges.clear(differing);
        if (!DigestRanges.isEmpty(taken)) {
            DigestRanges.clear(suspected);
        }
        return taken;
    }

    /**
     * Returns whether {@link Syndromes} may name all records that differ: the peer has them, no group has two ranges that
     * differ, and none of these ranges was sought in vain before.
     */
    public synchronized boolean isSoluble() {
        if ((flags & PeerWire.HAS_SYNDROMES) == 0) {
            return false;
        }
        for (int word = 0; word < differing.length; word++) {
            if ((differing[word] & soughtOnce[word]) != 0) {
                return false;
            }
        }
        boolean[] taken = new boolean[Syndromes.GROUPS];
        for (int range = 0; range < DigestRanges.COUNT; range++) {
            if (DigestRanges.contains(differing, range)) {
                if (taken[Syndromes.group(range)]) {
                    return false;
                }
                taken[Syndromes.group(range)] = true;
            }
        }
        return true;
    }

    /** Returns the ranges as {@link #takeDiffering} does, and notes that their records are looked for by syndromes. */
    public synchronized long[] takeSoluble() {
        long[] taken = takeDiffering();
        for (int word = 0; word < taken.length; word++) {
            soughtOnce[word] |= taken[word];
        }
        return taken;
    }

    /** Puts back ranges that were taken, and whose records syndromes did not name. */
    public synchronized void unsolved(long[] ranges) {
        for (int word = 0; word < ranges.length; word++) {
            differing[word] |= ranges[word];
        }
    }

    public synchronized boolean differs() {
        return !DigestRanges.isEmpty(differing);
    }

    /** Returns whether some range differed in the last comparison, and none has confirmed it. */
    public synchronized boolean suspects() {
        return !DigestRanges.isEmpty(suspected);
    }

    /** Returns whether all ranges agreed in the last comparison. */
    public synchronized boolean agrees() {
        return alike == (1 << HALVES) - 1;
    }

    /** Returns whether each range agreed in some comparison since the start or the last {@link #forget}. */
    public synchronized boolean hasAgreed() {
        return DigestRanges.isEmpty(unconfirmed);
    }

    public synchronized Tables tables() {
        return tables;
    }

    /** Returns whether the peer reported a flag, see {@link PeerWire}. */
    public synchronized boolean reports(int flag) {
        return (flags & flag) != 0;
    }

    /** Returns the number of records that the peer reports to share with this server. */
    public synchronized long theirRecords() {
        return theirRecords;
    }

    public synchronized void pushed() {
        pushed++;
    }

    public synchronized void pulled() {
        pulled++;
    }

    public synchronized SyncProgress.PeerProgress progress(Peer now, long records, int hints, long nowNanos) {
        return new SyncProgress.PeerProgress(
                now.descriptor().name(),
                now.descriptor().address(),
                now.health(),
                now.rttNanos(),
                hints,
                Math.max(DigestRanges.size(suspected), DigestRanges.size(differing)),
                records,
                compared ? (nowNanos - comparedAtNanos) / 1_000_000 : -1,
                pushed,
                pulled,
                tables == Tables.OTHER,
                (flags & PeerWire.CATCHING_UP) != 0,
                skewMillis);
    }
}
