package io.guidepost.dns;

import io.guidepost.dns.wire.DnsLimits;
import io.guidepost.dns.wire.DnsWire;
import io.guidepost.names.Name;
import io.guidepost.store.RecordStore;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The domain names that have no record and stand above some that have, as {@code prod} above {@code orders.prod}: they exist, and a
 * validator that is told NXDOMAIN of one takes all below for absent (RFC 8020, RFC 8198). In memory, read from the store at the
 * start; the committer tells of changes, any thread asks. Where not all are known, each absent name may be one.
 */
public final class EmptyNonTerminals {
    private static final byte GUIDS = Name.Namespace.GUID.code();
    private static final byte HANDLES = Name.Namespace.HANDLE.code();

    /** A name whose record was read: the hashes of all names above it. */
    @SuppressWarnings("ArrayRecordComponent") // A row of a part that is thrown away.
    private record Row(byte[] key, long[] above) {}

    /** What is above the names of one namespace. */
    private static final class Level {
        private final SuffixCounts counts = new SuffixCounts(DnsLimits.NON_TERMINAL_ROWS_MAX);
        private volatile boolean known;
        private boolean full;

        void add(long[] above, int change) {
            for (int i = 0; i < above.length && !full; i++) {
                full = !counts.add(above[i], change);
                known &= !full;
            }
        }
    }

    private final Level names = new Level();
    private final Level handles = new Level();
    private final long seed;

    /** What the committer told while a part was read, by key: the names above it since. Null while none is read. */
    private volatile @Nullable NavigableMap<byte[], long[]> meanwhile;

    /** The last key that was read. */
    private byte[] readTo = {GUIDS};

    /** Creates it, for a process. */
    public EmptyNonTerminals(long seed) {
        this.seed = seed;
    }

    private static NavigableMap<byte[], long[]> byKey() {
        return new TreeMap<>(Arrays::compareUnsigned);
    }

    /** Returns whether there may be names below one, whose labels stand in a segment, without those of the zone. */
    boolean mayBeAbove(MemorySegment labels, long from, int bytes, boolean handle) {
        Level level = handle ? handles : names;
        return !level.known || level.counts.contains(hash(labels, from, bytes));
    }

    /** Returns how many there are of which it is known. */
    public int size() {
        return names.counts.size() + handles.counts.size();
    }

    private long hash(MemorySegment labels, long from, int bytes) {
        long hash = seed;
        for (int i = 0; i < bytes; i++) {
            hash = (hash ^ labels.get(DnsWire.BYTE, from + i)) * 0x9e3779b97f4a7c15L;
            hash ^= hash >>> Integer.SIZE;
        }
        return hash == 0 ? 1 : hash;
    }

    /** Returns the hashes of all names above one, of those with labels in lower case. */
    private long[] above(byte[] key, byte @Nullable [] image) {
        List<byte[]> owners = ZoneRecords.owners(key, image);
        int count = owners.stream().mapToInt(EmptyNonTerminals::levels).sum();
        long[] hashes = new long[count];
        int next = 0;
        for (byte[] owner : owners) {
            MemorySegment labels = MemorySegment.ofArray(owner);
            for (int at = 1 + owner[0]; at < owner.length; at += 1 + owner[at]) {
                hashes[next++] = hash(labels, at, owner.length - at);
            }
        }
        return hashes;
    }

    private static int levels(byte[] owner) {
        int levels = -1;
        for (int at = 0; at < owner.length; at += 1 + owner[at]) {
            levels++;
        }
        return levels;
    }

    /** Takes a change that is durable and visible; the committer calls, in order. */
    public void changed(byte[] key, byte @Nullable [] before, byte @Nullable [] after) {
        if (key[0] != GUIDS && key[0] != HANDLES || ZoneRecords.haveSameOwners(key, before, after)) {
            return;
        }
        NavigableMap<byte[], long[]> unread = meanwhile;
        if (Arrays.compareUnsigned(key, readTo) <= 0) {
            Level level = key[0] == GUIDS ? names : handles;
            level.add(above(key, after), 1);
            level.add(above(key, before), -1);
        } else if (unread != null) {
            unread.put(key, above(key, after));
        }
    }

    /**
     * Reads what the store has, in parts, while it goes on. Until then each absent name may be above others.
     *
     * @throws IOException if it cannot be read: that then stays so
     */
    public void read(RecordStore store) throws IOException {
        try {
            readParts(store);
        } finally {
            meanwhile = null;
        }
    }

    private void readParts(RecordStore store) throws IOException {
        for (boolean more = true; more; ) {
            CommitterTask.run(store, () -> meanwhile = byKey());
            List<Row> part = new ArrayList<>();
            byte[] after = readTo;
            store.images(after, (key, image) -> {
                boolean inside = key[0] == GUIDS || key[0] == HANDLES;
                if (inside) {
                    part.add(new Row(key, above(key, image)));
                }
                return inside && part.size() < DnsLimits.PART_MAX;
            });
            more = part.size() == DnsLimits.PART_MAX && !(names.full && handles.full);
            boolean last = !more;
            CommitterTask.run(store, () -> take(part, last));
        }
    }

    /** Takes a part that was read, with what has changed meanwhile; the committer runs it, between two changes. */
    private void take(List<Row> part, boolean last) {
        NavigableMap<byte[], long[]> told = meanwhile;
        NavigableMap<byte[], long[]> changed = told == null ? byKey() : told;
        byte[] from = readTo;
        readTo = last ? new byte[] {(byte) (HANDLES + 1)} : part.getLast().key;
        for (Row each : part) {
            changed.putIfAbsent(each.key, each.above);
        }
        changed.subMap(from, false, readTo, true).forEach((key, above) -> (key[0] == GUIDS ? names : handles).add(above, 1));
        meanwhile = last ? null : byKey();
        names.known = readTo[0] != GUIDS && !names.full;
        handles.known = last && !handles.full;
    }
}
