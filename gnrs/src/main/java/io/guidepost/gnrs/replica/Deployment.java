package io.guidepost.gnrs.replica;

import io.guidepost.gnrs.GnrsSettings;
import io.guidepost.gnrs.antientropy.AntiEntropy;
import io.guidepost.gnrs.peer.PeerTable;
import io.guidepost.gnrs.peer.PeerWire;
import io.guidepost.gnrs.peer.ReplicationSettings;
import io.guidepost.gnrs.placement.LivePlacement;
import io.guidepost.gnrs.relay.Relay;
import io.guidepost.gnrs.wire.GnrsMessage;
import io.guidepost.names.Locator;
import io.guidepost.store.HybridClock;
import io.guidepost.store.RecordStore;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;

/**
 * What the parts of one server share of the deployment that it belongs to. Made once; any thread may ask.
 *
 * <p>Each worker has a {@link Relay} of its own, which asks other servers for its clients; one more thread has the
 * catching up, which brings copies into line.
 */
public final class Deployment {
    private final ReplicationSettings settings;
    private final GnrsSettings door;
    private final PeerTable peers;
    private final LivePlacement placement;
    private final RecordStore store;
    private final HybridClock clock;
    private final LongSupplier nanoClock;
    private final Supplier<RandomGenerator> random;
    private final int workerBits;
    private final ChangeMarks marks;
    private final List<Relay> relays = new CopyOnWriteArrayList<>();
    private final HintedHandoff hints;
    private final RangeDigests digests;
    private final ExpiryWatermark forgotten = new ExpiryWatermark();
    private final SyncStates partners = new SyncStates();
    private final AtomicBoolean woken = new AtomicBoolean();
    private volatile Runnable wakeCatchUp = () -> {};
    private volatile int flags;

    /**
     * A server among others.
     *
     * @param settings what the operator said of the deployment
     * @param door what the operator said of the door
     * @param peers the other servers
     * @param placement where GUIDs are kept
     * @param store the records of this server
     * @param clock stamps writes
     * @param workers how many relays there will be at most
     * @param nanoClock a clock that only its differences count of
     * @param random makes sources of numbers, one for each worker, that nobody outside can guess
     */
    public Deployment(
            ReplicationSettings settings,
            GnrsSettings door,
            PeerTable peers,
            LivePlacement placement,
            RecordStore store,
            HybridClock clock,
            int workers,
            LongSupplier nanoClock,
            Supplier<RandomGenerator> random) {
        this.settings = settings;
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

    /**
     * Makes the relay of a worker's door.
     *
     * @param wake called by other threads when the relay has something to do; must be cheap
     */
    public Relay relay(Runnable wake) {
        return relay(wake, Runnable::run);
    }

    /**
     * Makes the relay of a worker's door, over a store whose index may not know all records.
     *
     * @param wake called by other threads when the relay has something to do; must be cheap
     * @param engine runs looks that may wait for the disk
     */
    public synchronized Relay relay(Runnable wake, Executor engine) {
        Relay relay = new Relay(this, relays.size(), wake, engine);
        relays.add(relay);
        return relay;
    }

    /**
     * Makes what brings the copies of this server into line with those of others; once. It is a door of its own, see
     * {@link AntiEntropy}. Until it has its first turns this server counts as catching up.
     *
     * @param wake called by other threads when it has something to do; must be cheap
     */
    public AntiEntropy catchUp(Runnable wake) {
        wakeCatchUp = wake;
        flags = peers.alone() ? 0 : PeerWire.CATCHING_UP;
        return new AntiEntropy(this);
    }

    /** Memory of the changes that wait for servers that did not confirm them, in bytes. */
    public long hintBytes() {
        return hints.bytes();
    }

    /** What the store must tell of every change, see {@link io.guidepost.store.StoreOptions#observer}. */
    public RecordStore.Observer observer() {
        return (key, before, after) -> {
            forgotten.changed(before, after);
            digests.changed(key, before, after);
        };
    }

    /** What has ended here, and may stand at others. */
    public ExpiryWatermark forgotten() {
        return forgotten;
    }

    /** Whether this server may not have heard of all writes yet: its copies are asked for, but not relied upon. */
    public boolean catchingUp() {
        return (flags & PeerWire.CATCHING_UP) != 0;
    }

    /** Whether records may still be where the tables before had them. */
    @SuppressWarnings("ReferenceEquality") // A new placement is a new object, whether or not it says the same.
    public boolean unsettled() {
        return placement.previous() != placement.get();
    }

    /** See {@link #catchingUp()}. */
    public void catchingUp(boolean now) {
        flags = now ? flags | PeerWire.CATCHING_UP : flags & ~PeerWire.CATCHING_UP;
    }

    /** How this server is, as it says to others, see {@link PeerWire}. */
    public int flags() {
        return flags;
    }

    public void flags(int now) {
        flags = now;
    }

    /** What is kept here, summed up. */
    public RangeDigests digests() {
        return digests;
    }

    /** The other servers as far as bringing copies into line goes. */
    public SyncStates partners() {
        return partners;
    }

    /** Has the catching up look soon at what there is to do. */
    public void wakeCatchUp() {
        if (woken.compareAndSet(false, true)) {
            wakeCatchUp.run();
        }
    }

    /** Whether the catching up was woken since it asked last. */
    public boolean takeWoken() {
        return woken.getAndSet(false);
    }

    /**
     * A record has changed, here or as far as this server has heard: what is remembered of it is forgotten, and other
     * servers that asked for it not long ago are told.
     */
    public void changed(MemorySegment segment, long guid) {
        marks.changed(segment, guid);
        long nanos = nanoClock.getAsLong();
        for (int i = 0; i < relays.size(); i++) {
            relays.get(i).changed(segment, guid, nanos);
        }
    }

    public ChangeMarks marks() {
        return marks;
    }

    public List<Relay> relays() {
        return relays;
    }

    public ReplicationSettings settings() {
        return settings;
    }

    public GnrsSettings door() {
        return door;
    }

    /** The servers of the deployment. */
    public PeerTable peers() {
        return peers;
    }

    public LivePlacement placement() {
        return placement;
    }

    public RecordStore store() {
        return store;
    }

    /** Changes for servers that did not confirm them. */
    public HintedHandoff hints() {
        return hints;
    }

    /** What messages to servers of the first version give as their origin: where this server answers. */
    public Locator origin() {
        return door.advertised().or(peers::ownAddress).map(Locator::of).orElseGet(GnrsMessage::noOrigin);
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
