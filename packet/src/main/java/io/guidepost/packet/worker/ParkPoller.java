package io.guidepost.packet.worker;

import java.util.concurrent.locks.LockSupport;

/** Sleeps by parking the thread: for queues inside the process. */
final class ParkPoller implements Poller {
    private final Thread thread = Thread.currentThread();

    @Override
    public void sleep(long nanos) {
        LockSupport.parkNanos(this, nanos);
    }

    @Override
    public void coalesce(long nanos) {
        LockSupport.parkNanos(this, nanos);
    }

    @Override
    public void wake() {
        LockSupport.unpark(thread);
    }

    @Override
    public void close() {}
}
