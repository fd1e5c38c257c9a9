package io.guidepost.bench.handle;

import java.io.IOException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * A client in a thread of its own that asks at a fixed rate, one question after the other, until it is closed.
 */
final class PacedClient implements AutoCloseable {
    /** One question and its answer. */
    @FunctionalInterface
    interface PacedRequest {
        /**
         * Asks.
         *
         * @param number of the question, from 0
         * @throws IOException if there is no right answer
         */
        void ask(int number) throws IOException;
    }

    private final PacedRequest question;
    private final long gapNanos;
    private final Thread thread;
    private volatile boolean ending;
    private int asked;
    private int failed;
    private long longestNanos;
    private String failure = "";

    private PacedClient(String name, int perSecond, PacedRequest question) {
        this.question = question;
        this.gapNanos = TimeUnit.SECONDS.toNanos(1) / perSecond;
        this.thread = Thread.ofPlatform().name(name).daemon(true).unstarted(this::run);
    }

    static PacedClient start(String name, int perSecond, PacedRequest question) {
        PacedClient client = new PacedClient(name, perSecond, question);
        client.thread.start();
        return client;
    }

    private void run() {
        long due = System.nanoTime();
        while (!ending) {
            for (long wait = due - System.nanoTime(); wait > 0; wait = due - System.nanoTime()) {
                LockSupport.parkNanos(wait);
            }
            long begun = System.nanoTime();
            try {
                question.ask(asked);
                longestNanos = Math.max(longestNanos, System.nanoTime() - begun);
            } catch (IOException e) {
                failed++;
                failure = String.valueOf(e.getMessage());
            }
            asked++;
            // What is late is not made up for: these are few clients of many.
            due = Math.max(due + gapNanos, System.nanoTime());
        }
    }

    /** Returns how many questions were asked; once this is closed, as all others. */
    int asked() {
        return asked;
    }

    /** Returns how many had no right answer. */
    int failed() {
        return failed;
    }

    /** Returns why the last that failed did; empty if none did. */
    String failure() {
        return failure;
    }

    /** Returns the longest wait for an answer. */
    double longestMillis() {
        return longestNanos / 1e6;
    }

    /** Waits for the last answer. */
    @Override
    public void close() {
        ending = true;
        try {
            thread.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
