package io.guidepost.handle.service;

import io.guidepost.handle.Handle;
import io.guidepost.handle.operation.Administration;
import io.guidepost.handle.operation.HandleResult;
import io.guidepost.handle.operation.RecordChange;
import io.guidepost.handle.record.HandleRecords;
import io.guidepost.handle.record.WouldWaitException;
import io.guidepost.store.RecordStore;
import java.io.IOException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.ArrayDeque;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Creations of handles in sessions, which one event loop checks, submits and answers: no thread waits for the disk. Belongs to that
 * loop.
 *
 * <pre>
 *  loop        check, submit                                     answer all of a group
 *                  |                                                  ^
 *  committer       +--> a group: one sync --> completions --> one wake-up
 * </pre>
 *
 * <p>What would have to wait before it can be submitted, for the disk or for another server, is handed over to a thread.
 */
public final class LoopChanges {
    private static final VarHandle COMPLETED;

    /** How often silence of the disk is looked for. */
    private static final long LOOK_SECONDS = 1;

    static {
        try {
            COMPLETED = MethodHandles.lookup().findVarHandle(LoopChanges.class, "completed", Pending.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    /** Where the answer goes, on the loop or from the thread that the request was handed over to. */
    public interface Replies extends ResponseSink {
        /** Has the rest of a request done by a thread that may wait. */
        void handOver(Runnable rest);

        /** Notes the handle that the request creates. */
        default void creates(Handle handle) {}

        /** Returns whether an earlier request of the same client, which is not answered yet, creates a handle. */
        default boolean isUnsettled(Handle handle) {
            return false;
        }

        /** Has the loop try again when all earlier requests of the same client are answered; false if there is none. */
        default boolean afterEarlier(Runnable again) {
            return false;
        }
    }

    private final HandleProtocolServer server;
    private final Administration administration;
    private final ScheduledExecutorService loop;
    private final LongSupplier nanoClock;
    private final Runnable wake = this::wake;

    /** Changes under way, in the order in which they were submitted; some in front may be answered. */
    private final ArrayDeque<Pending> underWay = new ArrayDeque<>();

    /** Where the request that is checked now is answered. */
    private @Nullable Replies checked;

    private boolean looking;

    /** Completed changes, the last one first. */
    @SuppressWarnings("unused") // Through its handle.
    private volatile @Nullable Pending completed;

    LoopChanges(
            HandleProtocolServer server, Administration administration, ScheduledExecutorService loop, LongSupplier nanoClock) {
        this.server = server;
        this.administration = administration.atOnce(handle -> checked != null && checked.isUnsettled(handle));
        this.loop = loop;
        this.nanoClock = nanoClock;
    }

    /** One creation. */
    private final class Pending implements RecordStore.Completion {
        private final HandleExchange exchange;
        private final RecordChange change;
        private final Replies replies;
        private final long startNanos;
        private boolean answered;
        private @Nullable Pending before;

        Pending(HandleExchange exchange, RecordChange change, Replies replies, long startNanos) {
            this.exchange = exchange;
            this.change = change;
            this.replies = replies;
            this.startNanos = startNanos;
        }

        @Override
        public void complete(RecordStore.Outcome outcome, long version) {
            do {
                before = completed;
            } while (!COMPLETED.compareAndSet(LoopChanges.this, before, this));
        }

        @Override
        public Runnable afterwards() {
            return wake;
        }
    }

    /** Begins a request, which is answered through its replies, now or later. */
    public void begin(HandleRequest call, Replies replies) {
        long start = nanoClock.getAsLong();
        HandleExchange exchange = server.begin(call, replies, start);
        if (exchange == null) {
            return;
        }
        RecordChange change = server.creation(exchange, administration);
        if (change == null) {
            replies.handOver(() -> server.finish(exchange, start));
        } else {
            replies.creates(exchange.handle());
            submit(new Pending(exchange, change, replies, start));
        }
    }

    private void submit(Pending pending) {
        HandleResult refused;
        try {
            checked = pending.replies;
            refused = pending.change.submit(pending);
        } catch (WouldWaitException e) {
            if (!pending.replies.afterEarlier(() -> submit(pending))) {
                pending.answered = true;
                pending.replies.handOver(() -> server.finish(pending.exchange, pending.startNanos));
            }
            return;
        } catch (IOException | RuntimeException e) {
            fail(pending, e);
            return;
        } finally {
            checked = null;
        }
        if (refused != null) {
            answer(pending, refused);
        } else {
            underWay.add(pending);
            look();
        }
    }

    private void answer(Pending pending, HandleResult result) {
        pending.answered = true;
        server.created(pending.exchange, result, pending.startNanos);
    }

    private void fail(Pending pending, Exception reason) {
        pending.answered = true;
        server.failed(pending.exchange, reason, pending.startNanos);
    }

    /** Called by the committer, once for a group. */
    private void wake() {
        try {
            loop.execute(this::answerCompleted);
        } catch (RejectedExecutionException e) {
            // The loop has ended, and with it all its connections.
        }
    }

    private void answerCompleted() {
        Pending last = (Pending) COMPLETED.getAndSet(this, null);
        Pending first = null;
        while (last != null) {
            Pending earlier = last.before;
            last.before = first;
            first = last;
            last = earlier;
        }
        while (first != null) {
            Pending next = first.before;
            first.before = null;
            if (!first.answered) {
                answerCompleted(first);
            }
            first = next;
        }
        forgetAnswered();
    }

    private void answerCompleted(Pending pending) {
        HandleResult result;
        try {
            result = pending.change.outcome();
        } catch (IOException | RuntimeException e) {
            fail(pending, e);
            return;
        }
        if (result != null) {
            answer(pending, result);
        } else {
            underWay.remove(pending);
            submit(pending);
        }
    }

    private void forgetAnswered() {
        while (!underWay.isEmpty() && underWay.getFirst().answered) {
            underWay.removeFirst();
        }
    }

    /** Sees to it that changes of which the disk says nothing are answered too. */
    @SuppressWarnings("FutureReturnValueIgnored") // It looks again, and is never cancelled.
    private void look() {
        if (looking) {
            return;
        }
        looking = true;
        loop.schedule(
                () -> {
                    looking = false;
                    forgetAnswered();
                    long oldest = nanoClock.getAsLong() - TimeUnit.SECONDS.toNanos(HandleRecords.WRITE_SECONDS_MAX);
                    while (!underWay.isEmpty() && underWay.getFirst().startNanos - oldest < 0) {
                        fail(underWay.getFirst(), new IOException(HandleRecords.SILENT_DISK));
                        forgetAnswered();
                    }
                    if (!underWay.isEmpty()) {
                        look();
                    }
                },
                LOOK_SECONDS,
                TimeUnit.SECONDS);
    }
}
