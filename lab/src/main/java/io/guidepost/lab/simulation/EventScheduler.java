package io.guidepost.lab.simulation;

import java.util.Comparator;
import java.util.PriorityQueue;
import java.util.SplittableRandom;

/**
 * Time and chance of one simulation. What is to happen stands in a queue by its time, and among equal times in the order
 * in which it was said; so one seed always plays the same. One thread.
 */
final class EventScheduler {
    static final long NANOS_PER_MILLI = 1_000_000;

    private record Event(long nanos, long number, Runnable action) {}

    private final PriorityQueue<Event> events =
            new PriorityQueue<>(Comparator.comparingLong(Event::nanos).thenComparingLong(Event::number));
    private final SplittableRandom random;
    private long nanos;
    private long number;
    private long digest;

    EventScheduler(long seed) {
        random = new SplittableRandom(seed);
    }

    /** A source of numbers that depends on the seed, and on how many were asked for before. */
    SplittableRandom random() {
        return random.split();
    }

    /** What time it is: nanoseconds since the world began. */
    long nanos() {
        return nanos;
    }

    long millis() {
        return nanos / NANOS_PER_MILLI;
    }

    /** Says what happens after so many nanoseconds. */
    void after(long delayNanos, Runnable action) {
        at(delayNanos > Long.MAX_VALUE - nanos ? Long.MAX_VALUE : nanos + Math.max(0, delayNanos), action);
    }

    void afterMillis(long delayMillis, Runnable action) {
        after(delayMillis * NANOS_PER_MILLI, action);
    }

    /** Says what happens at a time; if it is past, next. */
    void at(long when, Runnable action) {
        events.add(new Event(Math.max(when, nanos), number++, action));
    }

    /** Plays until a time, and stands still there. */
    void playUntil(long until) {
        for (Event next = events.peek(); next != null && next.nanos() <= until; next = events.peek()) {
            events.remove();
            nanos = next.nanos();
            next.action().run();
        }
        nanos = Math.max(nanos, until);
    }

    void playMillis(long millis) {
        playUntil(nanos + millis * NANOS_PER_MILLI);
    }

    /** How many things were said to happen so far. */
    long events() {
        return number;
    }

    /** Takes something that happened into the digest. */
    void note(long what) {
        digest = (Long.rotateLeft(digest, 7) ^ what ^ nanos) * 0x9e3779b97f4a7c15L;
    }

    /** A number that is the same only if the same things happened at the same times, in the same order. */
    long digest() {
        return digest;
    }
}
