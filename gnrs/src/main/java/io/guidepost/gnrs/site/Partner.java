package io.guidepost.gnrs.site;

import java.net.InetSocketAddress;

/**
 * Another server, as far as bringing copies into line with it goes. The catching up drives it; workers who answer that
 * server's questions tell it what they saw, so all of it is under its lock.
 */
final class Partner {
    /** Whether the other server has the tables that this one has. */
    enum Tables {
        UNKNOWN,
        SAME,
        OTHER
    }

    private static final int HALVES = Ranges.COUNT / CatchUpLimits.DIGESTS_MAX;

    private final InetSocketAddress address;
    private Peer peer;
    private Tables tables = Tables.UNKNOWN;
    private int flags;
    private long theirRecords;
    private long skewMillis;

    /** Ranges that differed when they were compared last, and since when, for each half. */
    private final long[] suspected = new long[4];

    private final long[] suspectedAtNanos = new long[HALVES];

    /** Ranges that differ for so long that their records must be looked at. */
    private final long[] differing = new long[4];

    /** Halves that were alike when they were compared last, one bit for each. */
    private int alike;

    private boolean compared;
    private long comparedAtNanos;
    private boolean asked;
    private long pushed;
    private long pulled;

    Partner(Peer peer) {
        this.peer = peer;
        this.address = peer.address();
    }

    InetSocketAddress address() {
        return address;
    }

    synchronized Peer peer() {
        return peer;
    }

    synchronized void peer(Peer now) {
        peer = now;
    }

    /** Takes what it said of itself. */
    synchronized void said(boolean sameTables, int nowFlags, long records, long skew) {
        tables(sameTables);
        flags = nowFlags;
        theirRecords = records;
        skewMillis = skew;
    }

    private void tables(boolean same) {
        tables = same ? Tables.SAME : Tables.OTHER;
        if (!same) {
            Ranges.clear(suspected);
            Ranges.clear(differing);
            alike = 0;
        }
    }

    /** It has asked or answered with other tables than those here, or with the same. */
    synchronized void tablesSeen(boolean same) {
        tables(same);
    }

    /** Forgets what was compared: the tables have changed here. */
    synchronized void forget() {
        tables = Tables.UNKNOWN;
        flags = 0;
        Ranges.clear(suspected);
        Ranges.clear(differing);
        alike = 0;
        compared = false;
    }

    /** Some ranges were compared, whoever asked; what differs for long enough is to be looked at. */
    synchronized void compared(int first, int number, long[] ours, long[] theirs, long nowNanos) {
        int half = first / CatchUpLimits.DIGESTS_MAX;
        boolean suspicion = false;
        for (int range = first; range < first + number; range++) {
            suspicion |= Ranges.contains(suspected, range);
        }
        boolean confirmed = suspicion && nowNanos - suspectedAtNanos[half] >= CatchUpLimits.CONFIRM_NANOS / 2;
        if (!suspicion) {
            suspectedAtNanos[half] = nowNanos;
        }
        boolean same = true;
        for (int i = 0; i < number; i++) {
            int range = first + i;
            if (ours[range] == theirs[i]) {
                Ranges.remove(suspected, range);
                Ranges.remove(differing, range);
            } else {
                same = false;
                if (confirmed && Ranges.contains(suspected, range)) {
                    Ranges.add(differing, range);
                }
                Ranges.add(suspected, range);
            }
        }
        alike = same ? alike | 1 << half : alike & ~(1 << half);
        compared = true;
        comparedAtNanos = nowNanos;
        tables = Tables.SAME;
    }

    /** It wants to be compared with: it has just started, or says that it misses something. */
    synchronized void asks() {
        asked = true;
    }

    /** Whether it has asked to be compared with since this was asked last. */
    synchronized boolean takeAsked() {
        boolean was = asked;
        asked = false;
        return was;
    }

    /** The ranges whose records must be looked at; they are then no longer suspected, but compared anew. */
    synchronized long[] takeDiffering() {
        long[] taken = differing.clone();
        Ranges.clear(differing);
        if (!Ranges.isEmpty(taken)) {
            Ranges.clear(suspected);
        }
        return taken;
    }

    synchronized boolean differs() {
        return !Ranges.isEmpty(differing);
    }

    /** Whether all ranges were alike when they were last compared. */
    synchronized boolean agrees() {
        return alike == (1 << HALVES) - 1;
    }

    synchronized Tables tables() {
        return tables;
    }

    /** What it said of itself, see {@link SiteWire}. */
    synchronized boolean says(int flag) {
        return (flags & flag) != 0;
    }

    /** How many records it says that it shares with this server. */
    synchronized long theirRecords() {
        return theirRecords;
    }

    synchronized void pushed() {
        pushed++;
    }

    synchronized void pulled() {
        pulled++;
    }

    synchronized CatchUpProgress.Server progress(Peer now, long records, int hints, long nowNanos) {
        return new CatchUpProgress.Server(
                now.site().name(),
                now.site().address(),
                now.health(),
                now.rttNanos(),
                hints,
                Math.max(Ranges.size(suspected), Ranges.size(differing)),
                records,
                compared ? (nowNanos - comparedAtNanos) / 1_000_000 : -1,
                pushed,
                pulled,
                tables == Tables.OTHER,
                (flags & SiteWire.CATCHING_UP) != 0,
                skewMillis);
    }
}
