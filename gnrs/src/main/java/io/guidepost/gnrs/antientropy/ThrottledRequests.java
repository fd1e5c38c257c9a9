package io.guidepost.gnrs.antientropy;

import io.guidepost.base.TokenBucket;
import io.guidepost.gnrs.peer.PeerRequest;
import io.guidepost.gnrs.peer.PeerRequests;
import io.guidepost.gnrs.peer.ReplicationSettings;
import io.guidepost.gnrs.replica.SyncLimits;
import java.util.function.LongSupplier;

/** The requests of anti-entropy, throttled by a token bucket of bytes per second and a bound of requests in flight. */
final class ThrottledRequests {
    private final PeerRequests questions;
    private final TokenBucket pace;
    private final LongSupplier nanoClock;
    private final long timeoutNanos;

    ThrottledRequests(PeerRequests questions, ReplicationSettings settings, LongSupplier nanoClock) {
        this.questions = questions;
        this.nanoClock = nanoClock;
        this.timeoutNanos = settings.timeoutMillis() * 1_000_000L;
        double perSecond = settings.catchUpBytesPerSecond();
        this.pace = new TokenBucket(perSecond, perSecond / SyncLimits.BURST_SHARE);
    }

    long nanos() {
        return nanoClock.getAsLong();
    }

    long timeoutNanos() {
        return timeoutNanos;
    }

    boolean open() {
        return questions.room() > 0 && pace.isOpen(nanos());
    }

    int room() {
        return questions.room();
    }

    long restNanos() {
        return pace.nanosUntilOpen();
    }

    /** Sends a request, if {@link #open}; spends its bytes. */
    boolean ask(PeerRequest question, int bytes) {
        return ask(question, bytes, timeoutNanos);
    }

    /** The same with another timeout than {@link #timeoutNanos}. */
    boolean ask(PeerRequest question, int bytes, long waitNanos) {
        if (!questions.ask(question, waitNanos)) {
            return false;
        }
        pace.spend(bytes);
        return true;
    }

    void heard(int bytes) {
        pace.spend(bytes);
    }
}
