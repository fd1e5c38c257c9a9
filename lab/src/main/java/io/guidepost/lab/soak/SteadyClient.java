package io.guidepost.lab.soak;

import java.io.IOException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** A client in a thread of its own that sends a request after the other at a steady rate, until it is closed. */
final class SteadyClient implements AutoCloseable {
    /** Sends a request, and waits for the answer. */
    @FunctionalInterface
    interface Request {
        /**
         * Sends it.
         *
         * @throws LedgerAccess.Refused if the server refuses
         * @throws IOException if it does not answer
         */
        void send() throws IOException;
    }

    private final Request request;
    private final DoorTally tally;
    private final BrokenPromises broken;
    private final long gapNanos;
    private final Thread thread;
    private volatile boolean ending;

    private SteadyClient(DoorTally tally, double perSecond, BrokenPromises broken, Request request) {
        this.tally = tally;
        this.broken = broken;
        this.gapNanos = (long) (TimeUnit.SECONDS.toNanos(1) / perSecond);
        this.request = request;
        this.thread = Thread.ofPlatform().name("guidepost-soak-" + tally.name()).daemon(true).unstarted(this::run);
    }

    static SteadyClient start(DoorTally tally, double perSecond, BrokenPromises broken, Request request) {
        SteadyClient client = new SteadyClient(tally, perSecond, broken, request);
        client.thread.start();
        return client;
    }

    private void run() {
        long due = System.nanoTime();
        while (!ending) {
            for (long wait = due - System.nanoTime(); wait > 0 && !ending; wait = due - System.nanoTime()) {
                LockSupport.parkNanos(wait);
            }
            send();
            // What is late is not made up for: the rate is one for a server that answers.
            due = Math.max(due + gapNanos, System.nanoTime());
        }
    }

    private void send() {
        long begun = System.nanoTime();
        try {
            request.send();
            tally.answered(System.nanoTime() - begun);
        } catch (LedgerAccess.Refused refusal) {
            tally.refused(refusal);
        } catch (IOException silence) {
            tally.silent(silence);
        } catch (RuntimeException e) {
            // A client that we have is wrong, or says something of the server that it does not expect.
            broken.add("clients take what the server answers", tally.name() + ": " + e);
        }
    }

    @Override
    public void close() {
        ending = true;
        LockSupport.unpark(thread);
        try {
            thread.join(TimeUnit.SECONDS.toMillis(10));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
