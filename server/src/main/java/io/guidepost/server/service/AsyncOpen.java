package io.guidepost.server.service;

import io.guidepost.server.config.ConfigurationException;
import java.io.IOException;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;

/** Something that is opened by a thread of its own while the caller does other things. */
public final class AsyncOpen<T extends AutoCloseable> {
    private final FutureTask<T> task;

    private AsyncOpen(Callable<T> open) {
        task = new FutureTask<>(open);
    }

    public static <T extends AutoCloseable> AsyncOpen<T> of(Callable<T> open) {
        AsyncOpen<T> opening = new AsyncOpen<>(open);
        Thread.ofPlatform().daemon(true).name("guidepost-open").start(opening.task);
        return opening;
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

    /** Closes it when it is open, or forgets it if it never was. */
    public void abandon() {
        try {
            await().close();
        } catch (Exception e) {
            // It did not open, or does not close: what led here is told already.
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
