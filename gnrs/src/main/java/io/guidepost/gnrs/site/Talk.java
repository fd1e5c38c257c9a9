package io.guidepost.gnrs.site;

import java.util.function.LongSupplier;

/** How the parts of catching up ask other servers: within the bounds of questions and of bytes per second. */
final class Talk {
    private final Questions questions;
    private final Pace pace;
    private final LongSupplier nanoClock;
    private final long timeoutNanos;

    Talk(Questions questions, SiteSettings settings, LongSupplier nanoClock) {
        this.questions = questions;
        this.nanoClock = nanoClock;
        this.timeoutNanos = settings.timeoutMillis() * 1_000_000L;
        double perSecond = settings.catchUpBytesPerSecond();
        this.pace = new Pace(perSecond, perSecond / CatchUpLimits.BURST_SHARE);
    }

    long nanos() {
        return nanoClock.getAsLong();
    }

    /** Whether something may be asked. */
    boolean open() {
        return questions.room() > 0 && pace.open(nanos());
    }

    /** How many more questions may be asked. */
    int room() {
        return questions.room();
    }

    /** How long until bytes may be spent again, in nanoseconds. */
    long restNanos() {
        return pace.restNanos();
    }

    /** Asks, if {@link #open}; counts the bytes. */
    boolean ask(Question question, int bytes) {
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
