package io.guidepost.lab.events;

import java.util.PriorityQueue;
import java.util.SplittableRandom;

/**
 * The scheduler and the randomness of one simulation. Events run in order of time, and at equal times in the order of
 * scheduling; so one seed always gives the same run. One thread.
 */
public final class EventScheduler {
    public static final long NANOS_PER_MILLI = 1_000_000;

    private record Event(long nanos, long number, Runnable action) implements Comparable<Event> {
        @Override
        public int compareTo(Event other) {
            return nanos == other.nanos ? Long.compare(number, other.number) : Long.compare(nanos, other.nanos);
        }
    }

    private final PriorityQueue<Event> events = new PriorityQueue<>();
    private final SplittableRandom random;
    private long nanos;
    private long number;
    private long digest;

    /** Creates a scheduler at time 0. */
    public EventScheduler(long seed) {
        random = new SplittableRandom(seed);
    }

    /** Returns a random generator that depends on the seed, and on the number of earlier calls. */
    public SplittableRandom random() {
        return random.split();
    }

    /** Returns the time: nanoseconds since the start. */
    public long nanos() {
        return nanos;
    }

    /** Returns the time in milliseconds. */
    public long millis() {
        return nanos / NANOS_PER_MILLI;
    }

    /** Schedules an action after a delay. */
    public void after(long delayNanos, Runnable action) {
        at(delayNanos > Long.MAX_VALUE - nanos ? Long.MAX_VALUE : nanos + Math.max(0, delayNanos), action);
    }

    /** Schedules an action after milliseconds. */
    public void afterMillis(long delayMillis, Runnable action) {
        after(delayMillis * NANOS_PER_MILLI, action);
    }

    /** Schedules an action at a time; if that is past, next. */
    public void at(long when, Runnable action) {
        events.add(new Event(Math.max(when, nanos), number++, action));
    }

    /** Runs until a time, and stops there. */
    public void playUntil(long until) {
        for (Event next = events.peek(); next != null && next.nanos() <= until; next = events.peek()) {
            events.poll();
            nanos = next.nanos();
            next.action().run();
        }
        nanos = Math.max(nanos, until);
    }

    /** Runs for milliseconds. */
    public void playMillis(long millis) {
        playUntil(nanos + millis * NANOS_PER_MILLI);
    }

    /** Returns the number of events scheduled so far. */
    public long events() {
        return number;
    }

    /** Mixes an event into the digest. */
    public void note(long what) {
        digest = (Long.rotateLeft(digest, 7) ^ what ^ nanos) * 0x9e3779b97f4a7c15L;
    }

    /** Returns a number that is equal only for the same events at the same times, in the same order. */
    public long digest() {
        return digest;
    }
}
