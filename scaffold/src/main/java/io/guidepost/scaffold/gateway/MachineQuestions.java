package io.guidepost.scaffold.gateway;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Predicate;

/**
 * What other threads ask a machine, which has one of its own: commands wait until that thread has its next turn.
 *
 * @param <M> the machine
 */
public final class MachineQuestions<M> {
    private static final long LEAVE_NANOS_MAX = 1_000_000_000;
    private static final long LOOK_NANOS = 1_000_000;

    private final Queue<Consumer<M>> waiting = new ConcurrentLinkedQueue<>();
    private final Runnable wake;
    private final int millisMax;

    /**
     * Creates it without a question.
     *
     * @param wake has the machine's thread begin a turn
     * @param millisMax how long an answer is waited for
     */
    public MachineQuestions(Runnable wake, int millisMax) {
        this.wake = wake;
        this.millisMax = millisMax;
    }

    /** Has the machine's thread do something in its next turn. */
    public void tell(Consumer<M> command) {
        waiting.add(command);
        wake.run();
    }

    /** Does what waits, on the machine's thread; returns how much that was. */
    public int answer(M machine) {
        int done = 0;
        for (Consumer<M> each = waiting.poll(); each != null; each = waiting.poll()) {
            each.accept(machine);
            done++;
        }
        return done;
    }

    /** Asks the machine, and waits for the answer. */
    public <T> T ask(Function<M, T> question) throws IOException {
        return await((machine, answer) -> answer.complete(question.apply(machine)));
    }

    /** Asks the machine until it says yes, for a time at most: the object routers are told that this host leaves. */
    public void leave(Predicate<M> question) {
        long end = System.nanoTime() + LEAVE_NANOS_MAX;
        try {
            while (!ask(question::test) && System.nanoTime() - end < 0) {
                LockSupport.parkNanos(LOOK_NANOS);
            }
        } catch (IOException e) {
            // The machine's thread has ended: leases end by themselves.
        }
    }

    /** Asks the machine for what it completes later, and waits for that. */
    public <T> T await(BiConsumer<M, CompletableFuture<T>> question) throws IOException {
        CompletableFuture<T> answer = new CompletableFuture<>();
        tell(machine -> {
            try {
                question.accept(machine, answer);
            } catch (RuntimeException e) {
                answer.completeExceptionally(e);
            }
        });
        try {
            return answer.get(millisMax, TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("interrupted while the machine of flows was asked");
        } catch (TimeoutException e) {
            throw new IOException("the thread of the machine does not answer", e);
        } catch (ExecutionException e) {
            throw new IOException("refused: " + e.getMessage(), e);
        }
    }
}
