package io.guidepost.gnrs;

import io.guidepost.base.SourceNetwork;
import io.guidepost.gnrs.wire.GnrsMessageFlyweight;
import io.guidepost.gnrs.wire.GnrsWire;
import io.guidepost.names.Exchange;
import io.guidepost.store.RecordStore;
import org.jspecify.annotations.Nullable;

/**
 * One INSERT or UPDATE on its way through the store and back. Pooled: the worker fills it and hands it to the committer
 * by {@link RecordStore#submit}; the committer returns it through the worker's {@link CompletionRing}. One thread owns
 * it at a time.
 */
final class PendingWrite implements RecordStore.Unstamped, RecordStore.Completion, RecordStore.Writer, PeerGateway.Written {
    private final WriteHandler home;
    private final Exchange asker = new Exchange();

    private byte[] image = KEEP;
    private boolean append;
    private int responseType;
    private int id;
    private long name;
    private int questionLength;
    private long submittedNanos;
    private long completedNanos;
    private RecordStore.Outcome outcome = RecordStore.Outcome.FAILED;
    private @Nullable GnrsCount refusal;

    /** Its outcome at all servers that keep the record; null if this server is alone. */
    private @Nullable GnrsCount among;

    private boolean accepts;
    private GnrsSettings settings;
    private int held;
    private int needed;

    PendingWrite(WriteHandler home, GnrsSettings settings) {
        this.home = home;
        this.settings = settings;
    }

    /** Fills it: the change, and the client to answer. */
    void fill(Exchange exchange, GnrsMessageFlyweight question, long nameKey, byte[] requested, GnrsSettings inForce, long nanos) {
        name = nameKey;
        settings = inForce;
        image = requested;
        append = question.type() == GnrsWire.INSERT;
        responseType = question.type() | GnrsWire.RESPONSE_BIT;
        id = question.id();
        questionLength = question.length();
        submittedNanos = nanos;
        refusal = null;
        among = null;
        accepts = question.accepts();
        asker.peer(exchange.peerHigh(), exchange.peerLow(), exchange.peerPort());
        asker.local(exchange.localHigh(), exchange.localLow(), exchange.localPort());
    }

    /** Returns the bindings that one name may have, as it was set when the write came. */
    int bindingsMax() {
        return settings.bindingsMax();
    }

    @Override
    public byte[] apply(byte[] key, byte @Nullable [] current, long version, long nowMillis) {
        return home.applied(this, key, current, version, nowMillis);
    }

    @Override
    public RecordStore.@Nullable Writer writer() {
        return settings.writerNamesMax() == 0 && settings.writerBytesMax() == 0 ? null : this;
    }

    @Override
    public long network() {
        return SourceNetwork.of(asker.peerHigh(), asker.peerLow());
    }

    @Override
    public long recordsMax() {
        return settings.writerNamesMax();
    }

    @Override
    public long bytesMax() {
        return settings.writerBytesMax();
    }

    @Override
    public void refused() {
        refuse(GnrsCount.WRITES_WRITER_QUOTA);
    }

    @Override
    public void complete(RecordStore.Outcome result, long version) {
        outcome = result;
        home.completed(this);
    }

    @Override
    public Runnable afterwards() {
        return home.wake();
    }

    @Override
    public void written(GnrsCount result, int heldBy, int neededBy) {
        among = result;
        held = heldBy;
        needed = neededBy;
        home.written(this);
    }

    /** Returns whether the client reads options that say why a write failed. */
    boolean accepts() {
        return accepts;
    }

    /** Returns whether the client is told how many servers hold the write. */
    boolean reportsReplicas() {
        return among != null && accepts && needed > 0;
    }

    /** Returns the number of servers that hold it. */
    int held() {
        return held;
    }

    /** Returns the number of servers that the quorum requires. */
    int needed() {
        return needed;
    }

    /** Returns the requested record, in stored form, without a version. */
    @Override
    public byte[] image() {
        return image;
    }

    /** Returns whether its places are added to the existing ones; else they replace them. */
    @Override
    public boolean append() {
        return append;
    }

    void refuse(GnrsCount reason) {
        refusal = reason;
    }

    /** Releases the record; the store may keep it. */
    void release() {
        image = KEEP;
    }

    /** Returns the name's key, see {@link GnrsWire#nameKey}. */
    long name() {
        return name;
    }

    Exchange asker() {
        return asker;
    }

    int responseType() {
        return responseType;
    }

    int id() {
        return id;
    }

    int questionLength() {
        return questionLength;
    }

    void completedAt(long nanos) {
        completedNanos = nanos;
    }

    long nanos() {
        return completedNanos - submittedNanos;
    }

    GnrsCount result() {
        if (among != null) {
            return among;
        }
        GnrsCount reason = refusal;
        if (outcome == RecordStore.Outcome.FAILED) {
            return GnrsCount.WRITES_STORE_FAILED;
        }
        return reason == null ? GnrsCount.WRITES_DONE : reason;
    }
}
