package io.guidepost.gnrs.replica;

import io.guidepost.gnrs.peer.Peer;
import io.guidepost.gnrs.peer.PeerTable;
import io.guidepost.gnrs.placement.LivePlacement;
import io.guidepost.gnrs.placement.Placement;
import io.guidepost.gnrs.placement.Placer;
import io.guidepost.names.Guid;
import io.guidepost.names.Name;
import io.guidepost.store.RecordImage;
import io.guidepost.store.RecordStore;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Range digests of the records that this server shares with each peer: of each range of hashed GUIDs the XOR of the
 * digests of all records that both keep. Two servers with equal digests hold the same. Beside them stand the {@link Syndromes},
 * which name a single record that differs.
 *
 * <p>The store keeps them up to date by reporting every change. A scan builds the initial state, at the start and after
 * a change of tables, a piece at a time: changes at or before the cursor are counted at once, those behind it are left
 * to the scan. Changes within the piece that is being read are noted and win over what was read; the piece ends when an
 * empty change has passed the committer, and with it all changes in flight when the piece was read.
 *
 * <p>Memory: at most 3.4 KiB for each peer that shares records with this server, 1 KiB of it syndromes; less if few are shared. Any
 * thread may call all methods but {@link #step}, which one thread calls.
 */
public final class RangeDigests implements RecordStore.Observer {
    private static final System.Logger LOG = System.getLogger(RangeDigests.class.getName());

    private static final int PAGE = 16;

    /** A page has the digests of its ranges, and behind them the syndromes of their groups. */
    private static final int PAGE_SUMS = PAGE / Syndromes.GROUP_RANGES * Syndromes.SUMS;

    private final LivePlacement placement;
    private final PeerTable peers;
    private final RecordStore store;
    private final Runnable wake;
    private final InetSocketAddress[] servers = new InetSocketAddress[64];

    private final Map<InetSocketAddress, Shared> shared = new HashMap<>();
    private @Nullable Placement placed;
    private Placer placer = Placer.EVERYTHING_HERE;
    private boolean alone = true;
    private long elsewhere;

    /** The change of syndromes by the record that is being counted. */
    private final long[] change = new long[Syndromes.SUMS];

    /** Keys up to this one are counted; null for none yet. */
    private byte @Nullable [] cursor;

    private boolean complete;
    private @Nullable Piece piece;

    /** The digests that this server shares with a peer, or, for itself, nothing. */
    private static final class Shared {
        final boolean own;
        final long[] @Nullable [] pages = new long[DigestRanges.COUNT / PAGE][];
        long records;

        Shared(boolean own) {
            this.own = own;
        }

        void change(int range, long difference, long[] change) {
            long[] page = pages[range / PAGE];
            if (page == null) {
                page = new long[PAGE + PAGE_SUMS];
                pages[range / PAGE] = page;
            }
            page[range % PAGE] ^= difference;
            Syndromes.add(page, PAGE + Syndromes.group(range % PAGE) * Syndromes.SUMS, change);
        }
    }

    private record Counted(long digest, boolean there, boolean values) {
        static final Counted NONE = new Counted(0, false, false);

        static Counted of(byte @Nullable [] image) {
            if (image == null) {
                return NONE;
            }
            MemorySegment in = MemorySegment.ofArray(image);
            return new Counted(RecordImage.digest(in, 0), true,
                    (RecordImage.flags(in, 0) & (RecordImage.VALUES | RecordImage.DERIVED)) != 0);
        }
    }

    private static final class Piece {
        final Map<byte[], Counted> touched = new TreeMap<>(Arrays::compareUnsigned);
        final List<byte[]> keys = new ArrayList<>();
        final List<Counted> read = new ArrayList<>();
        byte @Nullable [] last;
        boolean wasRead;
        boolean submitted;
        volatile boolean passed;
    }

    /**
     * Creates digests without a record.
     *
     * @param wake called by the committer when {@link #step} may go on; must be cheap
     */
    RangeDigests(LivePlacement placement, PeerTable peers, RecordStore store, Runnable wake) {
        this.placement = placement;
        this.peers = peers;
        this.store = store;
        this.wake = wake;
    }

    private static boolean isGuid(byte[] key) {
        return key.length == 1 + Guid.BYTES && key[0] == Name.Namespace.GUID.code();
    }

    @Override
    public synchronized void changed(long sequence, byte[] key, byte @Nullable [] before, byte @Nullable [] after) {
        if (!isGuid(key) || alone) {
            return;
        }
        byte[] to = cursor;
        if (complete || to != null && Arrays.compareUnsigned(key, to) <= 0) {
            count(key, Counted.of(before), Counted.of(after));
        } else if (piece != null) {
            piece.touched.put(key, Counted.of(after));
        }
    }

    private void count(byte[] key, Counted before, Counted after) {
        if (before.equals(after)) {
            return;
        }
        MemorySegment segment = MemorySegment.ofArray(key);
        int found = placer.servers(segment, 1, servers);
        boolean own = found == 0;
        for (int i = 0; i < found; i++) {
            own |= shared(servers[i]).own;
        }
        if (!own) {
            elsewhere += (after.there && !after.values ? 1 : 0) - (before.there && !before.values ? 1 : 0);
            return;
        }
        if (found > 1) {
            Syndromes.change(segment, 1, before.digest, after.digest, change);
        }
        int range = DigestRanges.of(segment, 1);
        for (int i = 0; i < found; i++) {
            Shared with = shared(servers[i]);
            if (!with.own) {
                with.change(range, before.digest ^ after.digest, change);
                with.records += (after.there ? 1 : 0) - (before.there ? 1 : 0);
            }
        }
    }

    private Shared shared(InetSocketAddress server) {
        Shared known = shared.get(server);
        if (known == null) {
            Peer peer = peers.of(server);
            known = new Shared(peer.own());
            // That object, by which the peer is asked for: a map tells it from others without comparing addresses.
            shared.put(peer.address(), known);
        }
        return known;
    }

    /**
     * Does one step of the scan, if there is something to scan; may read the disk.
     *
     * @return whether there is more to do at once
     */
    @SuppressWarnings("ReferenceEquality") // A new placement is a new object, even if it is equal.
    public boolean step() {
        Piece now;
        synchronized (this) {
            if (placed != placement.get()) {
                restart(placement.get());
            }
            if (complete) {
                return false;
            }
            if (piece == null) {
                piece = new Piece();
            }
            now = piece;
        }
        if (!now.wasRead && !read(now)) {
            return false;
        }
        if (!now.submitted) {
            now.submitted = store.barrier((_, _) -> {
                now.passed = true;
                wake.run();
            });
        }
        return now.passed && finish(now);
    }

    private synchronized void restart(Placement now) {
        placed = now;
        placer = now.placer();
        alone = now.servers().stream().allMatch(server -> peers.of(server).own());
        shared.clear();
        elsewhere = 0;
        cursor = null;
        piece = null;
        complete = alone;
    }

    private boolean read(Piece now) {
        try {
            store.images(cursor, (key, image) -> {
                if (!isGuid(key)) {
                    return key[0] == Name.Namespace.GUID.code();
                }
                now.keys.add(key);
                now.read.add(Counted.of(image));
                now.last = key;
                return now.keys.size() < SyncLimits.PIECE_RECORDS;
            });
        } catch (IOException e) {
            now.keys.clear();
            now.read.clear();
            LOG.log(System.Logger.Level.WARNING, "the scan for range digests cannot read records: {0}", e.getMessage());
            return false;
        }
        if (now.keys.size() < SyncLimits.PIECE_RECORDS) {
            now.last = null;
        }
        now.wasRead = true;
        return true;
    }

    @SuppressWarnings("ReferenceEquality") // Checks that it is still the piece, and the scan has not restarted.
    private synchronized boolean finish(Piece now) {
        if (piece != now) {
            return true;
        }
        byte[] last = now.last;
        for (int i = 0; i < now.keys.size(); i++) {
            byte[] key = now.keys.get(i);
            Counted changed = now.touched.remove(key);
            count(key, Counted.NONE, changed == null ? now.read.get(i) : changed);
        }
        for (Map.Entry<byte[], Counted> each : now.touched.entrySet()) {
            if (last == null || Arrays.compareUnsigned(each.getKey(), last) <= 0) {
                count(each.getKey(), Counted.NONE, each.getValue());
            }
        }
        cursor = last;
        complete = last == null;
        piece = null;
        return !complete;
    }

    /** Returns whether every record is counted under the placement in force. */
    @SuppressWarnings("ReferenceEquality") // As in step.
    public synchronized boolean complete() {
        return complete && placed == placement.get();
    }

    /** Returns the digests shared with a peer, one for each range. */
    public synchronized long[] ranges(InetSocketAddress server) {
        return copied(server, 0, PAGE);
    }

    /** Returns the syndromes of the records shared with a peer, {@link Syndromes#SUMS} for each group. */
    public synchronized long[] syndromes(InetSocketAddress server) {
        return copied(server, PAGE, PAGE_SUMS);
    }

    /** Returns a part of all pages. */
    private long[] copied(InetSocketAddress server, int from, int number) {
        long[] all = new long[DigestRanges.COUNT / PAGE * number];
        Shared with = shared.get(server);
        for (int i = 0; with != null && i < with.pages.length; i++) {
            long[] page = with.pages[i];
            if (page != null) {
                System.arraycopy(page, from, all, i * number, number);
            }
        }
        return all;
    }

    /** Returns the number of records shared with a peer, tombstones included. */
    public synchronized long records(InetSocketAddress server) {
        Shared with = shared.get(server);
        return with == null ? 0 : with.records;
    }

    /** Returns the number of records that are here though they are placed at other servers only. */
    public synchronized long elsewhere() {
        return elsewhere;
    }
}
