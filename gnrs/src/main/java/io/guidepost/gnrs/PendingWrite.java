package io.guidepost.gnrs;

import io.guidepost.gnrs.wire.GnrsMessageFlyweight;
import io.guidepost.gnrs.wire.GnrsWire;
import io.guidepost.names.Exchange;
import io.guidepost.store.RecordStore;
import org.jspecify.annotations.Nullable;

/**
 * One INSERT or UPDATE on its way through the store and back. Pooled: the worker fills it and hands it to the committer
 * by {@link RecordStore#submit}; the committer gives it back through the worker's {@link CompletionRing}. One thread
 * has it at a time.
 */
final class PendingWrite implements RecordStore.Change, RecordStore.Completion, PeerGateway.Written {
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

    /** What became of it at all servers that keep the record; null if this one is alone. */
    private @Nullable GnrsCount among;

    private boolean accepts;
    private int held;
    private int needed;

    PendingWrite(WriteHandler home) {
        this.home = home;
    }

    /** Fills it: what to write, and whom to tell. */
    void fill(Exchange exchange, GnrsMessageFlyweight question, long nameKey, byte[] requested, long nanos) {
        name = nameKey;
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

    @Override
    public byte[] apply(byte[] key, byte @Nullable [] current, long version, long nowMillis) {
        return home.applied(this, key, current, version, nowMillis);
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

    /** Whether the asker is to hear how many servers hold it. */
    boolean tellsCopies() {
        return among != null && accepts && needed > 0;
    }

    /** Servers that hold it. */
    int held() {
        return held;
    }

    /** Servers that were to hold it. */
    int needed() {
        return needed;
    }

    /** The record that was asked for, in stored form, without a version. */
    byte[] image() {
        return image;
    }

    /** Whether its places are added to those that are there; else they replace them. */
    boolean append() {
        return append;
    }

    /** Says why the change is not made. */
    void refuse(GnrsCount reason) {
        refusal = reason;
    }

    /** Lets go of the record, which the store keeps or not. */
    void release() {
        image = KEEP;
    }

    /** The name's key, see {@link GnrsWire#nameKey}. */
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

    /** What became of it, as it is counted. */
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
