package io.guidepost.naming;

import io.guidepost.names.Guid;
import io.guidepost.web.JsonWriter;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** One lease: what it holds, and until when. Renewing it is one write to memory. Thread-safe. */
final class Lease {
    private final String id;
    private final long millis;
    private final Set<Guid> names = ConcurrentHashMap.newKeySet();
    private volatile long deadlineNanos;
    private volatile boolean ended;

    Lease(String id, long millis, long nanos) {
        this.id = id;
        this.millis = millis;
        renew(nanos);
    }

    String id() {
        return id;
    }

    long millis() {
        return millis;
    }

    /** Counts the whole duration anew. */
    void renew(long nanos) {
        deadlineNanos = nanos + millis * 1_000_000;
    }

    long deadlineNanos() {
        return deadlineNanos;
    }

    boolean ended() {
        return ended;
    }

    /** Ends it: changes that would use it are refused from now on. Returns false if it had ended. */
    synchronized boolean end() {
        boolean first = !ended;
        ended = true;
        return first;
    }

    /** Ends it if it was not renewed by then; returns whether this call did. */
    synchronized boolean expire(long nanos) {
        return deadlineNanos - nanos <= 0 && end();
    }

    /** Returns the names that have places of it, as the store's entries tell. */
    Set<Guid> names() {
        return names;
    }

    /** Returns the schema Lease of the API. */
    Map<String, Object> json(int count) {
        return JsonWriter.object("id", id, "seconds", NamedRecord.seconds(millis), "names", count);
    }
}
