package io.guidepost.gnrs.replica;

import io.guidepost.gnrs.GnrsSettings;
import io.guidepost.gnrs.peer.PeerBounds;
import io.guidepost.gnrs.peer.PeerTable;
import io.guidepost.gnrs.peer.PeerWire;
import io.guidepost.gnrs.peer.ReplicationSettings;
import io.guidepost.gnrs.placement.LivePlacement;
import io.guidepost.gnrs.wire.GnrsMessage;
import io.guidepost.names.Locator;
import io.guidepost.store.HybridClock;
import io.guidepost.store.RecordStore;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;

/**
 * The state that the threads of one server share about its deployment. Made once; any thread may call.
 *
 * <p>Each worker has a relay of its own, which sends requests to peers for its clients; one more thread runs anti-entropy,
 * which brings replicas into line.
 */
public final class Deployment {
    /** Is told of changed records. */
    public interface ChangeListener {
        /**
         * Takes a change. Any thread may call.
         *
         * @param segment holds the GUID
         * @param guid the offset of its 20 bytes
         * @param nowNanos the time, by the clock of the deployment
         */
        void changed(MemorySegment segment, long guid, long nowNanos);
    }

    private final ReplicationSettings settings;
    private final PeerBounds bounds;
    private final Supplier<GnrsSettings> door;
    private final PeerTable peers;
    private final LivePlacement placement;
    private final RecordStore store;
    private final HybridClock clock;
    private final LongSupplier nanoClock;
    private final Supplier<RandomGenerator> random;
    private final int workerBits;
    private final ChangeMarks marks;
    private final List<ChangeListener> listeners = new CopyOnWriteArrayList<>();
    private final HintedHandoff hints;
    private final RangeDigests digests;
    private final ExpiryWatermark expiryWatermark = new ExpiryWatermark();
    private final SyncStates syncStates = new SyncStates();
    private final AtomicBoolean woken = new AtomicBoolean();
    private volatile Runnable wakeCatchUp = () -> {};
    private volatile int flags;
    private volatile boolean lagging;

    /**
     * Creates the state of one server among others.
     *
     * @param settings the operator's settings of the deployment
     * @param bounds the bounds of what it keeps for its peers
     * @param door supplies the operator's settings of the door in force
     * @param peers the other servers
     * @param placement where GUIDs are kept
     * @param store the records of this server
     * @param clock stamps writes
     * @param workers the most relays that there will be
     * @param nanoClock a clock of which only differences count
     * @param random makes unpredictable number generators, one for each worker
     */
    public Deployment(
            ReplicationSettings settings,
            PeerBounds bounds,
            Supplier<GnrsSettings> door,
            PeerTable peers,
            LivePlacement placement,
            RecordStore store,
            HybridClock clock,
            int workers,
            LongSupplier nanoClock,
            Supplier<RandomGenerator> random) {
        this.settings = settings;
        this.bounds = bounds;
        this.door = door;
        this.peers = peers;
        this.placement = placement;
        this.store = store;
        this.clock = clock;
        this.nanoClock = nanoClock;
        this.random = random;
        this.marks = new ChangeMarks(random.get().nextLong(), settings.cacheBytesMax());
        this.hints = new HintedHandoff(settings.hintBytesMax(), settings.tombstoneMillis());
        this.digests = new RangeDigests(placement, peers, store, () -> wakeCatchUp.run());
        this.workerBits = Integer.SIZE - Integer.numberOfLeadingZeros(Math.max(0, workers - 1));
    }

    /** Adds a cache that is told of every changed record. */
    public void listen(ChangeListener listener) {
        listeners.add(listener);
    }

    /**
     * Takes the thread of anti-entropy, once. Until its first turns this server counts as catching up.
     *
     * @param wake called by other threads when it has work; must be cheap
     */
    public void antiEntropy(Runnable wake) {
        wakeCatchUp = wake;
        lagging = !peers.alone();
        flags = lagging ? PeerWire.CATCHING_UP : 0;
    }

    /** Returns the bytes of hints: changes that peers have not confirmed. */
    public long hintBytes() {
        return hints.bytes();
    }

    /**
     * Returns the observer that the store must call on every change, see
     * {@link io.guidepost.store.StoreOptions#observer}.
     */
    public RecordStore.Observer observer() {
        return (sequence, key, before, after) -> {
            expiryWatermark.changed(before, after);
            digests.changed(sequence, key, before, after);
        };
    }

    /** Returns the watermark of bindings that expired here, and may stand at peers. */
    public ExpiryWatermark expiryWatermark() {
        return expiryWatermark;
    }

    /** Returns whether this server may still miss writes of records that it is known to share; see {@link #lagging()}. */
    public boolean catchingUp() {
        return (flags & PeerWire.CATCHING_UP) != 0;
    }

    /** Returns whether records may still be where the previous tables had them. */
    @SuppressWarnings("ReferenceEquality") // A new placement is a new object, even if it is equal.
    public boolean unsettled() {
        return placement.previous() != placement.get();
    }

    /**
     * Returns whether this server is not in line with some peer: its replica of a record that this one keeps too is read, but
     * not relied upon.
     */
    public boolean lagging() {
        return lagging;
    }

    /** See {@link #lagging()}. */
    public void lagging(boolean now) {
        lagging = now;
    }

    /** Returns the flags of this server's state, as PING carries them, see {@link PeerWire}. */
    public int flags() {
        return flags;
    }

    public void flags(int now) {
        flags = now;
    }

    /** Returns the range digests of the local records. */
    public RangeDigests digests() {
        return digests;
    }

    /** Returns the synchronisation states of the peers. */
    public SyncStates syncStates() {
        return syncStates;
    }

    /** Wakes anti-entropy to look at its work soon. */
    public void wakeCatchUp() {
        if (woken.compareAndSet(false, true)) {
            wakeCatchUp.run();
        }
    }

    /** Returns whether anti-entropy was woken since the last call. */
    public boolean takeWoken() {
        return woken.getAndSet(false);
    }

    /**
     * Invalidates a changed record in all caches here, and schedules FORGET to the peers that requested it not long
     * ago.
     */
    public void changed(MemorySegment segment, long guid) {
        marks.changed(segment, guid);
        long nanos = nanoClock.getAsLong();
        for (int i = 0; i < listeners.size(); i++) {
            listeners.get(i).changed(segment, guid, nanos);
        }
    }

    public ChangeMarks marks() {
        return marks;
    }

    public ReplicationSettings settings() {
        return settings;
    }

    public PeerBounds bounds() {
        return bounds;
    }

    public GnrsSettings door() {
        return door.get();
    }

    /** Returns the servers of the deployment. */
    public PeerTable peers() {
        return peers;
    }

    public LivePlacement placement() {
        return placement;
    }

    public RecordStore store() {
        return store;
    }

    /** Returns the hints: changes that peers have not confirmed. */
    public HintedHandoff hints() {
        return hints;
    }

    /** Returns the origin of messages to servers of the first version: this server's address. */
    public Locator origin() {
        return door().advertised().or(peers::ownAddress).map(Locator::of).orElseGet(GnrsMessage::noOrigin);
    }

    public HybridClock clock() {
        return clock;
    }

    public LongSupplier nanoClock() {
        return nanoClock;
    }

    public RandomGenerator random() {
        return random.get();
    }

    public int workerBits() {
        return workerBits;
    }
}
