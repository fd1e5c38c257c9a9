package io.guidepost.server.feed;

import io.guidepost.proximity.bgp.Rib;
import io.guidepost.proximity.ranking.LiveNetwork;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** What all feeds share: the table that they tell to, the network that follows it, and the end of all. */
final class FeedSink {
    final Rib rib = new Rib();
    final LiveNetwork live;
    final Duration grace;
    private final CountDownLatch closing = new CountDownLatch(1);

    FeedSink(LiveNetwork live, Duration grace) {
        this.live = live;
        this.grace = grace;
    }

    /** To be called after each piece that was told: a feed that is faster than the network does the network's work (backpressure). */
    void told() {
        if (rib.isFull()) {
            live.change(rib::drainInto);
        }
    }

    /** Brings the network up to date for as long as there are feeds. */
    void follow() {
        try {
            while (!isClosing()) {
                if (rib.awaitTouched(FeedLimits.REST.toNanos())) {
                    await(FeedLimits.GATHER);
                    live.change(rib::drainInto);
                }
                rib.expire(System.nanoTime());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    boolean isClosing() {
        return closing.getCount() == 0;
    }

    void close() {
        closing.countDown();
    }

    /** Waits, but not beyond the end; whether that has come. */
    boolean await(Duration time) throws InterruptedException {
        return closing.await(time.toNanos(), TimeUnit.NANOSECONDS);
    }
}
