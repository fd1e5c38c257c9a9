package io.guidepost.scaffold.object;

import io.guidepost.names.Exchange;
import io.guidepost.names.Guid;
import io.guidepost.scaffold.key.Association;
import io.guidepost.scaffold.wire.ControlMessage;
import io.guidepost.scaffold.wire.MessageType;
import io.guidepost.store.RecordStore;
import java.util.Queue;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * An acknowledgement of a join or a registration: sent at once, or when what it acknowledges is on the disk. The committer
 * completes it; else it belongs to its door.
 */
final class PendingReply implements RecordStore.Completion {
    final Exchange asker = new Exchange();
    final Association to;
    final long flow;
    final int epoch;
    final int leaseMillis;
    final @Nullable Guid object;
    final @Nullable Guid instance;
    private final Queue<PendingReply> completed;
    private final Runnable wake;
    private Consumer<Boolean> then = _ -> {};
    private boolean failed;

    /**
     * Takes from a request what its answer needs.
     *
     * @param object with {@code instance} what is registered; null for a join
     * @param completed takes it when the disk has written
     * @param wake has the door look there
     */
    PendingReply(
            Exchange exchange,
            ControlMessage request,
            Association to,
            int leaseMillis,
            @Nullable Guid object,
            @Nullable Guid instance,
            Queue<PendingReply> completed,
            Runnable wake) {
        asker.addressesOf(exchange);
        this.to = to;
        this.flow = request.senderFlow();
        this.epoch = request.epoch();
        this.leaseMillis = leaseMillis;
        this.object = object;
        this.instance = instance;
        this.completed = completed;
        this.wake = wake;
    }

    /** Names what the door does when the disk has written, or failed to. */
    void then(Consumer<Boolean> action) {
        then = action;
    }

    @Override
    public void complete(RecordStore.Outcome outcome, long version) {
        failed = outcome == RecordStore.Outcome.FAILED;
        completed.add(this);
    }

    @Override
    public Runnable afterwards() {
        return wake;
    }

    /** Takes note of what the disk has done; returns why it did not, or null. */
    @Nullable
    ObjectCount finish() {
        then.accept(!failed);
        return failed ? ObjectCount.RESPONSES_NOT_STORED : null;
    }

    MessageType type() {
        return object == null ? MessageType.JOIN_ACK : MessageType.REGISTER_ACK;
    }
}
