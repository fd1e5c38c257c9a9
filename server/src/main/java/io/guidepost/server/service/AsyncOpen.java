package io.guidepost.server.service;

import io.guidepost.server.config.ConfigurationException;
import java.io.IOException;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;

/** Something that is opened by a thread of its own while the caller does other things. */
public final class AsyncOpen<T extends AutoCloseable> implements AutoCloseable {
    private final Callable<T> open;
    private final CompletableFuture<T> result = new CompletableFuture<>();
    private boolean begun;

    public AsyncOpen(Callable<T> open) {
        this.open = open;
    }

    public void begin() {
        begun = true;
        Thread.ofPlatform().daemon(true).name("guidepost-open").start(() -> {
            try {
                result.complete(open.call());
            } catch (Throwable e) {
                result.completeExceptionally(e);
            }
        });
    }

    /** Returns what has been opened, once {@link #get} has returned. */
    public T opened() {
        return result.resultNow();
    }

    /** Waits for it; what went wrong there is thrown here. */
    public T get() throws IOException, ConfigurationException {
        try {
            return result.join();
        } catch (CompletionException e) {
            switch (e.getCause()) {
                case IOException cause -> throw cause;
                case ConfigurationException cause -> throw cause;
                case RuntimeException cause -> throw cause;
                case Error cause -> throw cause;
                case null, default -> throw new IllegalStateException(e);
            }
        }
    }

    /** Waits until it is open and closes it, or does nothing if it never was. */
    @Override
    public void close() {
        try {
            if (begun) {
                result.join().close();
            }
        } catch (Exception e) {
            // It did not open, which get() tells, or does not close, which it tells itself.
        }
    }
}
