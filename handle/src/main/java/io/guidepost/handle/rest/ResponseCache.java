package io.guidepost.handle.rest;

import io.guidepost.base.SharedCounters;
import io.guidepost.handle.HandleLimits;
import io.guidepost.handle.record.HandleRecords;
import io.guidepost.handle.record.HomedPrefixes;
import io.guidepost.names.Name;
import io.guidepost.web.HttpResponse;
import java.io.IOException;
import java.util.NavigableSet;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * A response cache, direct-mapped by request target. An entry is valid as long as the record has the version, and the
 * server the homed prefixes, of the time before the response was made. Each use looks both up, which costs less than
 * invalidation. Each target has one slot, which the next target with that slot overwrites (no LRU list, no lock).
 * Thread-safe.
 */
final class ResponseCache {
    private record Ready(
            String target, Name key, long version, NavigableSet<String> homes, HttpResponse response) {}

    private final HandleRecords records;
    private final HomedPrefixes homes;
    private final AtomicReferenceArray<@Nullable Ready> places = new AtomicReferenceArray<>(HandleLimits.READY_MAX);
    private final SharedCounters<RestCount> counts;

    ResponseCache(HandleRecords records, HomedPrefixes homes, SharedCounters<RestCount> counts) {
        this.counts = counts;
        this.records = records;
        this.homes = homes;
    }

    /** Returns the cached response to a target, or null; may wait for the disk to validate it. */
    @Nullable HttpResponse get(String target) throws IOException {
        Ready ready = standing(target);
        return ready == null ? null : ifOf(records.version(ready.key()), ready);
    }

    /**
     * Returns the cached response to a target without waiting, or null; null also if it cannot be validated without the
     * disk.
     */
    @Nullable HttpResponse getIfPresent(String target) {
        Ready ready = standing(target);
        return ready == null ? null : ifOf(records.versionAtOnce(ready.key()), ready);
    }

    @SuppressWarnings("ReferenceEquality") // A changed set of prefixes is another object.
    private @Nullable Ready standing(String target) {
        Ready ready = places.get(place(target));
        return ready != null && ready.target().equals(target) && ready.homes() == homes.all() ? ready : null;
    }

    private @Nullable HttpResponse ifOf(OptionalLong version, Ready ready) {
        if (version.isEmpty() || version.getAsLong() != ready.version()) {
            return null;
        }
        counts.add(RestCount.REQUESTS_RESOLVE_CACHED);
        return ready.response();
    }

    /**
     * Caches a response.
     *
     * @param version of the record, from before the response was made
     * @param seen the homed prefixes, from before the response was made
     */
    void put(String target, Name key, long version, NavigableSet<String> seen, HttpResponse response) {
        if (response.status() == 200
                && response.body() instanceof HttpResponse.Bytes(byte[] bytes)
                && bytes.length + target.length() <= HandleLimits.READY_BYTES_MAX) {
            places.set(place(target), new Ready(target, key, version, seen, response));
        }
    }

    private static int place(String target) {
        int hash = target.hashCode() * 0x9e3779b9;
        return (hash >>> 16 ^ hash) & HandleLimits.READY_MAX - 1;
    }
}
