package io.guidepost.gnrs.antientropy;

import io.guidepost.base.Counters;
import io.guidepost.gnrs.peer.MergeRequest;
import io.guidepost.gnrs.peer.PeerCount;
import io.guidepost.gnrs.peer.PeerWire;
import io.guidepost.gnrs.replica.HintedHandoff;
import io.guidepost.gnrs.replica.SyncLimits;
import java.util.ArrayDeque;

/** Replays hints, oldest first, to peers that respond again. */
final class HintReplay {
    private final HintedHandoff hints;
    private final ThrottledRequests talk;
    private final Counters<PeerCount> counts;
    private final ArrayDeque<Hint> waiting = new ArrayDeque<>();

    private record Hint(SyncSchedule course, byte[] change) {}

    HintReplay(HintedHandoff hints, ThrottledRequests talk, Counters<PeerCount> counts) {
        this.hints = hints;
        this.talk = talk;
        this.counts = counts;
    }

    /**
     * Starts the replay of a peer's hints, if none is in flight; returns the time until the next look, in nanoseconds.
     */
    long look(SyncSchedule course, long nowNanos) {
        if (course.hintsInFlight > 0 || !course.up()) {
            return Long.MAX_VALUE;
        }
        if (course.hintsDueNanos - nowNanos > 0) {
            return hints.count(course.peer()) == 0 ? Long.MAX_VALUE : course.hintsDueNanos - nowNanos;
        }
        for (byte[] each : hints.first(course.peer(), SyncLimits.HINTS_MAX)) {
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
        MergeRequest push = new MergeRequest(hint.course.peer(), hint.change, false) {
            @Override
            public void ended(int code, long newest, long digest) {
                HintReplay.this.ended(hint, code);
            }
        };
        if (!talk.ask(push, push.bytes())) {
            ended(hint, PeerWire.REFUSED);
        }
    }

    private void ended(Hint hint, int code) {
        SyncSchedule course = hint.course;
        course.hintsInFlight--;
        if (code == PeerWire.REFUSED) {
            course.hintsDueNanos = talk.nanos() + SyncLimits.RETRY_NANOS;
        } else {
            // A change that the peer will never take is not resent; digests show what is missing.
            hints.done(course.peer(), hint.change);
            counts.count(PeerCount.HINTS_REPLAYED);
        }
        if (course.hintsInFlight == 0 && course.hintsDueNanos - talk.nanos() <= 0) {
            look(course, talk.nanos());
        }
    }
}
