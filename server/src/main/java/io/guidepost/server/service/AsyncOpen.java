package io.guidepost.server.service;

import io.guidepost.server.config.ConfigurationException;
import java.io.IOException;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;

/** Something that is opened by a thread of its own while the caller does other things. */
public final class AsyncOpen<T extends AutoCloseable> implements AutoCloseable {
    private final FutureTask<T> task;

    private boolean begun;

    public AsyncOpen(Callable<T> open) {
        task = new FutureTask<>(open);
    }

    public void begin() {
        begun = true;
        Thread.ofPlatform().daemon(true).name("guidepost-open").start(task);
    }

    /** Returns what has been opened, once {@link #get} has returned. */
    public T opened() {
        return task.resultNow();
    }

    /** Waits for it; what went wrong there is thrown here. */
    public T get() throws IOException, ConfigurationException {
        try {
            return await();
        } catch (ExecutionException e) {
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
                await().close();
            }
        } catch (Exception e) {
            // It did not open, which get() tells, or does not close, which it tells itself.
        }
    }

    private T await() throws ExecutionException {
        boolean interrupted = false;
        try {
            while (true) {
                try {
                    return task.get();
                } catch (InterruptedException e) {
                    interrupted = true;
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
