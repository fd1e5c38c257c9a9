package io.guidepost.gnrs.site;

import io.guidepost.base.Counters;
import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/** Sends servers that answer again the changes that were kept for them, oldest first. */
final class HintReplay {
    private final Hints hints;
    private final Talk talk;
    private final Counters<SiteCount> counts;
    private final ArrayDeque<Hint> waiting = new ArrayDeque<>();

    private record Hint(Course course, byte[] change) {}

    HintReplay(Hints hints, Talk talk, Counters<SiteCount> counts) {
        this.hints = hints;
        this.talk = talk;
        this.counts = counts;
    }

    /** Takes up what is kept for a server, if nothing is on its way to it; says when to look again, in nanoseconds. */
    long look(Course course, long nowNanos) {
        if (course.hintsInFlight > 0 || !course.up()) {
            return Long.MAX_VALUE;
        }
        if (course.hintsDueNanos - nowNanos > 0) {
            return hints.count(course.peer()) == 0 ? Long.MAX_VALUE : course.hintsDueNanos - nowNanos;
        }
        for (byte[] each : hints.first(course.peer(), CatchUpLimits.HINTS_MAX)) {
            waiting.add(new Hint(course, each));
            course.hintsInFlight++;
        }
        return Long.MAX_VALUE;
    }

    boolean more() {
        return !waiting.isEmpty();
    }

    void work() {
        while (!waiting.isEmpty() && talk.open()) {
            send(waiting.remove());
        }
    }

    private void send(Hint hint) {
        Push push = new Push(hint.course.peer(), hint.change) {
            @Override
            void ended(int code) {
                HintReplay.this.ended(hint, code);
            }
        };
        if (!talk.ask(push, push.bytes())) {
            ended(hint, SiteWire.REFUSED);
        }
    }

    private void ended(Hint hint, int code) {
        Course course = hint.course;
        course.hintsInFlight--;
        if (code == SiteWire.REFUSED) {
            course.hintsDueNanos = talk.nanos() + CatchUpLimits.RETRY_NANOS;
        } else {
            // A change that the server will never take is not sent again and again; sums tell what is missing.
            hints.done(course.peer(), hint.change);
            counts.count(SiteCount.HINTS_REPLAYED);
        }
        if (course.hintsInFlight == 0 && course.hintsDueNanos - talk.nanos() <= 0) {
            look(course, talk.nanos());
        }
    }
}
