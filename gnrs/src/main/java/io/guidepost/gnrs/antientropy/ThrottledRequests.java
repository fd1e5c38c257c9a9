package io.guidepost.gnrs.antientropy;

import io.guidepost.base.TokenBucket;
import io.guidepost.gnrs.peer.PeerRequest;
import io.guidepost.gnrs.peer.PeerRequests;
import io.guidepost.gnrs.peer.ReplicationSettings;
import io.guidepost.gnrs.replica.SyncLimits;
import java.util.function.LongSupplier;

/** How the parts of catching up ask other servers: within the bounds of questions and of bytes per second. */
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

    /** Whether something may be asked. */
    boolean open() {
        return questions.room() > 0 && pace.isOpen(nanos());
    }

    /** How many more questions may be asked. */
    int room() {
        return questions.room();
    }

    /** How long until bytes may be spent again, in nanoseconds. */
    long restNanos() {
        return pace.nanosUntilOpen();
    }

    /** Asks, if {@link #open}; counts the bytes. */
    boolean ask(PeerRequest question, int bytes) {
        if (!questions.ask(question, timeoutNanos)) {
            return false;
        }
        pace.spend(bytes);
        return true;
    }

    /** Counts bytes that came. */
    void heard(int bytes) {
        pace.spend(bytes);
    }
}
