package io.guidepost.handle.operation;

import io.guidepost.handle.record.HandleRecords;
import io.guidepost.handle.record.WouldWaitException;
import io.guidepost.store.RecordStore;
import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * A change of a record on its way: it is checked, submitted to the store, and checked again if another client was faster. For one
 * thread at a time.
 *
 * <pre>
 *  submit ------------------------------> a result: it was refused
 *     |  ^
 *     |  | null: another was faster
 *     v  |
 *   store --- told when durable ---> outcome ---> a result
 * </pre>
 */
public abstract class RecordChange {
    RecordChange() {}

    /**
     * Checks the change, and submits it.
     *
     * @param then is told by the committer when the outcome is there
     * @return the result if the change is refused; null if it is on its way
     * @throws WouldWaitException if it cannot be checked without waiting, and this thread must not wait; nothing was submitted
     * @throws IOException if records cannot be read
     */
    public abstract @Nullable HandleResult submit(RecordStore.Completion then) throws IOException;

    /**
     * Returns the result, once the store has told that it is there.
     *
     * @return null if another client changed the record meanwhile: the change must be submitted again
     * @throws IOException if the store refuses
     */
    public abstract @Nullable HandleResult outcome() throws IOException;

    /**
     * Makes the change, and waits until it is durable.
     *
     * @throws IOException if the store refuses, or the outcome is unknown
     */
    public final HandleResult await() throws IOException {
        while (true) {
            CompletableFuture<Boolean> done = new CompletableFuture<>();
            HandleResult refused = submit((_, _) -> done.complete(true));
            if (refused != null) {
                return refused;
            }
            HandleRecords.await(done);
            HandleResult result = outcome();
            if (result != null) {
                return result;
            }
        }
    }
}
